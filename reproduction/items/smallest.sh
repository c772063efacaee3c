#!/usr/bin/env bash
# smallest.sh: the first fabric of four or five switches with three hosts on which P-SSSP has the index 2 and P2-SSSP the index 1, as in the drawing
# of the slides, whose links are not published. Graphs are tried in the order of the bit masks of their links.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

# graph SWITCHES HOSTS BITS: prints a net file of switches with the links whose bits are set, and one host at each of the first HOSTS switches.
graph() {
  awk -v n="$1" -v hosts="$2" -v bits="$3" 'BEGIN {
    for (a = 0; a < n; ++a) for (b = a + 1; b < n; ++b) { if (bits % 2) { link[a, b] = ++port[a]; link[b, a] = ++port[b] } bits = int(bits / 2) }
    for (a = 0; a < n; ++a) {
      printf "Switch\t8 \"S%05d\"\n", a
      if (a < hosts) printf "[8]\t\"H%05d\"[1]\n", a
      for (b = 0; b < n; ++b) if ((a, b) in link) printf "[%d]\t\"S%05d\"[%d]\n", link[a, b], b, link[b, a]
      print ""
    }
    for (a = 0; a < hosts; ++a) printf "Hca\t1 \"H%05d\"\n[1]\t\"S%05d\"[8]\n\n", a, a
  }'
}
index_of() {
  local lft=$work/$1.lft
  route_lft -e "$1" "$work/graph.net" -o "$lft" 2>/dev/null && eval_lft "$lft" "$work/graph.net" -n 1 --no-structured-suite --no-ceiling --json 2>/dev/null |
    jq 'if .usable then .edge_forwarding_index.max else 0 end'
}
readonly hosts=3
search() {
  local switches bits tried=0
  for switches in 4 5; do
    for ((bits = 1; bits < 1 << (switches * (switches - 1) / 2); ++bits)); do
      ((++tried))
      graph "$switches" "$hosts" "$bits" >"$work/graph.net"
      [[ $(index_of pssp) == 2 && $(index_of p2ssp) == 1 ]] || continue
      printf '%s\t%s\t%s\n' "$switches" "$bits" "$tried"
      return
    done
  done
  printf '0\t0\t%s\n' "$tried"
}
IFS=$'\t' read -r switches bits tried <"$(kept search)"
value 'graphs tried' "$tried"
value switches "$switches"
if ((switches > 0)); then
  graph "$switches" "$hosts" "$bits" >"$work/graph.net"
  value 'index of P-SSSP' "$(index_of pssp)"
  value 'index of P2-SSSP' "$(index_of p2ssp)"
  value links "$(awk '/^\[/ && /"S/' "$work/graph.net" | wc -l | awk -v hosts="$hosts" '{ print ($1 - hosts) / 2 }')"
fi
