#!/usr/bin/env bash
# `check --totals` and the stock ibqueryerrors report the same ports of four fabrics. `check` reports exactly the counters that rise, and its
# exit code is 7 only if a port is bad.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without ibqueryerrors
[[ -x $PSSP_BUILD_DIR/tests/mad_recorder ]] || skip 'mad_recorder is not built'

# begin_check FILE PORTS: starts a check, which reads all counters twice, with its answer in FILE and its process in checking. Returns between
# the two readings, when the error counters of all PORTS ports have been read.
begin_check() {
  record "$scratch/requests" --answers "$scratch/answers" --timeout 2000
  in_fabric "$dir" "$host" "$monitor" check --json --interval 2 >"$1" &
  checking=$!
  eventually are_read "$2"
}
are_read() {
  local asked
  asked=$(grep -c '^04 01 0012' requests)
  ((asked >= $1 && asked == $(grep -c '^04 81 0012' answers)))
}
# end_check: waits for the check and sets status to its exit code.
end_check() {
  status=0
  wait "$checking" || status=$?
  end_recording
}

make_tree 3 2 2 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"

# ---- a fabric without errors ----
in_fabric "$dir" H0 "$monitor" check --interval 0.1 >check.txt || fail "status $? of a good fabric: $(<check.txt)"
expect_line check.txt '^0 bad, 0 to watch, 0 unknown; 24 of 24 ports answered$'

# ---- totals ----
printf '%s\n' '# thresholds' SymbolErrorCounter=10 LinkDownedCounter=3 PortRcvErrors=5 PortXmitWait=1000 >thresholds
cat >settings <<'END'
PerformanceSet "L0"[1] PortCounters.SymbolErrorCounter=10
PerformanceSet "L0"[3] PortCounters.SymbolErrorCounter=11
PerformanceSet "L1"[2] PortCounters.LinkDownedCounter=255
PerformanceSet "L2"[4] PortCounters.PortRcvErrors=6
PerformanceSet "H3"[1] PortCounters.VL15Dropped=1
PerformanceSet "S1"[2] PortCounters.PortXmitWait=1001
PerformanceSet "S0"[2] PortCounters.PortXmitWait=1000
END
set_counters "$dir" "$scratch/settings"
status=0
in_fabric "$dir" H0 "$monitor" check --totals --thresholds thresholds --json >totals.json || status=$?
expect_equal 'status of bad totals' "$status" 7
# ibqueryerrors_names FILE: prints the ports that ibqueryerrors finds with the thresholds, by node GUID and number; port ALL is a sum. For
# adapters it prints the GUID of the port, which in ibsim follows that of the node.
ibqueryerrors_names() {
  in_fabric "$dir" "$host" ibqueryerrors --skip-sl --threshold-file thresholds >errors.txt 2>qe.err || true
  awk '/^ *GUID 0x[0-9a-f]+ port [0-9]+:/ { sub(":", "", $4); print $2, $4 }' errors.txt |
    while read -r guid port; do printf '0x%x %s\n' "$((guid < 0x200000 ? guid - 1 : guid))" "$port"; done | sort -u >"$1"
}
# The program pads a GUID with zeros, ibqueryerrors does not.
check_names() { jq -r '.verdicts[] | select(.level == "bad") | "\(.guid | sub("^0x0*"; "0x")) \(.port)"' "$1" | sort -u; }
host=H0
check_names totals.json >ours
ibqueryerrors_names theirs
expect_equal 'ports by ibqueryerrors' "$(wc -l <theirs)" 5
expect_same ours theirs

# ---- counters that rise between two sweeps ----
begin_check check.json 24
printf '%s\n' 'PerformanceSet "L0"[4] PortCounters.PortRcvErrors=40' 'PerformanceSet "L2"[1] PortCounters.PortRcvRemotePhysicalErrors=7' >settings
set_counters "$dir" "$scratch/settings"
end_check
expect_equal 'status of a bad port' "$status" 7
expect_equal 'the worst' "$(jq -r '.verdicts[0] | "\(.level) \(.name) \(.port) \(.what) \(.value)"' check.json)" 'bad L0 4 receive_errors 40'
expect_equal 'to watch' "$(jq -r '[.verdicts[] | select(.level == "watch") | .name + .what] | join(" ")' check.json)" \
  L2receive_remote_physical_errors
# L1's counter is full.
expect_equal 'unknown' "$(jq -r '[.verdicts[] | select(.level == "unknown") | .name + .what] | join(" ")' check.json)" L1link_downed

status=0
in_fabric "$dir" H0 "$monitor" check --totals --thresholds thresholds --nagios >nagios.txt || status=$?
expect_equal 'status for Nagios' "$status" 2
expect_line nagios.txt '^FABRIC CRITICAL - 7 bad'

printf 'Nonsense=1\n' >thresholds
status=0
in_fabric "$dir" H0 "$monitor" check --totals --thresholds thresholds >out 2>err || status=$?
expect_equal 'status of a wrong file' "$status" 3
expect_line err 'thresholds:1: '
stop_simulation "$dir"

