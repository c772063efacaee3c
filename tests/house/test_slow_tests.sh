#!/usr/bin/env bash
# Every name in slow_tests.cmake is a test with the label slow. In builds without unit tests their names come from the sources.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
[[ -e $PSSP_BUILD_DIR/lib/libosmpssp.so ]] || skip 'this build has no plugin, and not all tests'

sed -n 's/^pssp_slow([0-9]* [a-z0-9]* "\(.*\)")$/\1/p' "$here/slow_tests.cmake" | sort >"$scratch/named"
(($(wc -l <"$scratch/named") >= 20)) || fail 'slow_tests.cmake names fewer than 20 tests'
ctest --test-dir "$PSSP_BUILD_DIR" -N -L '^slow$' | sed -n 's/^ *Test *#[0-9]*: //p' | sort >"$scratch/labelled"
if grep -q ':[^ ]' "$scratch/labelled"; then
  comm -23 "$scratch/named" "$scratch/labelled" >"$scratch/unknown"
else
  comm -23 "$scratch/named" "$scratch/labelled" | while IFS= read -r name; do
    folder=${name%%:*}
    # A name after a colon without a blank is that of a test case; long names continue in the next line of the source.
    [[ $name == "$folder":[^\ ]* ]] &&
      grep -qF "TEST_CASE(\"${name#*:}\"" < <(find "$PSSP_SOURCE_DIR/tests/$folder" -name 'test_*.cpp' -exec cat {} + | tr '\n' ' ' | sed 's/" *"//g') ||
      printf '%s\n' "$name"
  done >"$scratch/unknown"
fi
expect_equal 'names without a test' "$(<"$scratch/unknown")" ''
