#!/usr/bin/env bash
# Tests whether an engine of OpenSM is faster than ours on any fabric. Uses 75 generated fabrics, as regular and as irregular as real ones, and
# 31 patterns.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"

usage() {
  cat <<'EOT'
usage: fabric_variety.sh --folder DIR [--engines A,B,...] [--rivals A,B,...] [--only REGEX] [--patterns N] [--list]

Routes each fabric with our engines in route_lft, and with OpenSM's engines (rivals) in the stock opensm on ibsim. Prints one line per fabric and engine
of ours: effective bisection bandwidth (eBB), S without rails, time of shifts, and, for each rival, the geometric mean over all patterns of our time
relative to the rival's time. A ratio below 1 means that our engine is faster; "-" means that the rival refuses the fabric. Then prints the 20 patterns
with the largest ratio to the fastest rival, and a summary.
The patterns are bisections, the patterns of the structured traffic suite, and patterns of eval_lft --ptrn, with hosts in the order of their names and,
for some patterns, in random order.

  --folder DIR     folder of results and of the rivals' tables, which take most of the time. The next call continues from DIR, and recomputes only
                   fabrics that make_topo generates differently
  --engines A,B    our engines (default: best)
  --rivals A,B     OpenSM's engines (default: minhop,sssp,ftree,dfsssp)
  --only REGEX     only fabrics whose specifications match REGEX
  --patterns N     number of bisections for eBB (default: 5000)
  --list           list the fabrics and end

PSSP_BUILD_DIR is the folder of the build.

Exit codes: 0 all targets reached (those in the script's table; no rival faster by more than 2 % on a fabric; at most 2 % of the patterns slower than
1.25 times the fastest rival), 1 a target missed, 2 usage, 3 opensm could not be run with the rivals; otherwise those of route_lft and eval_lft.
EOT
}

folder='' engines=best rivals=minhop,sssp,ftree,dfsssp only='' bisections=5000 list=''
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --list) list=yes && shift && continue ;;
    --folder | --engines | --rivals | --only | --patterns) (($# > 1)) || { usage >&2 && exit 2; } ;;
    *) usage >&2 && exit 2 ;;
  esac
  case $1 in
    --folder) folder=$2 ;;
    --engines) engines=$2 ;;
    --rivals) rivals=$2 ;;
    --only) only=$2 ;;
    --patterns) bisections=$2 ;;
  esac
  shift 2
done
[[ -n $folder || -n $list ]] || { usage >&2 && exit 2; }
bin=$PSSP_BUILD_DIR/bin

