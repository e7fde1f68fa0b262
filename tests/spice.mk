## SPICE decks: against ngspice, and what is wrong with a deck
dist_check_SCRIPTS += tests/ngspice.sh tests/spice.sh tests/spice_forms.sh tests/foreign.sh tests/ltspice.sh
EXTRA_DIST += tests/spice tests/gnucap.sh
.PHONY: check-gnucap
check-gnucap: linnet
	LINNET='$(abs_builddir)/linnet' srcdir='$(abs_srcdir)' sh $(srcdir)/tests/gnucap.sh
check_PROGRAMS += tests/test_spice
tests_test_spice_SOURCES = tests/test_spice.c
tests_test_spice_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_spice_cards
tests_test_spice_cards_SOURCES = tests/test_spice_cards.c
tests_test_spice_cards_LDADD = $(TEST_LIBS)
