#!/usr/bin/env bash
# The command lines of route_lft and eval_lft: input, output and exit codes.
# shellcheck source=tests/tools/eval_lft/cli_testing.sh
. "$(dirname "$(readlink -f "$0")")/cli_testing.sh"
# Another fabric: a star of four switches with one host each, which is not a mesh.
{
  printf 'Switch\t4 "S1"\n[1]\t"H1"[1]\n[2]\t"S2"[1]\n[3]\t"S3"[1]\n[4]\t"S4"[1]\n\n'
  for i in 2 3 4; do
    printf 'Switch\t4 "S%s"\n[1]\t"S1"[%s]\n[2]\t"H%s"[1]\n\n' $i $i $i
  done
  printf 'Hca\t1 "H1"\n[1]\t"S1"[1]\n\n'
  for i in 2 3 4; do
    printf 'Hca\t1 "H%s"\n[1]\t"S%s"[2]\n\n' $i $i
  done
} >other.net

route=$bin/route_lft
eval=$bin/eval_lft

# route_lft
expect 0 '^route_lft ' "$route" --version
expect 0 'OPTIONS|Options' "$route" --help
expect 0 '^pssp: ' "$route" --list
expect 2 'engine is missing' "$route" topo.net
expect 2 'topology file is missing' "$route" --engine pssp
expect 2 'nonesuch' "$route" --engine nonesuch topo.net
expect 2 'NAME=VALUE' "$route" --engine pssp --set colour topo.net
expect 2 'colour' "$route" --engine pssp --set colour=red topo.net
expect 2 'standard output' "$route" --engine pssp --json topo.net
expect 2 '--nonesuch' "$route" --nonesuch topo.net
expect 2 '--lmc' "$route" --engine pssp --lmc 8 topo.net
expect 3 'missing.net' "$route" --engine pssp missing.net
expect 5 'S1' "$route" --engine meshdor other.net
expect 8 'nowhere' "$route" --engine pssp topo.net -o nowhere/routing.lft
expect 0 'pssp: 2 switches, 6 LIDs, edge forwarding index 2,' "$route" --engine pssp topo.net -o routing.lft
expect 0 'Unicast lids' "$route" --engine pssp topo.net
expect_same stdout routing.lft
expect 0 '"edge_forwarding_index": 2' "$route" --engine pssp topo.net --json --repeat 3 -o again.lft
expect_same again.lft routing.lft
expect 0 'pssp' "$route" --engine pssp topo.net -o lmc.lft --lmc 1 --write-topology lmc.net
expect 2 'lmc' "$route" --engine pssp lmc.net --lmc 1
expect 0 '10 LIDs' "$route" --engine pssp lmc.net -o lmc_again.lft
expect_same lmc.lft lmc_again.lft

# eval_lft
expect 0 '^eval_lft ' "$eval" --version
expect 2 'required' "$eval"
expect 2 'no topology|without its topology|topology' "$eval" routing.lft
expect 2 'without forwarding tables' "$eval" topo.net
expect 2 'both topologies' "$eval" topo.net other.net
expect 2 'standard input' "$eval" - -
expect 2 '--patterns' "$eval" routing.lft topo.net -n 0
expect 2 '--patterns' "$eval" routing.lft topo.net -n -5
expect 2 '--seed' "$eval" routing.lft topo.net --seed x
expect 2 '--threads' "$eval" routing.lft topo.net --threads 0
expect 2 'excludes' "$eval" routing.lft topo.net --no-credit-loops --require-acyclic
expect 3 'missing.lft' "$eval" missing.lft topo.net
expect 0 'Forwarding tables: usable' "$eval" topo.net routing.lft
expect 4 'S3|S4' "$eval" routing.lft other.net
expect 8 'nowhere' "$eval" routing.lft topo.net -o nowhere/report.txt
expect 0 'Forwarding tables: usable' "$eval" routing.lft topo.net -n 100
expect 0 'Forwarding tables: usable' "$eval" lmc.lft lmc.net -n 100 --require-acyclic
expect 0 '"hosts": 4,' "$eval" routing.lft topo.net -n 100 --json
cp stdout report.json
check "$eval" routing.lft topo.net -n 100 --json -o file.json
expect_same file.json report.json
for threads in 1 2 3; do
  expect 0 '"ebb"' "$eval" routing.lft topo.net -n 100 --json -j $threads
  expect_same stdout report.json
