#!/bin/sh
# SPDX-License-Identifier: MIT
# A million inputs at random through the targets that read, a hundred thousand models through the one that solves (replay
# --random): random.sh PROGRAM [SEED]. It takes some two minutes of a quiet core, most of it the models; an input that breaks something stays as
# fuzz-found-TARGET. Prints executions of each target and their sum.
program=$1 seed=${2:-1}
all=0 failed=0
for share in number=150000 expression=250000 table=250000 xml=150000 deck=50000 diagram=140000 checkpoint=10000 network=100000; do
    target=${share%=*} times=${share#*=}
    if "$program" "$target" --random "$times" "$seed"; then
        all=$((all + times))
    else
        echo "$target: broken by fuzz-found-$target"
        failed=1
    fi
done
echo "$all executions in all"
exit $failed
