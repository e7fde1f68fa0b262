## the physical library: closed forms, balances
check_PROGRAMS += tests/test_mechanics tests/test_heat tests/test_fluid tests/test_machines
tests_test_mechanics_SOURCES = tests/test_mechanics.c tests/physics.h
tests_test_mechanics_LDADD = $(TEST_LIBS)
tests_test_heat_SOURCES = tests/test_heat.c tests/physics.h
tests_test_heat_LDADD = $(TEST_LIBS)
tests_test_fluid_SOURCES = tests/test_fluid.c tests/physics.h
tests_test_fluid_LDADD = $(TEST_LIBS)
tests_test_machines_SOURCES = tests/test_machines.c tests/physics.h
tests_test_machines_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_switching
tests_test_switching_SOURCES = tests/test_switching.c
tests_test_switching_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_windings
tests_test_windings_SOURCES = tests/test_windings.c tests/physics.h
tests_test_windings_LDADD = $(TEST_LIBS)
