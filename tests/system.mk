## system
check_PROGRAMS += tests/test_diagram
tests_test_diagram_SOURCES = tests/test_diagram.c
tests_test_diagram_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_storage
tests_test_storage_SOURCES = tests/test_storage.c
tests_test_storage_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_resting
tests_test_resting_SOURCES = tests/test_resting.c
tests_test_resting_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_index
tests_test_index_SOURCES = tests/test_index.c
tests_test_index_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_history
tests_test_history_SOURCES = tests/test_history.c
tests_test_history_LDADD = $(TEST_LIBS)
