#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet studio in headless Chromium (studio_browser.py): needs Debian's chromium, chromium-driver and python3-selenium.
. "${srcdir:-.}/tests/shell.sh"
if "$LINNET" studio no/model.xml --no-browser 2>&1 | grep -q 'without the studio'; then
    echo "skipped: this linnet was built without libmicrohttpd or Jansson"
    exit 77
fi
for python in python3 /usr/bin/python3 none; do "$python" -c 'import selenium' 2> /dev/null && break; done
if [ "$python" = none ] || ! command -v chromium > /dev/null || ! command -v chromedriver > /dev/null; then
    echo "skipped: chromium, chromium-driver or python3-selenium is missing"
    exit 77
fi
timeout 300 "$python" "$srcdir/tests/studio_browser.py" "$LINNET" "$srcdir/models/examples" || fail "the page"
finish
