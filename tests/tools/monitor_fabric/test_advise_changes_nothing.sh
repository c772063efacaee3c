#!/usr/bin/env bash
# Advice looks at a database and at nothing else: beside a live fabric with opensm and the daemon a relay writes down every MAD. What the
# daemon sends while it advises is Get alone, the command sends none, and database and tables are the same bytes afterwards.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl
[[ -x $PSSP_BUILD_DIR/tests/mad_recorder ]] || skip 'mad_recorder is not built'

make_tree 3 2 2 1 >tree.net
dir=$scratch/fabric
simulate "$dir" "$scratch/tree.net"
start_opensm "$dir" minhop
# opensm talks to ibsim itself, whoever comes now to the relay.
record "$scratch/mads" --json --timeout 100
in_fabric "$dir" H1 dump_fts >before.lft
dumped=$(wc -l <mads)

# ---- the daemon advises, as it is asked to ----
printf '[sweep]\ninterval_s = 1\n[server]\nlisten = 127.0.0.1:0\n' >serve.conf
serve "$dir" H0 --config serve.conf --database history.sqlite
# The second sweep is the first with rates; tables come a moment after the first one.
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
expect_equal 'MADs of the daemon that are no Get' "$(jq -c 'select(.method != 1)' mads | wc -l)" 0
cp mads mads_before
cp history.sqlite history_before
expect 0 '' in_fabric "$dir" H1 "$monitor" advise -d history.sqlite --engines pssp,cassp --bisections 30 --channel 'L0 port 3'
expect_same mads_before mads
expect_same history_before history.sqlite
[[ ! -s history.sqlite-wal ]] || fail 'advice wrote to the database'
in_fabric "$dir" H1 dump_fts >after.lft
same_entries before.lft after.lft
