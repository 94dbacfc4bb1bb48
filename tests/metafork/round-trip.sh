#!/bin/sh
# Usage: round-trip.sh TREEFORK ROOT WORKDIR. For each sample: print, compile, print what was printed, compare.
treefork=$1 root=$2 work=$3
for source in $(ls "$root"/samples/*/*.c | grep -v /main.c); do
    name=$(basename "$source" .c)
    mkdir -p "$work/$name" "$work/$name/again"
    "$treefork" -d metafork $(cat "$root/samples/$name/options" 2>/dev/null) "$source" >"$work/$name/$name.c" || exit 1
    cc -std=c11 -Wall -Wextra -Werror -I"$root/runtime" -c "$work/$name/$name.c" -o "$work/$name/$name.o" || exit 1
    "$treefork" -d metafork "$work/$name/$name.c" >"$work/$name/again/$name.c" || exit 1
    if cmp -s "$work/$name/$name.c" "$work/$name/again/$name.c"; then
        echo "$name: identity"
    else
        echo "$name: differs"
        diff "$work/$name/$name.c" "$work/$name/again/$name.c"
    fi
done
