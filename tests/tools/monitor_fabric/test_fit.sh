#!/usr/bin/env bash
# Fitness of nodes for jobs in a simulated fabric: errors that only the switch port counts, a host with a quarter of its lanes and one at half
# speed, a rail that is pulled, a leaf that fails, a daemon that does not answer, and more than half of all nodes unfit at once, of which the
# guard lets five be drained.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl

# Nodes n1 to n30 and the monitor's own, with each rail at its own leaf: n1 to n15 at A1 and B1, the others at A2 and B2. One link of n4 has 1
# of 4 lanes, and one of n6 half the speed of a lane, which is the speed enabled at both ends.
awk 'BEGIN {
  print "speed=3\n" # SDR and DDR
  for (n = 0; n <= 30; n++) for (r = 1; r <= 2; r++) {
    if (n == 0 && r == 2) continue
    leaf = (r == 1 ? "A" : "B") (n <= 15 ? 1 : 2)
    name = n ? "n" n " HCA-" r : "admin"
    slow = r == 2 ? "" : n == 4 ? " w=1" : n == 6 ? " s=1" : ""
    used[leaf]++
    printf "Hca\t1 \"%s\"\n[1]\t\"%s\"[%d]%s\n\n", name, leaf, used[leaf], slow
    lines[leaf] = lines[leaf] sprintf("[%d]\t\"%s\"[1]%s\n", used[leaf], name, slow)
  }
  for (l = 1; l <= 4; l++) {
    leaf = substr("A1A2B1B2", 2 * l - 1, 2)
    printf "Switch\t20 \"%s\"\n%s", leaf, lines[leaf]
    for (s = 1; s <= 3; s++) printf "[%d]\t\"S%d\"[%d]\n", 17 + s, s, l
    print ""
  }
  for (s = 1; s <= 3; s++) {
    printf "Switch\t8 \"S%d\"\n", s
    for (l = 1; l <= 4; l++) printf "[%d]\t\"%s\"[%d]\n", l, substr("A1A2B1B2", 2 * l - 1, 2), 17 + s
    print ""
  }
}' >rails.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/rails.net"
cat >serve.conf <<END
[server]
listen = 127.0.0.1:0
[sweep]
interval_s = 1
discovery_interval_s = 1
END
serve "$dir" admin --config serve.conf --database history.sqlite

fits() { ask "fit?names=$1&format=text"; }
level_is() { [[ $(ask "fit?names=$1" | jq -r '.nodes[0].fit') == "$2" ]]; }
reason_of() { ask "fit?names=$1" | jq -r '.nodes[0].reasons[0]'; }
eventually level_is n1 yes
expect_equal 'a node with narrow links' "$(ask 'fit?names=n4' | jq -c '.nodes[0] | [.fit, .drain]')" '["watch",false]'
grep -qE '^A1 port 5 runs at 1x' <<<"$(reason_of n4)" || fail "the reason for n4 is: $(reason_of n4)"
expect_equal 'a node at half speed' "$(ask 'fit?names=n6' | jq -c '.nodes[0] | [.fit, .drain]')" '["watch",false]'
grep -q '^A1 port 7 runs at 4xSDR (8000 Mbit/s), its peers at 16000 ' <<<"$(reason_of n6)" || fail "the reason for n6 is: $(reason_of n6)"
expect_equal 'all others are fit' "$(fits 'n%5b1-3,5,7-30%5d,admin' | wc -c)" 0

# ---- only the switch port counts symbol errors ----
printf 'PerformanceSet "A1"[2] PortCounters.SymbolErrorCounter=9000\n' >errors
set_counters "$dir" errors
eventually level_is n1 no
grep -q '^A1 port 2: symbol_errors: ' <<<"$(reason_of n1)" || fail "the reason for n1 is: $(reason_of n1)"
expect_equal 'neighbours' "$(fits 'n%5b2-3%5d' | wc -c)" 0

# ---- a rail is pulled; the reason names its last port ----
printf 'Unlink "B1"[9]\n' >&"$console"
eventually level_is n9 no
grep -q '^B1 port 9: HCA-2 is no longer in the fabric' <<<"$(reason_of n9)" || fail "the reason for n9 is: $(reason_of n9)"
expect_equal 'neighbours' "$(fits 'n%5b8,10%5d' | wc -c)" 0

