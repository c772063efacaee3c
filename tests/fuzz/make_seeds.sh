#!/usr/bin/env bash
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: make_seeds.sh BIN_FOLDER OUT_FOLDER

Writes the initial inputs of every fuzz target to OUT_FOLDER/TARGET/, and the
words of these inputs to OUT_FOLDER/TARGET.dict. The inputs are output of the
tools in BIN_FOLDER, samples of the tests, past findings, and parts of the saved
real fabrics in the folder PSSP_FABRICS_DIR (default: shared/fabrics beside the
repository), if it exists.
USAGE
}

if (($# != 2)); then
  usage >&2
  exit 2
fi
bin=$1
out=$2
here=$(dirname "$(readlink -f "$0")")
samples=$here/../fabric/formats
fabrics=${PSSP_FABRICS_DIR:-$here/../../../shared/fabrics}
border='---- second file ----'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# seed TARGET NAME: stores standard input as a seed.
seed() {
  mkdir -p "$out/$1"
  cat >"$out/$1/$2"
}

# seed_lines TARGET NAME LINE...: stores each line as a separate seed.
seed_lines() {
  local target=$1 name=$2 number=0 line
  shift 2
  for line; do
    number=$((number + 1))
    printf '%s\n' "$line" | seed "$target" "$name-$number"
  done
}

# Topologies with tables in every notation that the tools write. The first one is the same as sample_fabric() in fuzzing.cpp.
make_fabrics() {
  local specification number=0 to
  local -a words
  for specification in 'mesh 3x2 --hosts 2 --lmc 1' 'k-ary-n-tree 2 2' 'torus 3x3 --lids --rate 4xQDR' \
    'random-regular 6 --degree 3 --hosts 2 --shuffle-guids --lmc 2' 'mesh 4x4 --kill-links 6 --kill-switches 2 --allow-islands --lids'; do
    read -ra words <<<"$specification"
    "$bin/make_topo" "${words[@]}" -o "$scratch/$number.net" 2>/dev/null
    "$bin/route_lft" --engine pssp --no-credit-loops "$scratch/$number.net" -o "$scratch/$number.lft" --write-topology "$scratch/$number.lids.net" >/dev/null 2>&1
    for to in dot ned fdbs; do
      "$bin/convert_fabric" "$scratch/$number.lids.net" "$scratch/$number.lft" -o "$scratch/$number.$to" 2>/dev/null
    done
    "$bin/convert_fabric" "$scratch/$number.lids.net" -o "$scratch/$number.bare.dot" 2>/dev/null
    "$bin/convert_fabric" "$scratch/$number.lids.net" -o "$scratch/$number.csv" 2>/dev/null
    number=$((number + 1))
  done
}

seed_topologies() {
  local file
  for file in "$scratch"/*.net "$samples"/golden/*.{net,ibnetdiscover} "$samples"/bad_inputs/topology/*; do
    seed topology "${file##*/}" <"$file"
  done
  for file in "$fabrics"/*.ibnetdiscover; do
    [[ -e $file ]] || continue
    head -c 12000 "$file" | seed topology "${file##*/}-head"
    tail -c 12000 "$file" | seed topology "${file##*/}-tail"
  done
  for file in "$samples"/golden/*.lst; do
    seed subnet_list "${file##*/}" <"$file"
    head -n 2 "$file" | seed subnet_list "${file##*/}-head"
  done
  for file in "$samples"/golden/*.db_csv "$samples"/other_commands/db_csv.txt; do
    seed ibdiagnet_database "${file##*/}" <"$file"
    seed saved_counters "${file##*/}" <"$file"
  done
  for file in "$samples"/ufm/*.json; do seed ufm_answers "${file##*/}" <"$file"; done
  { cat "$samples/ufm/links.json"; echo "$border"; cat "$samples/ufm/ports.json"; } | seed ufm_answers 'links-ports'
}

