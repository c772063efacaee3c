#!/usr/bin/env bash
# patterns_known.sh NAME..: number of these patterns and metrics of ORCS that eval_lft lists.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

known=$(kept eval_lft --list)
found=0
for name; do
  if grep -qE "^ +$name(:| )" "$known"; then ((++found)); else printf 'eval_lft does not list %s\n' "$name" >&2; fi
done
value 'names known' "$found"