done
"$eval" - topo.net -n 100 --json <routing.lft >stdout
expect_same stdout report.json
"$eval" routing.lft - -n 100 --json <topo.net >stdout
expect_same stdout report.json

# Structured traffic.
expect 0 '^Structured traffic   S 1.00 \(shifts 1.00' "$eval" routing.lft topo.net
expect 0 '^Structured traffic   S 1.00' "$eval" routing.lft topo.net -n 10
expect 0 'Forwarding tables: usable' "$eval" routing.lft topo.net --no-structured-suite
check [ "$(grep -c Structured stdout)" -eq 0 ]
expect 0 '^Structured traffic \(4 hosts in order of their names\)' "$eval" routing.lft topo.net -n 10 --structured-suite
check grep -qE '^  leaf_pairs ' stdout
expect 0 '"host_order": "guid"' "$eval" routing.lft topo.net -n 10 --structured-suite --host-order guid --json
check jq -e '.structured_suite | .S == 1 and .score == .ebb and (.patterns[] | select(.name == "shifts") | .phases == 3 and .sampled == false and .time == 1)' stdout
printf 'H4\nH2\nH1\nH3\n' >hosts.txt
expect 0 'in the order of file:hosts.txt' "$eval" routing.lft topo.net -n 10 --structured-suite --host-order file:hosts.txt --all-phases
printf 'H4\nH2\nH1\nH9\n' >hosts.txt
expect 3 'hosts.txt:4: .H9. is not a host' "$eval" routing.lft topo.net -n 10 --structured-suite --host-order file:hosts.txt
printf 'H4\nH2\nH4\nH3\n' >hosts.txt
expect 3 'hosts.txt:3: host H4 is already named in line 1' "$eval" routing.lft topo.net -n 10 --structured-suite --host-order file:hosts.txt
printf 'H4\nH2\nH1\n' >hosts.txt
expect 3 'the file does not name host H3' "$eval" routing.lft topo.net -n 10 --structured-suite --host-order file:hosts.txt
expect 3 'missing.txt' "$eval" routing.lft topo.net -n 10 --structured-suite --host-order file:missing.txt
expect 2 'exclude each other' "$eval" routing.lft topo.net --structured-suite --no-structured-suite
expect 2 'needs --structured-suite' "$eval" routing.lft topo.net --host-order guid
expect 2 'needs --structured-suite' "$eval" routing.lft topo.net --all-phases
expect 2 'colour' "$eval" routing.lft topo.net --structured-suite --host-order colour
expect 2 '--structured-suite' "$eval" routing.lft topo.net --structured-suite --ptrn rand
expect 0 '^  shifts +3 +1.000 +1.000 +1.000$' "$eval" routing.lft topo.net -n 10 --structured-suite --compare again.lft
expect 0 '"structured_suite"' "$eval" routing.lft topo.net -n 10 --structured-suite --compare again.lft --json
check jq -e '.tables[1].structured_suite.S == 1' stdout

# The upper bound of the bandwidth.
expect 0 '^  mean  .*\(1\.000 of at most 1\.0000: ' "$eval" routing.lft topo.net --lids base --no-structured-suite -n 100
expect 0 '^  mean +[0-9.]+$' "$eval" routing.lft topo.net -n 100 --no-ceiling
expect 0 '"one_stage"' "$eval" routing.lft topo.net -n 100 --ceiling-effort 0 --json
check jq -e '.ceiling | .adaptive == null and .share > 0 and .share <= 1.1' stdout
expect 2 'excludes' "$eval" routing.lft topo.net --no-ceiling --ceiling-effort 3
# Eight hosts on two islands: the mean over all bisections is 3/7; a small sample may exceed it.
"$bin/make_topo" mesh 1x2 --hosts 4 --lids --kill-links 1 --allow-islands -o divided.net 2>/dev/null
"$bin/route_lft" divided.net -e pssp -o divided.lft 2>/dev/null
expect 0 '^  mean +0\.525.*by chance above 0\.4286, .* over all bisections: one LID per host' "$eval" divided.lft divided.net -n 20
expect 0 '^  mean +0\.42.*\((0\.99.|1\.000) of at most 0\.4286: one LID per host' "$eval" divided.lft divided.net -n 20000