seed_tables() {
  local file
  for file in "$scratch"/*.lft "$samples"/golden/*{dump,fdbs,dump_fts}* "$samples"/bad_inputs/tables/*; do
    seed lft "${file##*/}" <"$file"
  done
  for file in "$scratch"/*.csv; do seed cable_list "${file##*/}" <"$file"; done
  for file in "$scratch"/*.dot; do seed dot "${file##*/}" <"$file"; done
  for file in "$scratch"/*.ned; do seed omnet_network "${file##*/}" <"$file"; done
  for file in "$scratch"/*.fdbs; do seed omnet_tables "${file##*/}" <"$file"; done
}

# Pairs of files, and files of each kind alone.
seed_pairs_of_files() {
  local number
  for number in 0 1 2; do
    { cat "$scratch/$number.lids.net"; echo "$border"; cat "$scratch/$number.lft"; } | seed fabric_input "net-lft-$number"
    { cat "$scratch/$number.fdbs"; echo "$border"; cat "$scratch/$number.ned"; } | seed fabric_input "fdbs-ned-$number"
    seed fabric_input "dot-$number" <"$scratch/$number.dot"
    { cat "$scratch/$number.bare.dot"; echo "$border"; cat "$scratch/$number.lft"; } | seed fabric_input "dot-lft-$number"
  done
  { cat "$samples/golden/lmc0.opensm-subnet.lst"; echo "$border"; cat "$samples/golden/lmc0.dump_fts"; } | seed fabric_input 'lst-fts'
  { cat "$samples/golden/lmc2.ibdiagnet2.db_csv"; echo "$border"; cat "$samples/golden/lmc2.opensm.fdbs"; } | seed fabric_input 'db_csv-fdbs'
  { cat "$samples/golden/lmc0.ibnetdiscover"; echo "$border"; cat "$samples/golden/lmc0.opensm.fdbs"; } | seed fabric_input 'ibnetdiscover-fdbs'
  mkdir -p "$scratch/folder"
  cp "$samples/golden/lmc0.ibnetdiscover" "$scratch/folder/x.ibnetdiscover"
  cp "$samples/golden/lmc0.opensm.fdbs" "$scratch/folder/x.fdbs"
  tar -C "$scratch" -cf - folder | seed fabric_input 'tar'
  tar -C "$scratch" -czf - folder | seed fabric_input 'tar-gzip'
}

# Files that are read together with the sample fabric.
seed_by_fabric() {
  local net=$scratch/0.lids.net switches hosts guids guid levels
  mapfile -t switches < <(sed -n 's/^Switch[[:space:]].*"\([^"]*\)".*/\1/p' "$net" | sort -u)
  mapfile -t hosts < <(sed -n 's/^\(Ca\|Hca\)[[:space:]].*"\([^"]*\)".*/\2/p' "$net" | sort -u)
  mapfile -t guids < <(sed -n 's/^switchguid=0x\([0-9a-f]*\).*/\1/p' "$net" | sort -u)
  local highest
  highest=$(sed -n 's/^Unicast lids \[[0-9]*-\([0-9]*\)\].*/\1/p' "$scratch/0.lft" | sort -n | tail -n 1)

  printf -v levels "%${highest}s" ''
  {
    echo "service-levels max-lid $highest"
    for guid in "${guids[@]}"; do printf '0x%s .%s\n' "$guid" "${levels// /0}"; done
    echo "${#guids[@]} switches"
  } | seed service_levels zero
  sed 's/ \.000/ ..1/' "$out/service_levels/zero" | seed service_levels mixed

  local x=0
  {
    printf '# places\ndimensions 3 2\n'
    for guid in "${guids[@]}"; do
      printf '0x%s %d %d\n' "$guid" $((x % 3)) $((x / 3))
      x=$((x + 1))
    done
  } | seed coordinates by-guid
  x=0
  for switch in "${switches[@]}"; do
    printf '"%s" %d %d\n' "$switch" $((x % 3)) $((x / 3))
    x=$((x + 1))
  done | seed coordinates by-name

  printf '%s\n' '# first ranks' "${hosts[@]}" | seed node_ordering names
  printf '"%s" # a rank\n' "${hosts[@]}" | seed node_ordering quoted
  sed -n 's/^caguid=\(0x[0-9a-f]*\).*/\1 host/p' "$net" | seed node_ordering guids
  printf '"%s" "%s"\n' "${hosts[0]}" "${hosts[1]}" "name:${hosts[2]}" lid:0x7 "${switches[0]}" "${hosts[3]}" | seed pairs names
  printf '%s %s\n' guid:0x100001 5 0x100003 lid:9 '# all by number' '' | seed pairs numbers
  printf '%s\n' 'duration 100ms ; sample 5ms ; warmup 0ms ; message 12 packets ; packet 2176B' "flow \"${hosts[0]}\" -> \"${hosts[1]}\" start 1us stop 2ms rate 50% sl 2 label x" \
    'victim lid 1 -> guid 0x100003 bytes 1MiB on 1us off 2us' 'uniform random 2 seed 3 of others -> all messages 2 arrivals poisson' \
    'pattern shift:1 bytes 64KiB among {H*, all} order lid' 'trace FILE' 'model root any ; model cct linear 14' 'expect throughput 19.8GB/s within 8%' \
    "$border" "1us \"${hosts[0]}\" \"${hosts[2]}\" 4KiB 1" | seed traffic statements
}

