# The channel dependency graphs of all lanes, by walking every route: lines "LANE CHANNEL CHANNEL".
#   awk -f lane_dependencies.awk topo.net routing.lft routing.lft.sl
# topo.net as route_lft --write-topology writes it, LMC 0. Switches known by GUID; a channel is "GUID[port]". With
# -v end_ports_only=1 routes to and from switches are left out. Routes without a level go to lane "none".

FNR == 1 { ++file }
{ sub(/\r$/, "") }

file == 1 && /^switchguid=/ {
  sub(/^switchguid=0x/, "")
  sub(/\(.*/, "")
  guid = $0
  next
}
file == 1 && /^Switch/ {
  kind = "switch"
  split($0, quoted, "\"")
  name = quoted[2]
  guid_of[name] = guid
  at[lid_in($0)] = guid
  next
}
file == 1 && /^(Ca|Hca|Rt)/ { kind = "adapter"; next }
file == 1 && /^\[/ && kind == "switch" {
  split($0, quoted, "\"")
  port = $0
  sub(/^\[/, "", port)
  sub(/\].*/, "", port)
  behind[guid "[" (port + 0) "]"] = quoted[2]
  if (quoted[2] ~ /^H/) {
    has_hosts[guid] = 1
    at[lid_in($0)] = guid
    is_host[lid_in($0)] = 1
  }
  next
}

file == 2 && /^Unicast/ {
  guid = $0
  sub(/.* guid 0x0*/, "", guid)
  sub(/ .*/, "", guid)
  next
}
file == 2 && /^0x/ { out[guid, hexadecimal($1)] = $2 + 0; next }

file == 3 && /^0x/ {
  guid = $1
  sub(/^0x0*/, "", guid)
  levels[guid] = $2
}

END {
  for (source in levels) {
    for (lid in at) {
      if (!has_hosts[source] && !is_host[lid]) continue
      if (end_ports_only && (!has_hosts[source] || !is_host[lid])) continue
      walk(source, lid)
    }
  }
}

function walk(source, lid,    lane, here, channel, before, hops) {
  lane = substr(levels[source], lid + 1, 1)
  if (lane == "." || lane == "") lane = "none"
  before = ""
  for (here = source; here != at[lid]; here = guid_of[behind[channel]]) {
    if (++hops > 100) {
      print "a loop to LID " lid
      exit 1
    }
    channel = here "[" out[here, lid] "]"
    if (before != "") tell(lane " " before " " channel)
    before = channel
  }
}

function tell(line) {
  if (!(line in reported)) print line
  reported[line] = 1
}

function lid_in(line) {
  sub(/.* lid /, "", line)
  sub(/ .*/, "", line)
  return line + 0
}

function hexadecimal(text,    value, i) {
  text = tolower(substr(text, 3))
  value = 0
  for (i = 1; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
  return value
}
