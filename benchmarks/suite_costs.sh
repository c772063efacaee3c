#!/usr/bin/env bash
# Compares the processor time and memory of structured traffic, heal, best, ceilings and fault_impact with limits.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: suite_costs.sh [--bin DIR] [--before DIR] [--fabrics DIR] [--runs N] [--large] [--only TEXT]

Prints one line per figure: name, measured value, limit, unit, and `missed` if the value exceeds the limit. Times are seconds of processor time (user
and system, all threads), the minimum over N runs, because other load on the machine can only increase them. The cost of the other work of a program is
measured in the same way and subtracted.

  --bin DIR      folder of the programs (default: build/bin beside this script's folder)
  --before DIR   programs of another build, which run alternately with these; compares the times of best as ratios
  --fabrics DIR  folder of the saved real fabric hdr-666-switches.ibnetdiscover, which is skipped without this option
  --runs N       number of runs (default: 3)
  --large        also measure the full LID space (takes minutes, and with --before gigabytes of memory)
  --only TEXT    only figures whose names contain TEXT

Exit codes: 0 no limit exceeded, 1 a limit exceeded, 2 usage.
EOT
}

here=$(dirname "$(readlink -f "$0")")
bin=$here/../build/bin before='' fabrics='' runs=3 large='' only=''
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --bin) bin=$2 && shift 2 ;;
    --before) before=$2 && shift 2 ;;
    --fabrics) fabrics=$2 && shift 2 ;;
    --runs) runs=$2 && shift 2 ;;
    --large) large=yes && shift ;;
    --only) only=$2 && shift 2 ;;
    *) usage >&2 && exit 2 ;;
  esac
done
[[ -x $bin/route_lft && -x $bin/eval_lft && -x $bin/make_topo && -x /usr/bin/time ]] || { usage >&2 && exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# least COMMAND...: prints the seconds of processor time and KiB of memory of a command, each the minimum over the runs.
least() {
  local run
  for ((run = 0; run < runs; ++run)); do
    /usr/bin/time --quiet -o time -f '%U %S %M' "$@" >out 2>err || true
    cat time
  done | awk '{ s = $1 + $2 } NR == 1 || s < least { least = s } NR == 1 || $3 < kib { kib = $3 } END { print least, kib }'
}

missed=0
# wanted NAME: succeeds if the figure is selected by --only.
wanted() { [[ $1 == *"$only"* ]]; }
# evaluate NAME VALUE LIMIT UNIT: prints the figure, and notes if it exceeds the limit.
evaluate() {
  local verdict=''
  awk -v value="$2" -v limit="$3" 'BEGIN { exit !(value <= limit) }' || verdict=missed
  [[ -z $verdict ]] || missed=1
  printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$verdict"
}
# minus A B [PARTS]: prints (A - B) / PARTS, at least 0.
minus() { awk -v a="$1" -v b="$2" -v by="${3:-1}" 'BEGIN { d = (a - b) / by; printf "%.3f", d < 0 ? 0 : d }'; }
# over A B: prints A / B.
over() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 0) }'; }

# topology NAME SPEC...: writes NAME.net.
topology() { "$bin/make_topo" "${@:2}" --lids -o "$1.net" 2>/dev/null; }
# route NAME ENGINE [OPTION...]: writes NAME.lft.
route() { "$bin/route_lft" -e "$2" "${@:3}" --no-credit-loops "$1.net" -o "$1.lft" 2>/dev/null; }

printf 'figure\tmeasured\tlimit\tunit\tmissed\n'
topology chic chic && route chic pssp
topology large thunderbird && route large pssp

# report FABRIC NAME LIMIT MEMORY OPTION...: measures the part of eval_lft's report that the options enable.
report() {
  wanted "$2" || return 0
  local with without
  read -r -a with < <(least "$bin/eval_lft" "$1.lft" "$1.net" -n 10 --no-credit-loops "${@:5}")
  read -r -a without < <(least "$bin/eval_lft" "$1.lft" "$1.net" -n 10 --no-credit-loops --no-structured-suite --no-ceiling)
  evaluate "$2" "$(minus "${with[0]}" "${without[0]}")" "$3" s
  [[ $4 == - ]] || evaluate "$2, memory" "$(minus "${with[1]}" "${without[1]}" 1024)" "$4" MiB
}
report chic 'structured suite of 528 hosts, all phases' 0.5 - --structured-suite --no-ceiling
report large 'structured suite of 4390 hosts, sampled' 3 200 --structured-suite --no-ceiling
report chic 'ceilings, 528 hosts' 1 - --no-structured-suite

