#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=ibsim_harness/simulation.sh
. "$(dirname "$(readlink -f "$0")")/simulation.sh"

usage() {
  cat <<'EOF'
usage: sweep_times.sh --engine NAME --topo FILE --out DIR [options] [-- opensm options]

One life of the stock opensm on a fabric that ibsim plays, for bench_opensm:
configures the subnet, then again after SIGHUP, after a link between switches
has failed, and after the link is back. Prints a line for each: what happened,
and the columns of sweep_phases.awk.

  --set NAME=VALUE    option for our engine (event_plugin_options); may be repeated
  --start-only        nothing after the subnet is up for the first time
  --hops FILE         write the distribution of hops to FILE: hops, pairs of hosts
  --timeout SECONDS   for each sweep (default 60)
  -h, --help          this text

Exit codes: as dry_run.sh.
EOF
}

parse_arguments() {
  engine='' topology='' dir='' plugin_options='' hops='' timeout=60 start_only=0 opensm_options=()
  local value
  while (($# > 0)); do
    case $1 in
      -h | --help)
        usage
        exit 0
        ;;
      --start-only)
        start_only=1
        shift
        continue
        ;;
      --)
        opensm_options=("${@:2}")
        break
        ;;
      --engine | --topo | --out | --set | --hops | --timeout) value=$(option_value "$1" $# "${2:-}") ;;
      *) die "$exit_usage" "unknown argument '$1'; --help lists what there is" ;;
    esac
    case $1 in
      --engine) engine=$value ;;
      --topo) topology=$value ;;
      --out) dir=$value ;;
      --set) plugin_options+="${plugin_options:+ }$value" ;;
      --hops) hops=$value ;;
      --timeout)
        require_number "$1" "$value"
        timeout=$value
        ;;
    esac
    shift 2
  done
  [[ -n $engine && -n $topology && -n $dir ]] || die "$exit_usage" "--engine, --topo and --out are wanted"
}

# Only two of opensm's modules say more than they must: a log of everything would take longer than many a phase.
start_opensm() {
  printf '%s=0x07\n' osm_state_mgr.c osm_ucast_mgr.c >"$dir/modules"
  printf 'per_module_logging_file %s\n' "$dir/modules" >"$dir/state/conf"
  write_opensm_conf "$dir" "$engine" "$plugin_options" "$dir/state/conf"
  prepare_opensm "$dir" "$engine" stay -D 0x03 "${opensm_options[@]}"
  start_child "${opensm_command[@]}" >"$dir/opensm.out" 2>&1
  opensm_pid=$child_pid
}

# Prints how many sweeps have begun, how many have ended, and 1 while one is under way. A sweep may begin anew before it
# ends.
sweep_counts() {
  { [[ ! -e $dir/opensm.log ]] || cat "$dir/opensm.log"; } | awk '
    /\* INITIATING HEAVY SWEEP \*/ { begun++; busy = 1 }
    /\* SUBNET UP \*|\* ERRORS DURING INITIALIZATION \*/ { ended++; busy = 0 }
    END { print begun + 0, ended + 0, busy + 0 }'
}

# wait_for_sweep COUNT: until more than COUNT sweeps have ended and none is under way.
wait_for_sweep() {
  local waited=0 quiet=0 ended busy
  while ((quiet < 4)); do
    is_running "$opensm_pid" || die "$exit_simulation" "opensm -R $engine ended:"$'\n'"$(tail_of "$dir/opensm.out")"
    ((waited++ < timeout * 20)) || die "$exit_simulation" "opensm -R $engine was not done after $timeout s"
    sleep 0.05
    read -r _ ended busy < <(sweep_counts)
    if ((ended > $1 && !busy)); then
      ((++quiet))
    else
      quiet=0
    fi
  done
}

sweeps() { [[ ! -s $dir/opensm.log ]] || awk -f "$harness_dir/sweep_phases.awk" "$dir/opensm.log"; }

# event NAME COMMAND...: prints the first sweep that the command brings about.
event() {
  local name=$1 before ended
  shift
  read -r _ ended _ < <(sweep_counts)
  before=$(sweeps | wc -l)
  "$@"
  wait_for_sweep "$ended"
  sweeps | awk -v name="$name" -v skip="$before" 'NR == skip + 1 { print name "\t" $0 }'
}

# Has ibsim change a link. Switches at its ends send traps, which make opensm sweep; where those get lost (their way may
# have been that link), it is told by SIGHUP.
change_link() {
  local begun now tries
  read -r begun _ < <(sweep_counts)
  printf '%s\n' "$*" >&"$console"
  for ((tries = 0; tries < 20; tries++)); do
    read -r now _ < <(sweep_counts)
    ((now == begun)) || return 0
    sleep 0.05
  done
  kill -HUP "$opensm_pid"
}

# The last link between switches in the file, as ibsim's console wants it: "node"[port].
last_link() {
  awk '
    /^Switch[ \t]/ { split($0, quoted, "\""); current = quoted[2]; known[current] = 1; next }
    /^(Hca|Ca|Rt)[ \t]/ { current = ""; next }
    /^\[[0-9]+\]/ && current != "" {
      split($0, quoted, "\"")
      if (quoted[2] in known && quoted[2] != current)
        link = "\"" current "\"" substr($0, 1, index($0, "]"))
    }
    END { print link }' "$topology"
}

write_hops() {
  dump_tables "$dir" "$dir/routing.lft"
  run_child 0 "$(find_built bin/eval_lft)" --json --patterns 1 --no-credit-loops "$dir/routing.lft" "$topology" \
    2>"$dir/eval_lft.err" | jq -r '.hops.histogram | to_entries[] | [.key, .value] | @tsv' >"$hops"
}

parse_arguments "$@"
mkdir -p "$dir/state"
rm -f "$dir/opensm.log"
own_children
start_simulation_with_console "$dir" "$topology"
event start start_opensm
require_engine "$dir" "$engine"
[[ -z $hops ]] || write_hops
if ((start_only == 0)); then
  event resweep kill -HUP "$opensm_pid"
  link=$(last_link)
  if [[ -n $link ]]; then
    event failure change_link "Unlink $link"
    event repair change_link "ReLink $link"
  fi
fi
