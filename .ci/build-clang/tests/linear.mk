## linear
check_PROGRAMS += tests/test_linear tests/test_complex
tests_test_linear_SOURCES = tests/test_linear.c
tests_test_linear_LDADD = $(TEST_LIBS)
tests_test_complex_SOURCES = tests/test_complex.c
tests_test_complex_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_eigen
tests_test_eigen_SOURCES = tests/test_eigen.c
tests_test_eigen_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_convergence
tests_test_convergence_SOURCES = tests/test_convergence.c
tests_test_convergence_LDADD = $(TEST_LIBS)
