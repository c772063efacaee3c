#!/usr/bin/env bash
# The patterns and metrics of ORCS by name: those of the arguments that eval_lft does not list are missing.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

known=$(kept eval_lft --list)
found=0
for name; do
  if grep -qE "^ +$name(:| )" "$known"; then ((++found)); else printf '%s is not known\n' "$name" >&2; fi
done
value 'names known' "$found"
