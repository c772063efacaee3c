#!/usr/bin/env bash
# convert_fabric in a shell: round trips through every format, exit codes, no partial files.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"

PATH=$bin:$PATH
golden=$PSSP_SOURCE_DIR/tests/fabric/formats/golden
cd "$scratch"

# score TABLES TOPOLOGY FILE: writes the figures that a conversion must not change.
score() { eval_lft --json -n 500 "$1" "$2" | grep -v 'seconds\|file' >"$3"; }

make_topo mesh 4x3 --hosts 2 --ports thesis --lids=hosts-first -o mesh.net 2>/dev/null
route_lft --engine meshdor mesh.net -o mesh.lft 2>/dev/null

# Graphs: to the format and back, with and without tables.
expect 0 'with forwarding tables' convert_fabric mesh.net mesh.lft -o mesh.dot
expect 0 '24 end ports, 12 switches, 17 links' convert_fabric mesh.dot -o again.dot
expect_same mesh.dot again.dot
expect 0 'no forwarding tables' convert_fabric mesh.net -o bare.dot
expect 0 'no forwarding tables' convert_fabric bare.dot --to dot -o -
expect_same stdout bare.dot
expect 0 'with forwarding tables' convert_fabric mesh.dot -o from_dot.lft
expect 0 'with forwarding tables' convert_fabric mesh.dot -o from_dot.net
score mesh.lft mesh.net before.json
score from_dot.lft from_dot.net after.json
# The channels and their loads are the same; graphs do not contain LIDs of switches.
for key in mean stderr max deviation; do
  expect_same <(grep "\"$key\"" before.json) <(grep "\"$key\"" after.json) "$key by way of a graph"
done

# OMNeT++: to the format and back, with the files in either order.
expect 0 '24 end ports' convert_fabric mesh.net -o mesh.ned
expect 0 '24 end ports' convert_fabric mesh.lft mesh.net -o mesh.fdbs
expect 0 'with forwarding tables' convert_fabric mesh.fdbs mesh.ned -o again.fdbs
expect_same mesh.fdbs again.fdbs
expect 0 'with forwarding tables' convert_fabric mesh.ned mesh.fdbs -o from_omnet.lft
expect 0 'no forwarding' convert_fabric mesh.ned -o from_omnet.net
score from_omnet.lft from_omnet.net omnet.json
expect_same <(grep '"mean"' before.json) <(grep '"mean"' omnet.json) 'bandwidth by way of OMNeT++'

# Topologies: the link list and ibnetdiscover's output of one subnet give the same net file; a net file does not change.
expect 0 '2 switches' convert_fabric "$golden/lmc0.opensm-subnet.lst" -o list.net
expect 0 '2 switches' convert_fabric "$golden/lmc0.ibnetdiscover" -o found.net
expect_same list.net found.net
expect 0 'links' convert_fabric mesh.net -o mesh2.net
expect_same mesh.net mesh2.net

# The database of ibdiagnet gives the same fabric, also with tables, and a net file that is the same when it is read again.
expect 0 '6 end ports, 2 switches' convert_fabric "$golden/lmc2.ibdiagnet2.db_csv" -o database.net
expect 0 '6 end ports, 2 switches' convert_fabric "$golden/lmc2.ibnetdiscover" -o found2.net
expect_same database.net found2.net
expect 0 '' convert_fabric database.net -o again.net
expect_same database.net again.net
expect 0 'with forwarding tables' convert_fabric "$golden/lmc2.ibdiagnet2.db_csv" "$golden/lmc2.opensm.fdbs" -o database.lft
expect_same database.lft "$golden/lmc2.opensm-lfts.dump"
sed '/^START_LINKS/,/^END_LINKS/d' "$golden/lmc2.ibdiagnet2.db_csv" >ibdiagnet2.db_csv
expect 3 'ibdiagnet2.db_csv: section LINKS is missing: .*ibdiagnet2.ibnetdiscover of the same folder' convert_fabric ibdiagnet2.db_csv -o x.net
head -c 2000 "$golden/lmc2.ibdiagnet2.db_csv" >ibdiagnet2.db_csv
expect 3 'ibdiagnet2.db_csv:[0-9]*: .* check that the file is complete' convert_fabric ibdiagnet2.db_csv -o x.net

# Tables: every notation is converted to opensm's, with and without the topology.
for tables in opensm-lfts.dump dump_fts opensm.fdbs; do
  expect 0 'with forwarding tables' convert_fabric "$golden/lmc0.$tables" "$golden/lmc0.ibnetdiscover" -o with.lft
  expect_same with.lft "$golden/lmc0.opensm-lfts.dump"
done
expect 0 'with forwarding tables' convert_fabric "$golden/lmc2.opensm-lfts.dump" -o alone.lft
sed 's/# Router/# Channel Adapter/' "$golden/lmc2.opensm-lfts.dump" >expected.lft # a dump does not tell adapters from routers to us
expect_same alone.lft expected.lft
expect 0 'with forwarding tables' sh -c "convert_fabric - -o alone_fts.lft <'$golden/lmc2.dump_fts'"
expect_same <(sed 's/ Lid [0-9]*//' alone_fts.lft) <(sed 's/ Lid [0-9]*//' expected.lft) 'dump_fts alone'

# Failures leave no file.
expect 2 'see --help' convert_fabric mesh.net
expect 2 'is required|see --help' convert_fabric -o x.net
expect 2 'selects no output format; use --to with one of net lft dot ned fdbs' convert_fabric mesh.net -o x.txt
expect 2 "unknown output format 'foo'" convert_fabric mesh.net -o x.net --to foo
expect 2 'output format lft needs forwarding tables, but the input has none' convert_fabric mesh.net -o x.lft
expect 2 'a topology is missing' convert_fabric mesh.lft -o x.net
expect 2 'are both topologies' convert_fabric mesh.net mesh.dot -o x.net
expect 4 'name their network' convert_fabric mesh.fdbs -o x.lft
expect 4 'do not belong together' convert_fabric mesh.lft "$golden/small.net" -o x.dot
expect 3 'cannot read' convert_fabric nosuch.net -o x.dot
expect 3 'check that the file is complete' convert_fabric <(head -c 2000 mesh.dot) -o x.net
expect 8 'cannot write' convert_fabric mesh.net -o /no/such/folder/x.net
[[ -z $(ls x.* 2>/dev/null) ]] || fail "a file was left: $(ls x.*)"
expect 0 'opensm -R file' convert_fabric --list
expect 0 'convert_fabric [0-9]' convert_fabric --version