# ---- other fabrics, all counters, at random ----
# random_totals SEED FABRIC: sets one counter of every third port below its threshold, to it, just above it, or to its largest value.
random_totals() {
  awk -v seed="$1" '
    BEGIN {
      srand(seed)
      count = split("SymbolErrorCounter 65535 LinkErrorRecoveryCounter 255 LinkDownedCounter 255 PortRcvErrors 65535 " \
        "PortRcvRemotePhysicalErrors 65535 PortRcvSwitchRelayErrors 65535 PortXmitDiscards 65535 PortXmitConstraintErrors 255 " \
        "PortRcvConstraintErrors 255 LocalLinkIntegrityErrors 15 ExcessiveBufferOverrunErrors 15 VL15Dropped 65535 " \
        "PortXmitWait 4294967295", word, " ") / 2
    }
    FILENAME == "thresholds" { split($0, part, "="); threshold[part[1]] = part[2]; next }
    /^(Switch|Hca|Ca)/ { at = $3 }
    /^\[/ && rand() < .3 {
      which = 2 * int(rand() * count) + 1
      name = word[which]
      split(threshold[name] - 1 " " threshold[name] + 0 " " threshold[name] + 1 " " word[which + 1], value, " ")
      number = value[1 + int(rand() * 4)]
      sub(/[]].*/, "]", $1)
      if (number >= 0) printf "PerformanceSet %s%s PortCounters.%s=%s\n", at, $1, name, number
    }' thresholds "$2"
}

# status_of OPTION...: prints the exit code of check, whose answer is in answer.json.
status_of() {
  local status=0
  in_fabric "$dir" "$host" "$monitor" check --json "$@" >answer.json || status=$?
  printf '%s\n' "$status"
}
levels() { jq -r '[.verdicts[].level] | unique | join(" ")' answer.json; }

# same_ports NAME SEED: compares the program with ibqueryerrors on NAME.net.
same_ports() {
  dir=$scratch/$1
  bring_up "$dir" "$scratch/$1.net"
  host=$(<"$dir/state/host")
  printf '%s\n' SymbolErrorCounter=10 LinkErrorRecoveryCounter=10 LinkDownedCounter=10 PortRcvErrors=10 PortXmitDiscards=100 \
    ExcessiveBufferOverrunErrors=3 PortXmitWait=1000 >thresholds
  expect_equal "$1: status of no errors" "$(status_of --totals --thresholds thresholds)" 0
  expect_equal "$1: levels of no errors" "$(levels)" ''
  random_totals "$2" "$1.net" >settings
  set_counters "$dir" "$scratch/settings"
  expect_equal "$1: status of totals" "$(status_of --totals --thresholds thresholds)" 7
  check_names answer.json >ours
  ibqueryerrors_names theirs
  expect_same ours theirs
  printf '%s: %d ports of %d are named by both\n' "$1" "$(wc -l <ours)" "$(grep -c '^\[' "$1.net")"
  check test "$(wc -l <ours)" -ge 8
}

make_mesh 4 3 1 >mesh.net
same_ports mesh 1
stop_simulation "$dir"

# Two kinds of cables between switches, two of hosts; all cables between switches are double.
make_tree 4 2 3 2 | awk '
  /^(Switch|Hca)/ { at = $3 }
  /^\[/ && (at ~ /^"H[0-2]"/ || at == "\"L0\"" && $2 ~ /^"H/) { $0 = $0 " w=1" }
  /^\[/ && (at == "\"S1\"" || $2 ~ /^"S1/) { $0 = $0 " s=2" }
  { print }' >rates.net
same_ports rates 2
stop_simulation "$dir"

# Damage, switches with more ports than cables, and names that command terminals, shells and spreadsheets.
"$PSSP_BUILD_DIR/bin/make_topo" xgft 4,4,2 1,3,2 --kill-switches 1 --kill-links 4 --seed 3 2>make_topo.err |
  awk -v escape="$(printf '\033')" '
    BEGIN { count = split("<script>alert(1)</script>|=1+1;$(id)`id`|a  port ALL: b|" escape "[2J" escape "]0;x|GUID 0x1 port 1: [x == 9]", name, "|") }
    /^(Switch|Hca|Ca)/ { sub(/# "[^"]*"/, "# \"" name[++n % count + 1] "\"") }
    /^Switch/ && n % 3 == 0 { $2 = 36 }
    { print }' >hostile.net
same_ports hostile 3
stop_simulation "$dir"

# ---- a full counter and a port with level watch do not cause status 7 ----
make_tree 2 1 1 1 >small.net
dir=$scratch/small
host=H0
bring_up "$dir" "$scratch/small.net"
printf 'PerformanceSet "L0"[1] PortCounters.LinkDownedCounter=255\n' >settings
set_counters "$dir" "$scratch/settings"
expect_equal 'status of a full counter' "$(status_of --interval 0.1)" 0
expect_equal 'levels of a full counter' "$(levels)" unknown
begin_check answer.json "$(grep -c '^\[' small.net)"
printf 'PerformanceSet "L1"[1] PortCounters.PortRcvRemotePhysicalErrors=7\n' >settings
set_counters "$dir" "$scratch/settings"
end_check
expect_equal 'status of a port with level watch' "$status" 0
expect_equal 'levels of a port with level watch' "$(levels)" 'unknown watch'
