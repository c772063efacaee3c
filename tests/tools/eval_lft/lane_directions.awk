# Whether the levels between the switches of any two hosts are the same in both directions.
#   awk -f lane_directions.awk topo.net routing.lft.sl        (as lane_dependencies.awk; status 1: they are not)

FNR == 1 { ++file }
file == 1 && /^switchguid=/ {
  guid = $0
  sub(/^switchguid=0x/, "", guid)
  sub(/\(.*/, "", guid)
}
file == 1 && /^(Ca|Hca|Rt)/ { guid = "" }
file == 1 && /^\[/ && guid != "" {
  split($0, quoted, "\"")
  if (quoted[2] !~ /^H/) next
  lid = $0
  sub(/.* lid /, "", lid)
  at[lid + 0] = guid
}
file == 2 && /^0x/ {
  guid = $1
  sub(/^0x0*/, "", guid)
  levels[guid] = $2
}
END {
  for (a in at) {
    for (b in at) {
      if (at[a] == at[b]) continue
      ++pairs
      if (substr(levels[at[a]], b + 1, 1) == substr(levels[at[b]], a + 1, 1)) continue
      print "LID " a " and LID " b
      exit 1
    }
  }
  print pairs " pairs"
}
