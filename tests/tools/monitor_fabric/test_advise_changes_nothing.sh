#!/usr/bin/env bash
# Advice reads a database and nothing else. In a live fabric with opensm and the daemon, a relay records every MAD. The daemon sends only
# Gets while it computes advice, the command sends no MAD, and database and tables are byte for byte the same afterwards.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl
[[ -x $PSSP_BUILD_DIR/tests/mad_recorder ]] || skip 'mad_recorder is not built'

make_tree 3 2 2 1 >tree.net
dir=$scratch/fabric
simulate "$dir" "$scratch/tree.net"
start_opensm "$dir" minhop
# opensm is connected to ibsim itself, later clients to the relay.
record "$scratch/mads" --json --timeout 100
in_fabric "$dir" H1 dump_fts >before.lft
dumped=$(wc -l <mads)

# ---- the daemon computes advice on request ----
printf '[sweep]\ninterval_s = 1\n[server]\nlisten = 127.0.0.1:0\n' >serve.conf
serve "$dir" H0 --config serve.conf --database history.sqlite
# The second sweep is the first one with rates; tables are read shortly after the first sweep.
has_swept() { "$monitor" advise -d history.sqlite --engines updown --bisections 30 -o first 2>null; }
eventually has_swept
guid=$(ask 'nodes?name=L0' | jq -r '.nodes[0].guid')
ask "advice?engines=pssp&channel=$guid:3" >answer
has_advice() { ask advice >answer && jq -e '.running == false and .advice != null' answer >null; }
eventually has_advice
check jq -e '.problem == null and .advice.proposals[0].tables == "pssp" and (.advice.channel.name | startswith("L0 port 3 -> "))' answer >null

# ---- the command, beside the daemon and after it ----
expect 0 '' in_fabric "$dir" H1 "$monitor" advise -d history.sqlite --engines pssp,cassp --bisections 30 --channel 'L0[3]'
end_daemon
check test "$(wc -l <mads)" -gt "$((dumped + 50))"
expect_equal 'MADs of the daemon that are not a Get' "$(jq -c 'select(.method != 1)' mads | wc -l)" 0
cp mads mads_before
cp history.sqlite history_before
expect 0 '' in_fabric "$dir" H1 "$monitor" advise -d history.sqlite --engines pssp,cassp --bisections 30 --channel 'L0 port 3'
expect_same mads_before mads
expect_same history_before history.sqlite
[[ ! -s history.sqlite-wal ]] || fail 'advice wrote to the database'
in_fabric "$dir" H1 dump_fts >after.lft
same_entries before.lft after.lft
