## cli, and what is written about it
dist_check_SCRIPTS += tests/endings.sh tests/faults.sh tests/files.sh tests/hostile.sh tests/progress.sh tests/events.sh tests/flat.sh tests/cli.sh tests/refused.sh tests/asked.sh tests/newcomers.sh tests/completion.sh tests/json.sh tests/verify.sh tests/catalogue.sh tests/coming_from.sh tests/order.sh tests/written.sh tests/manual.sh tests/tutorial.sh tests/extending.sh tests/architecture.sh tests/circles.sh
dist_check_SCRIPTS += tests/codegen.sh tests/codegen_cases.sh tests/codegen_network.sh tests/codegen_devices.sh tests/codegen_delay.sh tests/codegen_index.sh tests/native.sh tests/codegen_python.sh tests/fmu.sh tests/fmu_import.sh tests/fmu_hostile.sh tests/fmu_types.sh tests/library_faults.sh
FULL_TESTS += tests/html.sh tests/pdf.sh tests/commands.sh tests/codegen_all.sh tests/codegen_types.sh tests/codegen_arm.sh
EXTRA_DIST += tests/html.sh tests/pdf.sh tests/commands.sh tests/shell.sh tests/codegen_kit.sh tests/codegen tests/codegen_all.sh tests/codegen_types.sh tests/code_types.py tests/codegen_arm.sh tests/fmi/host.c tests/fmi/small2.c tests/fmi/small2.xml tests/fmi/fmi2.rng tests/fmi/fmi3.rng
dist_check_SCRIPTS += tests/fmu_examples.sh
FULL_TESTS += tests/fmu_all.sh
EXTRA_DIST += tests/fmu_all.sh tests/fmu_compare.py
## the example sees the public headers only and links the shared library, as a user's program does
check_PROGRAMS += tests/example_rc
tests_example_rc_SOURCES = doc/examples/rc.c
tests_example_rc_CPPFLAGS = -I$(top_srcdir)/include
tests_example_rc_LDADD = liblinnet.la -lm
## the program, in which calls of the operating system fail (tests/faults.sh)
EXTRA_PROGRAMS += tests/faults
tests_faults_SOURCES = tests/faults.c $(linnet_SOURCES)
nodist_tests_faults_SOURCES = $(nodist_linnet_SOURCES)
tests_faults_LDADD = libcore.la $(JANSSON_LIBS) -lsuitesparseconfig
tests_faults_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=main
check_DATA += tests/faults
check_PROGRAMS += tests/test_code_steps
tests_test_code_steps_SOURCES = tests/test_code_steps.c
tests_test_code_steps_LDADD = $(TEST_LIBS)
