#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet studio: its command line, and its server asked by a stranger (studio_test.py). What a user sees in a browser:
# studio_browser.sh.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
if "$LINNET" studio no/model.xml --no-browser 2>&1 | grep -q 'without the studio'; then
    echo "skipped: this linnet was built without libmicrohttpd or Jansson"
    exit 77
fi
mkdir here
cp "$srcdir/models/examples/electrical/rc-step.xml" here
cd here || exit 1
expect 5 "$LINNET" studio none.xml --no-browser
says err "cannot open 'none.xml'"
expect 2 "$LINNET" studio "$srcdir/models/examples/electrical/rc-step.xml" --no-browser
says err 'lies outside this folder'
expect 2 "$LINNET" studio --port 0 --no-browser
says err 'from 1 to 65535'
expect 2 "$LINNET" studio a.xml b.xml
expect 5 "$LINNET" studio --examples none --no-browser
cd ..
python3 "$srcdir/tests/studio_test.py" "$LINNET" "$srcdir/models/examples" || fail "the server"
finish
