# Converts tables and topologies for reroute_impact.sh. The variable `task` selects the conversion:
#
#   job      JOB TOPO TOPO       prints TOPO (output of ibnetdiscover, given twice) without the hosts whose descriptions are not lines of JOB
#   order    WRITES TOPO         prints the blocks that `mad_recorder --table-writes --clock` recorded since the time `since` (microseconds), in the
#                                format of reroute_impact --order
#   mixture  ORDER BEFORE AFTER  prints the tables AFTER, with the blocks after line `written` of ORDER taken from the tables BEFORE

FNR == 1 { ++part; is_left_out = 0 }

# ---- job: each paragraph describes a node ----
task == "job" && part == 1 { is_job[$0] = 1; next }
task == "job" && /^(vendid|devid|sysimgguid|switchguid|caguid)/ { head = head $0 "\n"; next }
task == "job" && /^(Switch|Ca)/ {
  split($0, quoted, "\"")
  is_left_out = $1 == "Ca" && !(quoted[4] in is_job)
  if (is_left_out) left_out[quoted[2]] = 1
  if (part == 3 && !is_left_out) printf "%s%s\n", head, $0
  head = ""
  next
}
task == "job" && /^\[/ {
  split($2, quoted, "\"")
  if (part == 3 && !is_left_out && !(quoted[2] in left_out)) print
  next
}
task == "job" { if (part == 3 && !is_left_out) print; next }

# ---- order ----
# The path of each write begins at the adapter from which ibnetdiscover began, which is also the adapter of the subnet manager.
task == "order" && part == 1 { time[++writes] = $1; path[writes] = $2; block[writes] = $3; next }
task == "order" && /^# Initiated from node/ { manager = $5; next }
task == "order" && /^(switchguid|caguid)=/ { sub(/^[a-z]*=0x/, ""); sub(/\(.*/, ""); guid = $0; next }
task == "order" && /^(Switch|Ca)/ { split($0, quoted, "\""); at = quoted[2]; guid_of[at] = guid; next }
task == "order" && /^\[/ {
  port = $1
  gsub(/^\[|\].*/, "", port)
  split($2, quoted, "\"")
  behind[at, port] = quoted[2]
}

# ---- mixture ----
task == "mixture" && part == 1 { if (FNR > written) is_old[hexadecimal(substr($1, 3)), $2] = 1; next }
task == "mixture" && /^Unicast lids/ {
  match($0, /guid 0x[0-9a-f]+/)
  at = hexadecimal(substr($0, RSTART + 7, RLENGTH - 7))
  if (part == 3) print
  next
}
task == "mixture" && /^0x/ {
  if (part == 2) {
    old_port[at, $1] = $2
    next
  }
  if ((at, int(number($1) / 64)) in is_old) {
    if (!((at, $1) in old_port)) next
    $2 = old_port[at, $1]
  }
  print
  next
}
task == "mixture" && part == 3 { print }

END {
  if (task != "order") exit
  for (node in guid_of) if (node ~ ("^H-" manager "$")) begin = node
  for (i = 1; i <= writes; i++) {
    if (time[i] < since) continue
    at = begin
    hops = split(path[i], port_of, ",")
    for (h = 1; h <= hops; h++) at = behind[at, port_of[h]]
    if (at ~ /^S-/) printf "0x%s %d %.0f us\n", guid_of[at], block[i], time[i] - since
  }
}

# Without leading zeros, so that GUIDs can be compared.
function hexadecimal(text) { sub(/^0+/, "", text); return text }
function number(text,    value, i) {
  value = 0
  for (i = 3; i <= length(text); i++) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
  return value
}
