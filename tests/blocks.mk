## blocks
check_PROGRAMS += tests/test_blocks tests/test_blocks_memory tests/test_signal_types tests/test_contract
tests_test_blocks_SOURCES = tests/test_blocks.c tests/blocks_kit.c tests/blocks_kit.h
tests_test_blocks_LDADD = $(TEST_LIBS)
tests_test_signal_types_SOURCES = tests/test_signal_types.c tests/blocks_kit.c tests/blocks_kit.h
tests_test_signal_types_LDADD = $(TEST_LIBS)
tests_test_contract_SOURCES = tests/test_contract.c tests/blocks_kit.c tests/blocks_kit.h
tests_test_contract_LDADD = $(TEST_LIBS)
tests_test_blocks_memory_SOURCES = tests/test_blocks_memory.c tests/blocks_kit.c tests/blocks_kit.h
tests_test_blocks_memory_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_library
tests_test_library_SOURCES = tests/test_library.c
tests_test_library_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_arrays
tests_test_arrays_SOURCES = tests/test_arrays.c tests/blocks_kit.c tests/blocks_kit.h
tests_test_arrays_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_events_blocks
tests_test_events_blocks_SOURCES = tests/test_events_blocks.c tests/blocks_kit.c tests/blocks_kit.h
tests_test_events_blocks_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_signal_blocks
tests_test_signal_blocks_SOURCES = tests/test_signal_blocks.c
tests_test_signal_blocks_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_tables
tests_test_tables_SOURCES = tests/test_tables.c
tests_test_tables_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_triggered
tests_test_triggered_SOURCES = tests/test_triggered.c
tests_test_triggered_LDADD = $(TEST_LIBS)
## semiconductors against ngspice
dist_check_SCRIPTS += tests/devices.sh
EXTRA_DIST += tests/devices_circuits.sh
check_PROGRAMS += tests/test_mosfet
tests_test_mosfet_SOURCES = tests/test_mosfet.c
tests_test_mosfet_LDADD = $(TEST_LIBS)
## logic whose inner nodes have no capacitance of their own
dist_check_SCRIPTS += tests/stacks.sh
## parameter by parameter against ngspice
dist_check_SCRIPTS += tests/parameters.sh
EXTRA_DIST += tests/parameters.txt
## charges kept over many periods; check-charge: over 10 000
check_PROGRAMS += tests/test_charge
tests_test_charge_SOURCES = tests/test_charge.c
tests_test_charge_LDADD = $(TEST_LIBS)
.PHONY: check-charge
check-charge: tests/test_charge
	LINNET_PERIODS=10000 ./tests/test_charge
check_PROGRAMS += tests/test_class_check
tests_test_class_check_SOURCES = tests/test_class_check.c
tests_test_class_check_LDADD = $(TEST_LIBS)
