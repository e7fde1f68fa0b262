## the studio
dist_check_SCRIPTS += tests/studio.sh
FULL_TESTS += tests/studio_browser.sh
EXTRA_DIST += tests/studio_test.py tests/studio_browser.sh tests/studio_browser.py