seed_small_languages() {
  "$bin/cc_params" print thesis-mesh | seed congestion_parameters thesis
  "$bin/cc_params" print off | seed congestion_parameters off
  seed_lines host_list list 'n[1-3,07-09],gpu[1-2]x[0-3]' 'n1,n2-ib,n[098-102]' '[1-2]'
  seed_lines http_request line 'GET /api/v1/ports?limit=3&sort=name&fields=rates&state=active' 'HEAD /metrics?all=1&select=switch,own' \
    'GET /api/v1/ports/0x0000000000200000/1/history?since=0&until=1700000000000&points=10&counters=transmit_bytes' \
    'GET /api/v1/topology?group=leaf' 'GET /api/v1/events?kind=wrong_node&after=7' 'GET http://localhost/api/v1/nodes?name=n%20x&kind=switch' \
    'GET /api/v1/stream?topics=sweep,events,ports:0x200000:1' 'GET /healthz' 'POST /'
  seed_lines option_values value 12 0x1E 128B 250us 1.5ms 300ns 0:12 1.5 20us host,switch,port0,5,1-4 none all 0,1,4-7 \
    victim_mask,credit_mask,threshold sl qp linear exponential 2048 4xQDR 12xFDR10 1xSDR 8xNDR '27.4%:0.374,4.6%:0.574' \
    '27.4%:neighbor:6,4.6%:tree' shift:3 neighbor:6 neighbor2d:4x4 recvs_all_src:4,0.5,0.1,linear recvs_one_src:2 \
    ptrnvsptrn:tree::neighbor:6 bisect rand bruck dissemination gather scatter ring pipeline recdbl pairwise shifts:2 bitrev \
    transpose tornado alltoall bisect_fb_sym
  seed_lines plugin_options line 'max_extra_hops=1 credit_loop_check=off' 'pssp.max_extra_hops=0,p2ssp.start=diagonal rip_up=3' \
    'congestion_control=thesis-mesh' 'cassp.objective=index slack=100 passes=3 noisy_passes=10 work=5 seed=7' \
    'meshdor.dimension_order=2-0-1 start=scattered' 'meshdor.coordinates=FILE'
}

# Writes the words of the seeds as dictionaries of libFuzzer.
write_dictionaries() {
  local target
  for target in "$out"/*/; do
    target=${target%/}
    cat "$target"/* | LC_ALL=C grep -aoE '[A-Za-z_.]{3,20}[:=]?|[][(){}|:=,;]|-->|->|0x' | LC_ALL=C sort | uniq -c | sort -rn |
      awk 'NR <= 200 {printf "\"%s\"\n", $2}' >"$target.dict"
  done
}

mkdir -p "$out"
make_fabrics
seed_topologies
seed_tables
seed_pairs_of_files
seed_by_fabric
seed_small_languages
for folder in "$here"/corpus/*/; do
  [[ -d $folder ]] || continue
  mkdir -p "$out/$(basename "$folder")"
  cp "$folder"* "$out/$(basename "$folder")"
done
write_dictionaries
