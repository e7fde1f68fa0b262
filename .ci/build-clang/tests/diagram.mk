## diagram, report, schema
dist_check_SCRIPTS += tests/diagram.sh tests/report.sh tests/schema.sh
EXTRA_DIST += tests/diagram.py
