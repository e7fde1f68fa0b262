## plot
check_PROGRAMS += tests/test_plot
tests_test_plot_SOURCES = tests/test_plot.c tests/messages.h
tests_test_plot_LDADD = $(TEST_LIBS)
dist_check_SCRIPTS += tests/plot.sh
