#!/usr/bin/env bash
# fabric_counts.sh NAME=WORDS..: hosts, switches and links between switches of fabrics of make_topo.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

for each; do
  read -ra words <<<"${each#*=}"
  net=$(fabric "${words[@]}")
  value "${each%%=*} hosts" "$(grep -cE '^(Hca|Ca)' "$net")"
  value "${each%%=*} switches" "$(grep -c '^Switch' "$net")"
  value "${each%%=*} links" $(($(awk '/^Switch/ { inside = 1 } /^(Hca|Ca)/ { inside = 0 } inside && /^\[[0-9]+\]/ && $2 ~ /"S/' "$net" | wc -l) / 2))
done
