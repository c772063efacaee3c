# Compares two dumps (opensm-lfts.dump) of the tables of a fabric of make_mesh before and after the link from switch -v at=X_Y
# to the right was cut. Prints how many entries are the same, how many have another port, how many of these led to the dead link
# themselves, how many of these led nowhere near it on their whole way, and how many entries lead to the dead link now.
/^Unicast/ { name = $0; sub(/.*\('M/, "", name); sub(/'.*/, "", name); file = FILENAME == ARGV[1] ? 0 : 1 }
/^0x/ { port[file, name, $1] = $2 + 0; if (!file) entries[name, $1] }

function beyond(name, port, x) {
  split(name, x, "_")
  if (port == 1) return (x[1] + 1) "_" x[2]
  if (port == 2) return (x[1] - 1) "_" x[2]
  return port == 3 ? x[1] "_" (x[2] + 1) : x[1] "_" (x[2] - 1)
}

function is_dead(name, port) { return port == 1 && name == at || port == 2 && name == right }

function meets_dead_link(name, lid, port_there) {
  while (1) {
    port_there = port[0, name, lid]
    if (is_dead(name, port_there)) return 1
    if (port_there == 0 || port_there > 4) return 0
    name = beyond(name, port_there)
  }
}

END {
  right = beyond(at, 1)
  for (entry in entries) {
    split(entry, of, SUBSEP)
    if (is_dead(of[1], port[1, of[1], of[2]])) dead_now++
    if (port[0, of[1], of[2]] == port[1, of[1], of[2]]) { same++; continue }
    other++
    if (is_dead(of[1], port[0, of[1], of[2]])) dead++
    else if (!meets_dead_link(of[1], of[2])) unconcerned++
  }
  print same + 0, other + 0, dead + 0, unconcerned + 0, dead_now + 0
}
