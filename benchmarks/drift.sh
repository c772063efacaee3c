#!/usr/bin/env bash
# Measures how tables drift when links come and go. Compares repairs of the baseline with updates of the last tables, and with OpenSM's
# engines, on the fabrics of docs/explanation/incremental-rerouting.md.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"
# shellcheck source=ibsim_harness/living.sh
. "$benchmarks_dir/../ibsim_harness/living.sh"

usage() {
  cat <<'EOT'
usage: drift.sh [--fabrics DIR] [--events N] [--engine NAME] [--methods LIST] [--opensm LIST] [--hosts P] [--switches P] [--leafs P] [--names N]
                [--seed S] [--rows FILE] [--keep DIR] [--plot FILE.svg] [SPEC ..]

Prints one line per fabric and method; drift.cpp describes the columns. SPEC is a fabric as for make_topo, or a topology file, as one argument.

  --fabrics DIR    folder of the saved real fabric ndr-40-switches.ibnetdiscover, which is skipped if it does not exist
  --events N       number of events (default: 200)
  --engine NAME    engine for the complete fabric (default: best)
  --methods LIST   methods of drift.cpp (default: baseline,chained)
  --opensm LIST    engines of OpenSM to compare with (minhop, ftree, dfsssp); suffix +cache for use_ucast_cache. A stock opensm on ibsim gets the same
                   events, and all methods use its LIDs. Takes some seconds per event and requires fabrics of make_topo. The host of opensm and its
                   leaf never fail.
  --hosts P, --switches P, --leafs P
                   percentage of losses that are hosts, switches without hosts, or leaves with their hosts (default: 0 each); the others are links
  --names N        number of hosts whose names arrive late (default: 0)
  --seed S         seed of the events (default: 1)
  --rows FILE      write one line per method and event: method, event, number of missing objects, S, entries
  --keep DIR       new folder for logs and tables of opensm
  --plot FILE.svg  draw S after each event, one panel per fabric; requires gnuplot

PSSP_BUILD_DIR is the folder of the build.

Exit codes: 0 success, 1 a program is missing, 2 usage, 7 tables are unusable, 21 ibsim or opensm failed.
EOT
}

fabrics='' events=200 engine=best methods=baseline,chained rivals='' hosts=0 switches=0 leaves=0 names=0 seed=1 rows='' keep='' picture=''
specs=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --fabrics) fabrics=$2 && shift 2 ;;
    --events) events=$2 && shift 2 ;;
    --engine) engine=$2 && shift 2 ;;
    --methods) methods=$2 && shift 2 ;;
    --opensm) rivals=$2 && shift 2 ;;
    --names) names=$2 && shift 2 ;;
    --seed) seed=$2 && shift 2 ;;
    --rows) rows=$2 && shift 2 ;;
    --hosts) hosts=$2 && shift 2 ;;
    --switches) switches=$2 && shift 2 ;;
    --leafs) leaves=$2 && shift 2 ;;
    --keep) keep=$2 && shift 2 ;;
    --plot) picture=$2 && shift 2 ;;
    -*) usage >&2 && exit 2 ;;
    *) specs+=("$1") && shift ;;
  esac
done
drift=$PSSP_BUILD_DIR/bin/drift
[[ -x $drift ]] || { usage >&2 && exit 2; }
if [[ -n $picture ]] && ! command -v gnuplot >/dev/null; then
  echo 'drift.sh: --plot requires gnuplot, which is missing: apt install gnuplot-nox' >&2
  exit 1
