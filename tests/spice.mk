## SPICE decks: against ngspice, and what is wrong with a deck
dist_check_SCRIPTS += tests/ngspice.sh tests/spice.sh
EXTRA_DIST += tests/spice