# Several LIDs per host.
expect 0 'only base LIDs are scored, of up to 2 LIDs per host' "$eval" lmc.lft lmc.net -n 100
expect 0 '"lids_scored": 1' "$eval" lmc.lft lmc.net -n 100 --json
expect 0 'Forwarding tables: usable' "$eval" lmc.lft lmc.net -n 100 --lids base
check [ "$(grep -c 'LIDs are scored' stdout)" -eq 0 ]
expect 0 'striped over 2 LIDs of each host; the slowest part decides' "$eval" lmc.lft lmc.net -n 100 --lids all
expect 0 '"striping": "free"' "$eval" lmc.lft lmc.net -n 100 --lids 3 --striping free --json --structured-suite
check jq -e '.lids_scored == 2 and .structured_suite.lids_scored == 2' stdout
expect 0 'striped over 2 LIDs' "$eval" lmc.lft lmc.net --lids all --ptrn rand --num-runs 5
expect 0 'striped over 2 LIDs' "$eval" lmc.lft lmc.net -n 100 --lids all --compare lmc_again.lft
expect 2 'flows on cables are counted only for base LIDs' "$eval" lmc.lft lmc.net --lids all --ptrn rand --num-runs 5 --metric get_cable_cong
expect 2 'expected base, all' "$eval" lmc.lft lmc.net --lids 0
expect 2 'expected base, all' "$eval" lmc.lft lmc.net --lids 129
expect 2 '--striping' "$eval" lmc.lft lmc.net --striping best
expect 2 '--lids' "$eval" lmc.lft lmc.net --lids all --path H1 H2

# Broken tables: the report is complete, and the exit code is an error.
sed 's/^\(0x0*[1-6]\) 00[34]/\1 004/; s/^\(0x0*[1-6]\) 004 /\1 000 /' routing.lft >broken.lft
expect 7 'Forwarding tables: BROKEN' "$eval" broken.lft topo.net -n 100
expect 7 '"usable": false' "$eval" broken.lft topo.net -n 100 --json
expect 7 'Hops' "$eval" broken.lft topo.net -n 100

# A host without a LID is ignored, and the report says so.
check "$route" --engine pssp topo.net -o with.lft --write-topology with.net
lid=$(sed -n 's/.*"H4"\[1\].* lid \([0-9]*\).*/\1/p' with.net)
for none in 0 65535; do
  sed "s/ lid $lid\$/ lid $none/; s/ lid $lid / lid $none /" with.net >some.net
  expect 0 '3 end ports in traffic, of 4, 1 without LID \(0 of' "$eval" with.lft some.net -n 100
  check grep -q 'warning: .*1 cabled adapter port(s) without a LID' stderr
  expect 0 '"end_ports_without_lid": 1' "$eval" with.lft some.net -n 100 --json
  check grep -q '"hosts": 3,' stdout
  expect 0 '5 LIDs' "$route" --engine pssp some.net -o some.lft
  expect 0 'Forwarding tables: usable' "$eval" some.lft some.net -n 100
done
expect 0 '4 end ports in traffic, of 4 \(0 of' "$eval" with.lft with.net -n 100

# A switch without a LID is identified by its GUID.
lid=$(sed -n 's/.*"S2".* base port 0 lid \([0-9]*\).*/\1/p' with.net)
sed "s/ lid $lid\$/ lid 0/; s/ lid $lid / lid 0 /" with.net >some.net
"$eval" with.lft with.net -n 100 >whole.txt
expect 0 'Forwarding tables: usable' "$eval" with.lft some.net -n 100
expect_same stdout whole.txt
check [ "$(grep -c 'warning: .*switch(es) without a LID in the topology take the LID of the dump' stderr)" -eq 1 ]

# Broken files.
: >empty
expect 3 'empty' "$eval" empty topo.net
expect 3 'empty' "$eval" routing.lft empty
