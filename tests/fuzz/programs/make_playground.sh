#!/usr/bin/env bash
# make_playground.sh BIN_FOLDER FOLDER: creates the files that the command lines in commands.txt read: a small fabric, and the
# programs' output for it. GUIDs are shuffled, and nodes have realistic names.
set -euo pipefail
bin=$1
corpus=$(dirname "$(readlink -f "$0")")/../corpus
mkdir -p "$2"
cd "$2"

fabric() { "$bin/make_topo" xgft 3,3 1,2 --lids --shuffle-guids --seed 3 "$@" | sed -E 's/"leaf ([0-9]+) host ([0-9]+)"/"n\1\2 HCA-1"/'; }
fabric >f.net
fabric --kill-links 1 >hurt.net
"$bin/route_lft" -e pssp f.net -o t.lft
"$bin/route_lft" -e updown f.net -o u.lft
"$bin/route_lft" -e pssp hurt.net -o hurt.lft
"$bin/route_lft" -e cassp --lanes 2 f.net -o c.lft --service-levels c.sl
for kind in dot ned fdbs; do "$bin/convert_fabric" f.net t.lft -o "f.$kind"; done
"$bin/convert_fabric" f.net -o plan.csv
"$bin/plan_pairs" t.lft f.net --simulate 'leaf 1[4]=0.25' -o rates
"$bin/cc_params" print thesis-mesh >p.cc
"$bin/simulate_application" t.lft f.net -a incast,1KiB --write-goal g.goal >/dev/null
printf '%s\n' n11 n12 n21 n33 >nodes
printf '0x%s "n%d HCA-1"\n' 100007 41 100002 42 >names
sed -n 's/^switchguid=0x\([0-9a-f]*\).*/0x\1/p' f.net >switches
sed 's/$/ 0/' switches >writes
printf 'leaf 1 4\n' >links
printf '"n11 HCA-1" "n33 HCA-1"\n5 14\n' >pairs
printf '# pssp capacity 1\n%s 4 50 out\n' "$(tail -n 1 switches)" >capacities
printf 'duration 100us\nflow "n11 HCA-1" -> "n33 HCA-1" rate 50%%\nuniform random 2 seed 3 of others -> all messages 2 arrivals poisson\n' >traffic
cp "$corpus/jobs/file" jobs
cp "$corpus/pattern_file/plain" pattern
cp "$corpus/monitor_configuration/whole" monitor.conf
printf 'storage n11\ncompute n[12-13,21-23,31-33]\n' >types
