## diagram
dist_check_SCRIPTS += tests/diagram.sh
EXTRA_DIST += tests/diagram.py