# fabric | minimum bandwidth | maximum S (without rails) | maximum time of shifts
fabrics() {
  cat <<'END'
chic | .738 | 1.54 | 1.001
odin | .844 | - | -
k-ary-n-tree 4 3 | .793 | 1.001 | 1.001
k-ary-n-tree 6 3
k-ary-n-tree 16 2
xgft 8,8,8 1,4,4 | .380 | 1.09 | 3.816
xgft 12,12,4 1,6,6
xgft 16,8,4 1,8,2
xgft 14,6,6 1,6,3 --parallel 2
xgft 18,36 1,18
xgft 24,20 1,16 | .663 | 1.08 | 1.99
xgft 20,18 1,16 | .728 | 1.20 | -
xgft 22,16 1,14 | - | 1.20 | -
xgft 24,24 1,12
xgft 24,24 1,11 | .544 | 1.05 | -
xgft 30,20 1,10
xgft 32,16 1,8
xgft 20,20 1,5 --parallel 4
xgft 20,10 1,4 --parallel 3
deimos
leaf-director --leafs 24 --hosts 384 --directors 2 --uplinks 4 --director-ports 144
director-chain --directors 2 --cables 30 --hosts 220 --director-ports 144
chic --permute-ports --shuffle-guids | .736 | 1.58 | 1.03
chic --permute-ports --shuffle-guids --seed 2 | .736 | 1.58 | 1.03
odin --permute-ports --shuffle-guids
xgft 8,8,8 1,4,4 --permute-ports --shuffle-guids | .380 | 1.12 | 3.82
k-ary-n-tree 4 3 --permute-ports --shuffle-guids
k-ary-n-tree 6 3 --permute-ports --shuffle-guids | .745 | 1.44 | -
xgft 24,20 1,16 --permute-ports --shuffle-guids
xgft 16,8,4 1,8,2 --permute-ports --shuffle-guids
deimos --permute-ports --shuffle-guids
chic --kill-links 20 | .721 | 1.40 | -
chic --kill-links 60 --seed 5
chic --kill-links 20 --permute-ports --shuffle-guids | .720 | 1.32 | 2.06
chic --kill-switches 4 | .687 | 1.44 | -
chic --kill-switches 4 --permute-ports --shuffle-guids --seed 2
xgft 8,8,8 1,4,4 --kill-links 20
xgft 8,8,8 1,4,4 --kill-switches 3
xgft 8,8,8 1,4,4 --kill-links 20 --permute-ports --shuffle-guids
k-ary-n-tree 6 3 --kill-links 20 --permute-ports --shuffle-guids
k-ary-n-tree 4 3 --kill-switches 2
xgft 16,8,4 1,4,8 --kill-switches 3 | .333 | 1.16 | -
xgft 24,20 1,16 --kill-links 12
xgft 24,24 1,12 --kill-links 10 --permute-ports --shuffle-guids
deimos --kill-links 20
xgft 20,18 1,16 --kill-switches 2 --shuffle-guids
xgft 20,20 1,5 --parallel 4 --kill-links 15
xgft 32,16 1,8 --servers 1 | .388 | 1.37 | 4.96
xgft 24,24 1,12 --servers 1
xgft 18,20 1,18 --servers 2
chic --servers 1 --permute-ports --shuffle-guids
xgft 24,20 1,16 --uneven-hosts 8
xgft 20,18 1,16 --uneven-hosts 4 --permute-ports --shuffle-guids
xgft 8,8,8 1,4,4 --uneven-hosts 3
xgft 24,24 1,12 --absent-hosts 60 --shuffle-guids
chic --absent-hosts 40 --permute-ports
xgft 24,20 1,16 --half-spines 4
xgft 20,18 1,12 --half-spines 3 --permute-ports --shuffle-guids
xgft 8,8,8 1,4,4 --half-spines 4
xgft 20,16 1,12 --rate 4xHDR --mixed-rate 4xEDR
joined-trees --leafs 16,6 --hosts 18 --spines 8 --cables 12 | .436 | 1.58 | -
joined-trees --leafs 10,10 --hosts 20 --spines 10 --cables 20 --permute-ports --shuffle-guids
mesh 5x5 --hosts 4
mesh 4x4x4 --hosts 2
mesh 6x6 --hosts 4 --kill-links 4
torus 6x6x4
torus 8x8 --hosts 4 --kill-switches 2 --permute-ports --shuffle-guids
hypercube 6 --hosts 2
hypercube 6 --hosts 2 --kill-links 9
hyperx 6x6 --hosts 6
full-mesh 16 --hosts 8
random-regular 64 --degree 8 --hosts 8
random-regular 40 --degree 6 --hosts 6 --seed 3
dragonfly --switches 4 --global-links 2 --hosts 2
dragonfly --switches 6 --global-links 3 --hosts 3
END
}

# Patterns whose ranks follow the order of host names, and patterns with 50 random orders of the hosts.
readonly patterns_in_order=(bisect bisect_fb_sym tree bruck recdbl neighbor2d 2neighbor 4neighbor 6neighbor pairwise tornado complement pipeline all_to_all)
readonly patterns_at_random=(rand bruck neighbor2d)

# order_of_hosts TOPOLOGY: prints the port GUIDs of the connected hosts, sorted by their descriptions.
order_of_hosts() {
  sed -nE 's/^\[[0-9]+\]\t"[^S][^"]*"\[1\]\(([0-9a-f]+)\).*# "([^"]*)".*/\2\t0x\1/p' "$1" | LC_ALL=C sort -V -t $'\t' -k 1,1 | cut -f 2
}

# simulate PATTERN OPTION...: evaluates a pattern for $tables of $topology and appends the report.
simulate() { "$bin/eval_lft" --json --ptrn "$1" --metric sum_max_cong "${@:2}" "$tables" "$topology" >>"$scratch/reports.json"; }

# measure TABLES TOPOLOGY: prints name and value of each figure and each pattern, one per line. Status 7: some pairs of hosts have
# no path.
measure() {
  local tables=$1 topology=$2 pattern hosts ranks
  "$bin/eval_lft" -n "$bisections" --structured-suite --json --no-ceiling --no-credit-loops "$tables" "$topology" >"$scratch/reports.json" 2>"$scratch/eval.err" ||
    return
  order_of_hosts "$topology" >"$scratch/order"
  hosts=$(wc -l <"$scratch/order")
  for pattern in "${patterns_in_order[@]}"; do
    ranks=$hosts
    if [[ $pattern == complement ]]; then # of powers of two only
      for ((ranks = 1; 2 * ranks <= hosts; )); do ranks=$((2 * ranks)); done
    fi
    head -n "$ranks" "$scratch/order" >"$scratch/ranks"
    simulate "$pattern" --commsize "$ranks" --node-ordering-file "$scratch/ranks" --no-shuffle --num-runs 1 || return
  done
  for pattern in "${patterns_at_random[@]}"; do
    simulate "$pattern" --num-runs 50 || return
  done
  jq -r 'if .pattern then [.pattern + (if .runs > 1 then ", random" else "" end), .sum_max_cong.mean]
    else ["=bandwidth", .ebb.mean], ["=S", .structured_suite.S_without_rails], ["bisections", 1 / .ebb.mean], (.structured_suite.patterns[] | [.name, .time])
    end | @tsv' "$scratch/reports.json"
}