# repairs NAME LIMIT COMPLETE SPEC...: measures the time of heal minus the time to route the complete tree.
repairs() {
  wanted "$1" || return 0
  topology hole "${@:4}"
  local with without
  read -r -a with < <(least "$bin/route_lft" -e heal --no-credit-loops --repeat 5 hole.net -o hole.lft)
  read -r -a without < <(least "$bin/route_lft" -e pssp --no-credit-loops --repeat 5 "$3" -o whole.lft)
  evaluate "$1" "$(minus "${with[0]}" "${without[0]}" 5)" "$2" s
}
repairs 'heal of chic without 20 links, beyond the complete tree' 0.05 chic.net chic --kill-links 20
repairs 'heal of thunderbird without 100 links, beyond the complete tree' 3 large.net thunderbird --kill-links 100 --seed 3

# local_search NAME LIMIT FABRIC: measures one pass with shifts, from the difference of two runs divided by the number of passes.
local_search() {
  wanted "$1" || return 0
  local with without passes=4
  local engine=(-e cassp --set cassp.noisy_passes=0 --set cassp.passes=1 --no-credit-loops)
  read -r -a with < <(least "$bin/route_lft" "${engine[@]}" --set cassp.structured_weight=100 "$3" -o descent.lft)
  read -r -a without < <(least "$bin/route_lft" "${engine[@]}" "$3" -o descent.lft)
  evaluate "$1" "$(minus "${with[0]}" "${without[0]}" $passes)" "$2" s
}
local_search 'cassp with structured_weight, a pass, 528 hosts' 0.1 chic.net
local_search 'cassp with structured_weight, a pass, 4390 hosts' 4 large.net

# against NAME LIMIT ENGINE REPEAT FABRIC: compares with the time of the other build.
against() {
  wanted "$1" || return 0
  local ours theirs
  read -r -a ours < <(least "$bin/route_lft" -e "$3" --no-credit-loops --repeat "$4" "$5" -o now.lft)
  read -r -a theirs < <(least "$before/route_lft" -e "$3" --no-credit-loops --repeat "$4" "$5" -o then.lft)
  evaluate "$1" "$(over "${ours[0]}" "${theirs[0]}")" "$2" times
}
if [[ -n $before ]]; then
  while IFS='|' read -r limit words; do
    read -r -a spec <<<"$words"
    name="best on ${spec[*]}, relative to --before"
    wanted "$name" || continue
    topology ratio "${spec[@]}"
    against "$name" "${limit// /}" best 5 ratio.net
  done <<'END'
2 | deimos
2 | chic --kill-links 20
2 | torus 6x6x4
2 | mesh 4x4x4 --hosts 2
2 | random-regular 64 --degree 8 --hosts 8
2 | dragonfly --switches 4 --global-links 2 --hosts 2
1.3 | chic
1.3 | odin
1.3 | k-ary-n-tree 4 3
1.3 | xgft 8,8,8 1,4,4
END
fi

# absolute NAME LIMIT FABRIC: measures best on fabrics with thousands of hosts.
absolute() {
  wanted "$1" || return 0
  local figures
  read -r -a figures < <(least "$bin/route_lft" -e best --no-credit-loops "$3" -o absolute.lft)
  evaluate "$1" "${figures[0]}" "$2" s
}
absolute 'best on thunderbird' 15 large.net
[[ -n $fabrics ]] && absolute 'best on 666 HDR switches' 15 "$fabrics/hdr-666-switches.ibnetdiscover"

if wanted 'fault_impact of chic, all links'; then
  read -r -a figures < <(runs=1 least "$bin/fault_impact" chic.lft chic.net -o faults.txt)
  evaluate 'fault_impact of chic, all links, two cores' "$(minus "${figures[0]}" 0 2)" 60 s
fi

if [[ -n $large ]]; then
  topology full xgft 36,36,36 1,18,18
  read -r -a figures < <(runs=1 least "$bin/route_lft" -e best --no-credit-loops full.net -o full.lft)
  evaluate 'best on the full LID space, memory' "$(minus "${figures[1]}" 0 1024)" 1024 MiB
  if [[ -n $before ]]; then
    runs=1 against 'pssp on the full LID space, relative to --before' 0.2 pssp 5 full.net
    runs=1 against 'best on the full LID space, relative to --before' 0.333 best 1 full.net
  fi
  topology full xgft 36,36,36 1,18,18 --kill-links 100
  read -r -a figures < <(runs=1 least "$bin/route_lft" -e pssp --lanes 8 full.net -o /dev/null --service-levels full.sl)
  evaluate 'lanes on the damaged full LID space' "${figures[0]}" 20 s
  evaluate 'lanes on the damaged full LID space, memory' "$(minus "${figures[1]}" 0 1024)" 2048 MiB
fi
exit $missed
