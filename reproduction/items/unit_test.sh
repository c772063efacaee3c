#!/usr/bin/env bash
# unit_test.sh PROGRAM CASE..: cases of a program of unit tests that hold the published table entry by entry.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

program=$1
shift
[[ -x $BIN/$program ]] || unable "$program is not in this build: preset dev has it"
passed=0
for case; do
  # Commas stand between several names.
  "$BIN/$program" "${case//,/\\,}" >"$work/said" || {
    tail -n 20 "$work/said" >&2
    exit 1
  }
  # A name that no case has passes as well, with no assertion.
  grep -q 'All tests passed' "$work/said" || {
    printf 'no case is called %s\n' "$case" >&2
    exit 1
  }
  ((++passed))
done
value 'cases that hold' "$passed"