# run_rivals TOPOLOGY PLACE: writes the tables of OpenSM's engines to PLACE/ENGINE/routing.lft, if the engine routes the fabric.
run_rivals() {
  local status=0
  "$bin/compare_engines" "$1" --engines "$rivals" --patterns 100 --out "$2" >/dev/null 2>"$scratch/rivals.err" || status=$?
  # Status 5: no engine routes the fabric.
  if ((status != 0 && status != 5)); then
    cat "$scratch/rivals.err" >&2
    exit 3
  fi
  find "$2" -type f ! -name routing.lft ! -name report.txt -delete # logs and dumps are many times as large
}

# under FABRIC ENGINE: prefixes the measurements on standard input with fabric and engine.
under() { awk -F '\t' -v OFS='\t' -v fabric="$1" -v engine="$2" '{ print fabric, engine, $1, $2 }'; }

# take FABRIC BANDWIDTH S SHIFTS: prints all lines of a fabric. The first three are the limits; "-" or empty: no limit.
take() {
  local place rival engine words status
  place=$folder/$(tr -c 'A-Za-z0-9\n.-' _ <<<"$1")
  printf '%s\t*\t%s\t%s\n' "$1" =bandwidth "${2:--}" "$1" =S "${3:--}" "$1" shifts "${4:--}"
  read -ra words <<<"$1"
  mkdir -p "$place"
  make_fabric "$scratch/fabric.net" "${words[@]}" --lids
  if ! cmp -s "$scratch/fabric.net" "$place/fabric.net" || [[ $(cat "$place/rivals" 2>/dev/null) != "$rivals" ]]; then
    rm -rf "${place:?}"/{rivals,tables,*.tsv}
    cp "$scratch/fabric.net" "$place/fabric.net"
    run_rivals "$place/fabric.net" "$place/tables"
    echo "$rivals" >"$place/rivals"
  fi
  for rival in ${rivals//,/ }; do
    [[ -s $place/tables/$rival/routing.lft ]] || continue
    # Measure again if eval_lft is newer than the results, or the number of bisections differs.
    if [[ ! $place/$rival-$bisections.tsv -nt $bin/eval_lft ]]; then
      status=0
      measure "$place/tables/$rival/routing.lft" "$place/fabric.net" >"$scratch/measured.tsv" || status=$?
      ((status != 7)) || continue
      ((status == 0)) || exit
      mv "$scratch/measured.tsv" "$place/$rival-$bisections.tsv"
    fi
    under "$1" "$rival" <"$place/$rival-$bisections.tsv"
  done
  for engine in ${engines//,/ }; do
    status=0
    "$bin/route_lft" -e "$engine" --no-credit-loops "$place/fabric.net" -o "$scratch/routing.lft" 2>"$scratch/route.err" || status=$?
    if ((status == 5)); then
      printf '%s\t%s\t=refused\t1\n' "$1" "$engine"
    elif ((status == 0)); then
      measure "$scratch/routing.lft" "$place/fabric.net" | under "$1" "$engine"
    else
      cat "$scratch/route.err" >&2
      exit "$status"
    fi
  done
}

mapfile -t chosen < <(fabrics | sed 's/ *| */|/g' | only=$only awk -F '|' '$1 ~ ENVIRON["only"]')
((${#chosen[@]} > 0)) || {
  echo "fabric_variety.sh: no fabric matches '$only'" >&2
  exit 2
}
if [[ -n $list ]]; then
  printf '%s\n' "${chosen[@]%%|*}"
  exit
fi
number=0
for line in "${chosen[@]}"; do
  IFS='|' read -r name least slowdown shifts <<<"$line"
  number=$((number + 1))
  printf '%d of %d: %s\n' "$number" "${#chosen[@]}" "$name" >&2
  take "$name" "$least" "$slowdown" "$shifts" >>"$scratch/all.tsv"
done
awk -F '\t' -v OFS='\t' -v engines="$engines" -v rivals="$rivals" -f "$benchmarks_dir/fabric_variety.awk" "$scratch/all.tsv"
