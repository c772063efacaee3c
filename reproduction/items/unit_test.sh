#!/usr/bin/env bash
# unit_test.sh PROGRAM CASE..: number of unit test cases that pass; the cases compare published tables entry by entry.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

program=$1
shift
[[ -x $BIN/$program ]] || unable "$program is not in this build; the preset dev builds it"
passed=0
for case; do
  # Catch2 separates names by commas, so commas within a name are escaped.
  "$BIN/$program" "${case//,/\\,}" >"$work/said" || {
    tail -n 20 "$work/said" >&2
    exit 1
  }
  # Catch2 also succeeds if no case has this name, but then runs no assertions.
  grep -q 'All tests passed' "$work/said" || {
    printf 'no test case has the name %s\n' "$case" >&2
    exit 1
  }
  ((++passed))
done
value 'cases that hold' "$passed"
