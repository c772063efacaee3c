#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=tests/campaign/resweep.sh
. "$(dirname "$(readlink -f "$0")")/resweep.sh"

usage() {
  cat <<'EOF2'
usage: memory.sh --topo FILE [options]

Measures whether opensm's memory grows from sweep to sweep. For each engine,
one opensm does heavy sweeps of a fabric that ibsim simulates, and the script
reads its resident memory from the kernel. The fabric does not change, unless
--faults is given: then one link fails or returns before each sweep.

  --topo FILE        ibnetdiscover output or an ibsim net file
  --engine NAME      engine; may be repeated (default: minhop of opensm, and
                     pssp)
  --sweeps N         heavy sweeps with each engine (default: 100)
  --faults N         links between switches that may be down at a time
                     (default: 0)
  --seed S           seed of the failing links (default: 1)
  --growth PERCENT   largest allowed growth after the first tenth of the sweeps
                     (default: 2)
  --set NAME=VALUE   option for our engines; may be repeated
  --out DIR          folder of logs and memory.json (default: a new folder in
                     ./out)
  -h, --help         print this text

Exit codes: 0 the memory does not grow by more than PERCENT, 1 it does, 2 usage,
3 unreadable topology, 8 DIR cannot be written, 20 a tool is missing, 21 ibsim or
opensm failed.
EOF2
}

parse_arguments() {
  topology='' engines=() sweeps=100 faults=0 seed=1 growth=2 plugin_options='' out=''
  local value
  while (($# > 0)); do
    case $1 in
      -h | --help)
        usage
        exit 0
        ;;
      --topo | --engine | --sweeps | --faults | --seed | --growth | --set | --out) value=$(option_value "$1" $# "${2:-}") ;;
      *) die "$exit_usage" "unknown argument '$1'; see --help" ;;
    esac
    case $1 in
      --topo) topology=$value ;;
      --engine) engines+=("$value") ;;
      --sweeps) sweeps=$value ;;
      --faults) faults=$value ;;
      --seed) seed=$value ;;
      --growth) growth=$value ;;
      --set) plugin_options+="${plugin_options:+ }$value" ;;
      --out) out=$value ;;
    esac
    shift 2
  done
  require_number --sweeps "$sweeps"
  require_number --faults "$faults"
  require_number --seed "$seed"
  require_number --growth "$growth"
  ((sweeps >= 10)) || die "$exit_usage" "--sweeps $sweeps: expected at least 10"
  [[ -n $topology ]] || die "$exit_usage" "--topo FILE is missing; see --help"
  [[ -f $topology && -r $topology ]] || die "$exit_input" "topology '$topology' is not a readable file"
  ((${#engines[@]} > 0)) || engines=(minhop pssp)
}

# Prints a line `engine sizes...`, in KiB, after the first sweep and after each tenth of the sweeps.
sizes_of() {
  local top=$out sweep sizes
  engine=$1
  out=$top/$engine
  mkdir -p "$out"
  begin_sweeping "$topology" 60
  down=()
  mapfile -t links < <(links_between_switches "$playable")
  ((faults == 0 || ${#links[@]} > 0)) || die "$exit_usage" "--faults $faults: '$topology' has no links between switches"
  RANDOM=$seed
  sizes=("$(resident_kib 1)")
  for ((sweep = 1; sweep <= sweeps; sweep++)); do
    ((faults == 0)) || change_a_link
    sweep_again
    ((sweep % (sweeps / 10) != 0)) || sizes+=("$(resident_kib 1)")
  done
  [[ $(used_engine "$out/manager1") == "$engine" ]] || die "$exit_unsuitable" \
    "opensm did not use engine '$engine': $(reasons_in_log "$out/manager1")"
  end_sweeping
  out=$top
  printf '%s\n' "$engine ${sizes[*]}"
}

parse_arguments "$@"
need_tool opensm opensm
claim_output
own_children
: >"$out/sizes"
for name in "${engines[@]}"; do
  sizes_of "$name" >>"$out/sizes"
done
jq -R -s --argjson sweeps "$sweeps" 'split("\n")[:-1]
  | map(split(" ") | {engine: .[0], rss_kib: .[1:] | map(tonumber)})
  | map(. + {sweeps: $sweeps, growth_percent: (100 * (.rss_kib[-1] - .rss_kib[1]) / .rss_kib[1] * 100 | round / 100)})' \
  "$out/sizes" >"$out/memory.json"
printf 'resident memory of opensm in KiB, after the first sweep and after each %d more\n' "$((sweeps / 10))"
jq -r '.[] | [.engine, .rss_kib[], "growth \(.growth_percent) %"] | @tsv' "$out/memory.json" | column -t -s $'\t'
jq -e --argjson most "$growth" 'all(.growth_percent <= $most)' "$out/memory.json" >/dev/null ||
  die 1 "the memory of opensm grew by more than $growth % (logs in $out)"