# ---- the commands ----
expect 7 '' "$monitor" fit 'n[1-3,9]' --server "$url"
expect_equal 'lines of the command' "$(cut -d ' ' -f 1-3 stdout | paste -sd ';')" 'n1 no drain;n9 no drain'
cp stdout asked
expect 0 '' "$monitor" fit 'n[2-3]' --server "$url"
check test ! -s stdout
expect 0 '' "$monitor" fit n4 --server "$url"
check grep -q '^n4 watch - ' stdout
expect 7 '' "$monitor" fit nobody --server "$url"
check grep -q '^nobody unknown - no node of the fabric has this name$' stdout
expect 2 '' "$monitor" fit 'n[1-4]' --server "$url" --nagios
check grep -q '^FIT CRITICAL - 2 fit, 1 to watch, 1 not fit, 0 unknown; n1: A1 port 2: symbol_errors' stdout
expect 1 '' "$monitor" fit n4 --server "$url" --nagios
expect 0 '' "$monitor" fit n3,N3,n3.cluster,n3 --server "$url" --nagios
expect 3 '' "$monitor" fit nobody --server "$url" --nagios
said_by_database() {
  "$monitor" fit 'n[1-3,9]' -d history.sqlite -o told || (($? == 7)) || return 1
  [[ $(cut -d ' ' -f 1-3 told) == "$(cut -d ' ' -f 1-3 asked)" ]]
}
eventually said_by_database

# ---- a leaf fails: the adapters behind it are no longer in the map ----
for port in 18 19 20; do printf 'Unlink "B2"[%d]\n' "$port"; done >&"$console"
eventually level_is n20 no
grep -qE '^B2 port 5: HCA-2 is no longer in the fabric, nor is its switch' <<<"$(reason_of n20)" || fail "the reason for n20 is: $(reason_of n20)"
expect_equal 'nodes behind it' "$(ask 'fit?names=n%5b16-30%5d' | jq -r .fits.no)" 15

# ---- the guard: 17 of 31 nodes are unfit, and five may be drained ----
guard() { ask fit | jq -c '[([.nodes[] | select(.drain)] | length), ([.nodes[] | select(.held_back)] | length)]'; }
expect_equal 'drained, held back' "$(guard)" '[5,12]'
ask 'events?kind=drain_held_back' | jq -e '[.events[].text | select(test("12 nodes"))] | length == 1' >null || fail "no event: $(ask events)"
check test "$(curl -s "$url/metrics" | grep -c '^pssp_node_fit{node="n[0-9]*",cause="[a-z]*"} 2$')" = 17

# ---- a daemon that is stopped, and one that has ended ----
kill -STOP "$daemon"
expect 3 'no reply within 0.5 s' "$monitor" fit n2 --server "$url" --server-timeout .5
expect 3 '' "$monitor" fit n2 --server "$url" --server-timeout .5 --nagios
check grep -q '^FIT UNKNOWN - ' stdout
kill -CONT "$daemon"
eventually level_is n2 yes
end_daemon
expect 3 'Connection refused' "$monitor" fit n2 --server "$url"

# ---- fitness persists across a restart, even for adapters that are not in the map ----
serve "$dir" admin --config serve.conf --database history.sqlite
eventually level_is n1 no
eventually level_is n20 no
expect_equal 'drained, held back after a restart' "$(guard)" '[5,12]'
grep -qE '^B2 port 5: HCA-2 is no longer in the fabric' <<<"$(reason_of n20)" || fail "the reason for n20 is: $(reason_of n20)"
end_daemon

# ---- invalid requests ----
expect 2 'is not the address of a monitor' "$monitor" fit n1 --server ftp://x/y
expect 2 '' "$monitor" fit n1 --server http://x -d history.sqlite
expect 3 '' "$monitor" fit 'n[1-' --server "$url"
expect 3 '' "$monitor" fit 'n[1-5000]' --server "$url"
expect 3 '' "$monitor" fit n1 -d serve.conf