fi
[[ -z $keep ]] || mkdir "$keep" || exit 2
((${#specs[@]} > 0)) || specs=(chic 'k-ary-n-tree 6 3' 'xgft 8,8,8 1,4,4' deimos 'torus 6x6x4' "$fabrics/ndr-40-switches.ibnetdiscover")
own_children
trap 'end_children; rm -rf "$scratch"' EXIT

# begin TRIAL FOLDER: starts opensm with the trial's engine on the fabric that ibsim simulates, and leaves it running.
begin() {
  mkdir -p "$2/tables"
  : >"$2/extra"
  [[ $1 != *+cache ]] || echo 'use_ucast_cache TRUE' >"$2/extra"
  start_simulation_with_console "$2" "$topology"
  write_opensm_conf "$2" "${1%%+*}" '' "$2/extra"
  prepare_opensm "$2" "${1%%+*}" stay -D 0x47
  start_child "${opensm_command[@]}" >"$2/opensm.out" 2>&1
  opensm_pid=$child_pid
  wait_for_sweeps "$2" 1
  cp "$2/osm/opensm-lfts.dump" "$2/tables/0.lft"
}

# simulate TRIAL FOLDER: applies the events of $scratch/course to a running opensm. FOLDER gets the tables before the first event
# and after each event.
simulate() {
  local number=0 commands
  own_children
  trap end_children EXIT
  begin "$1" "$2"
  while IFS= read -r commands; do
    sweep_after_change "$2" "${commands//;/$'\n'}"
    cp "$2/osm/opensm-lfts.dump" "$2/tables/$((++number)).lft"
    # The log grows by two megabytes per event and is read ten times a second, so keep only the last event's. opensm appends to
    # the truncated file.
    mv "$2/log" "$2/log_before" 2>/dev/null || true
    cp "$2/opensm.log" "$2/log"
    : >"$2/opensm.log"
    ((number % 20 != 0)) || printf '%s: %s: event %d\n' "${0##*/}" "$1" "$number" >&2
  done <"$scratch/course"
  : >"$2/whole_course"
}

# simulate_all: runs all trials, two per processor in parallel, and adds the options for their results to the arguments of drift.
simulate_all() {
  local trial folder=$scratch/rival simulated=() running=0
  [[ -z $keep ]] || folder=$(readlink -f "$keep")/${fabric//[ \/,]/_}
  rm -rf "$folder"-*
  # The course depends on the LIDs that opensm assigns, which are the same for all engines.
  begin minhop "$folder-lids"
  end_process "$opensm_pid"
  stop_simulation "$folder-lids"
  arguments+=(--lids-of "$folder-lids/tables/0.lft" --manager "$(<"$folder-lids/state/host")")
  "$drift" "${arguments[@]}" --course "$scratch/course" "$topology"
  for trial in ${rivals//,/ }; do
    ((running++ < 2 * $(nproc))) || wait -n || true
    (simulate "$trial" "$folder-$trial") &
    simulated+=("$trial=$folder-$trial/tables")
  done
  wait
  # A trial that failed has printed the reason. The figures would not be complete without it.
  for trial in ${rivals//,/ }; do
    [[ -e $folder-$trial/whole_course ]] || die "$exit_simulation" "$fabric: the simulation with $trial ended before the last event"
  done
  arguments+=(--simulated "$(IFS=, && echo "${simulated[*]}")")
}

drawn=()
for fabric in "${specs[@]}"; do
  [[ $fabric != /* || -f $fabric ]] || continue
  arguments=(--engine "$engine" --method "$methods" --events "$events" --hosts "$hosts" --switches "$switches" --leafs "$leaves" --names "$names" --seed "$seed")
  topology=$fabric
  if [[ -n $rivals ]]; then
    take_fabric "$fabric"
    simulate_all
  fi
  ((${#drawn[@]} == 0)) || arguments+=(--no-header)
  [[ -z $picture$rows ]] || arguments+=(--series "$scratch/${#drawn[@]}.tsv")
  "$drift" "${arguments[@]}" "$topology" | sed "s|^$scratch/fabric.net|$fabric|"
  [[ -z $rows ]] || cat "$scratch/${#drawn[@]}.tsv" >>"$rows"
  drawn+=("${fabric##*/}")
done
[[ -n $picture ]] || exit 0

{
  printf 'set terminal svg size 900,%d font "sans,11" background "white"\nset output "picture.svg"\n' "$((220 * ${#drawn[@]}))"
  printf 'set multiplot layout %d,1\nset datafile separator "\\t"\nset grid ytics\nset key outside right top\nset autoscale xfix\nset ylabel "S"\n' "${#drawn[@]}"
  for ((i = 0; i < ${#drawn[@]}; i++)); do
    printf 'set title "%s: S after each event, up to six objects missing"\nset xlabel "event"\nplot ' "${drawn[i]}"
    for method in ${methods//,/ } ${rivals//,/ }; do
      # gnuplot interrupts a line at rows without a value, so each method gets a file of its own.
      awk -F '\t' -v method="$method" '$1 == method' "$scratch/$i.tsv" >"$scratch/$i.$method.tsv"
      printf '"%s" using 2:4 with lines linewidth 1.5 title "%s", ' "$i.$method.tsv" "$method"
    done
    printf '\n'
  done
} >"$scratch/picture.gnuplot"
(cd "$scratch" && gnuplot picture.gnuplot)
cp "$scratch/picture.svg" "$picture"
