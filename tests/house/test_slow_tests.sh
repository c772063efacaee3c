#!/usr/bin/env bash
# Every test that slow_tests.cmake names is one, and has the label.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
[[ -e $PSSP_BUILD_DIR/lib/libosmpssp.so ]] || skip 'this build has no plugin, and not all tests'

sed -n 's/^pssp_slow([0-9]* [a-z0-9]* "\(.*\)")$/\1/p' "$here/slow_tests.cmake" | sort >"$scratch/named"
(($(wc -l <"$scratch/named") >= 20)) || fail 'slow_tests.cmake names hardly any'
ctest --test-dir "$PSSP_BUILD_DIR" -N -L '^slow$' | sed -n 's/^ *Test *#[0-9]*: //p' | sort >"$scratch/labelled"
expect_equal 'named and no test' "$(comm -23 "$scratch/named" "$scratch/labelled")" ''
