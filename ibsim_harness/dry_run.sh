#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=ibsim_harness/simulation.sh
. "$(dirname "$(readlink -f "$0")")/simulation.sh"

usage() {
  cat <<'EOF'
usage: dry_run.sh [options] [-- opensm options]

Lets the stock opensm route a fabric that ibsim plays, without hardware and
without root rights, and evaluates the tables. Without --topo the fabric is one
like the CHiC cluster (528 hosts) from make_topo. Without --engine it compares
pssp and p2ssp with opensm's own sssp, ftree and minhop in one table.

  --engine NAME       engine, or a list as opensm's -R takes it; may be repeated, which gives a table
  --topo FILE         ibnetdiscover output or an ibsim net file
  --out DIR           where results go (default: a new folder in ./out)
  --patterns N        random bisections (default: eval_lft's)
  --seed S            seed of the bisections (default: eval_lft's)
  --set NAME=VALUE    option for our engines (event_plugin_options); may be repeated
  --conf FILE         lines to add to opensm.conf
  --timeout SECONDS   give up on opensm after that time (default: 120 and one for each four nodes)
  --json              one JSON object (an array for several engines) instead of text
  -h, --help          this text
  --version           the version

DIR then holds routing.lft (what the switches hold), opensm.log, opensm.conf,
opensm.out, ibsim.log and report.txt or report.json; with several engines each
has a folder DIR/ENGINE. Any number of dry runs may go on side by side; an
interrupted one leaves no process behind.

PSSP_BUILD_DIR        the build whose plugin and tools are used (default: beside these scripts)
SIM_HOST              identifier of the adapter at which opensm runs (default: the first of the largest island)

Exit codes: 0 done, 2 usage, 3 unreadable topology, 5 opensm used another engine
than asked for (its reason is printed; when no engine was named, opensm's own
may refuse), 8 DIR cannot be written or holds other files, 20 a tool or the
plugin is missing, or opensm did not load the plugin, 21 ibsim or opensm failed
or took too long; others are eval_lft's.
EOF
}

# What is compared when no engine is named: ours, then the best of opensm's.
readonly compared_engines=(pssp p2ssp sssp ftree minhop)

# ---- arguments ----

parse_arguments() {
  engines=() topology='' out='' eval_options=() plugin_options='' extra_conf='' timeout='' json=0
  passed_on=() opensm_options=()
  local value
  while (($# > 0)); do
    case $1 in
      -h | --help)
        usage
        exit 0
        ;;
      --version)
        print_version
        exit 0
        ;;
      --json)
        json=1
        shift
        continue
        ;;
      --)
        opensm_options=("${@:2}")
        passed_on+=("$@")
        return
        ;;
      --engine | --topo | --out | --patterns | --seed | --set | --conf | --timeout)
        value=$(option_value "$1" $# "${2:-}")
        ;;
      *) die "$exit_usage" "unknown argument '$1'; --help lists what there is (opensm's own options go after --)" ;;
    esac
    case $1 in
      --engine) engines+=("$value") ;;
      --topo) topology=$(as_operand "$value") ;;
      --out) out=$value ;;
      --patterns | --seed)
        require_number "$1" "$value"
        eval_options+=("$1" "$value")
        ;;
      --set)
        require_setting "$1" "$value"
        plugin_options+="${plugin_options:+ }$value"
        ;;
      --conf)
        [[ -f $value && -r $value ]] || die "$exit_input" "--conf '$value' is no readable file"
        extra_conf=$value
        ;;
      --timeout)
        require_number "$1" "$value"
        timeout=$value
        ;;
    esac
    # What a run of one engine within a comparison is told too.
    [[ $1 == --engine || $1 == --topo || $1 == --out ]] || passed_on+=("$1" "$value")
    shift 2
  done
}

check_engines() {
  local engine seen=,,
  for engine in "${engines[@]}"; do
    [[ $engine =~ ^[A-Za-z0-9_,-]+$ && $engine != -* ]] || die "$exit_usage" "--engine '$engine' is no engine's name"
    [[ $seen != *",,$engine,,"* ]] || die "$exit_usage" "--engine $engine was given twice"
    seen+="$engine,,"
  done
}

make_default_topology() {
  local make_topo
  make_topo=$(find_built bin/make_topo)
  topology=$out/chic.net
  "$make_topo" chic -o "$topology"
}

# Before anything is made: what this run will want.
check_programs() {
  local engine needed=('ibsim:ibsim-utils:nothing works without' 'ibsim-run:ibsim-utils:nothing works without'
    'opensm:opensm:nothing works without' 'dump_fts:infiniband-diags:nothing works without'
    'setpriv:util-linux:nothing works without' 'bin/ibsim_files:build:nothing works without'
    'bin/eval_lft:build:nothing works without')
  ((json == 0 && ${#engines[@]} == 1)) || needed+=('jq:jq:one engine works without --json')
  [[ -n $topology ]] || needed+=('bin/make_topo:build:a fabric of your own works (--topo)')
  for engine in "${engines[@]}"; do
    ! needs_plugin "$engine" || {
      needed+=("lib/libosmpssp.so:build:opensm's own engines work, such as minhop")
      break
    }
  done
  require_all "${needed[@]}"
}

# ---- one engine ----

simulate() {
  local engine=$1 status=0
  start_simulation "$out" "$topology" start_child
  # The tables do not depend on how fast this machine is: no clock cuts an engine short, unless that is asked for.
  [[ " $plugin_options" == *' budget.seconds='* ]] || plugin_options+="${plugin_options:+ }budget.seconds=86400"
  write_opensm_conf "$out" "$engine" "$plugin_options" "$extra_conf"
  prepare_opensm "$out" "$engine" once "${opensm_options[@]}"
  timeout=${timeout:-$(default_timeout "$out")}
  measure_memory "$out"
  run_child "$timeout" "${measured_memory[@]}" "${opensm_command[@]}" >"$out/opensm.out" 2>&1 || status=$?
  ((status != 124)) || die "$exit_simulation" \
    "opensm -R $engine was not done after $timeout s (--timeout gives it more)"
  ((status == 0)) || die "$exit_simulation" \
    "opensm -R $engine ended with status $status:"$'\n'"$(tail_of "$out/opensm.out")"
  require_engine "$out" "$engine"
  dump_tables "$out" "$out/routing.lft"
  stop_simulation "$out"
}

# Sets eval_status. A report on tables that must not be used is a report all the same.
evaluate() {
  local engine=$1 report=$out/report.txt format=() lanes=(--lanes)
  # What an engine that assigns lanes itself needs is in opensm's log, or nobody knows it.
  case $(used_engine "$out") in
    lash | dfsssp | nue | torus-2QoS) lanes=() ;;
  esac
  if ((json)); then
    report=$out/report.json
    format=(--json)
  fi
  eval_status=0
  run_child 0 "$eval_lft" "${eval_options[@]}" "${lanes[@]}" "${format[@]}" "$out/routing.lft" "$playable" >"$report.part" ||
    eval_status=$?
  if [[ ! -s $report.part ]]; then
    rm -f "$report.part"
    die "$eval_status" "eval_lft could not evaluate $out/routing.lft (status $eval_status)"
  fi
  if ((json)); then
    jq --arg engine "$engine" --arg used "$(used_engine "$out")" --arg topology "$topology" \
      --arg lft "$out/routing.lft" --argjson ms "$(routing_milliseconds "$out")" \
      --argjson memory "$(peak_memory "$out")" --argjson lanes "$(lanes_in_log "$out")" \
      '{engine: $engine, engine_used: $used, topology: $topology, lft: $lft, routing_ms: $ms,
        peak_memory_kib: $memory} + . | .lanes = ($lanes // .lanes)' \
      "$report.part" >"$report"
    rm -f "$report.part"
  else
    mv -f "$report.part" "$report"
  fi
  cat "$report"
}

run_one() {
  local engine=$1
  eval_lft=$(find_built bin/eval_lft)
  ((json == 0)) || need_tool jq jq
  rm -rf "${out:?}"/{routing.lft,opensm.log,opensm.conf,opensm.out,ibsim.log,report.txt,report.json,topology.net,state,osm}
  simulate "$engine"
  if ((json == 0)); then
    plugin_lines "$out"
    printf 'opensm routed with %s in %s ms; tables and log in %s\n\n' \
      "$(used_engine "$out")" "$(routing_milliseconds "$out")" "$out"
  fi
  evaluate "$engine"
  rm -rf "$out/state" "$out/dump_fts.err"
  exit "$eval_status"
}

# ---- several engines ----

print_table() {
  printf '%-14s %18s %8s %11s %9s %6s %12s\n' engine 'eff. bisection bw' 'max EFI' 'mean hops' 'cycle' 'lanes' 'routing ms'
  local engine
  for engine in "${engines[@]}"; do
    if [[ ! -s $out/$engine/report.json ]]; then
      printf '%-14s %18s\n' "$engine" 'no tables'
      continue
    fi
    jq -r '[.engine, .ebb.mean, .ebb.stderr, .edge_forwarding_index.max, .hops.mean,
        (if .credit_loop == null then "?" elif .credit_loop then "yes" else "no" end), .lanes // "-", .routing_ms,
        .unreachable_pairs, .forwarding_loops] | @tsv' "$out/$engine/report.json" |
      awk -F '\t' '{
        printf "%-14s   %.4f +- %.4f %8.0f %11.3f %9s %6s %12.1f\n", $1, $2, $3, $4, $5, $6, $7, $8
        if ($9 + $10 > 0) printf "%-14s   %d pairs do not reach each other, %d forwarding loops\n", "", $9, $10
      }'
  done
  # All reports are of the same hosts.
  for engine in "${engines[@]}"; do
    [[ -s $out/$engine/report.json ]] || continue
    printf '\n'
    jq -r '"hosts: \(.hosts) end ports in traffic, of \(.end_ports)" +
        (if .end_ports_without_lid > 0 then ", \(.end_ports_without_lid) without LID" else "" end) +
        ", at \(.switches) switches; all figures are of these"' "$out/$engine/report.json"
    break
  done
  cat <<EOF
eff. bisection bw: effective bisection bandwidth, as a share of the link bandwidth, and its standard error
max EFI: largest edge forwarding index, the routes over the busiest channel between switches
cycle: credit loops, the engine's virtual lanes left aside; lanes: how many would rule them out
routing ms: routing phase of opensm, by its log
Tables, logs and reports: $out
EOF
}

run_several() {
  local engine status result=0
  need_tool jq jq
  for engine in "${engines[@]}"; do
    status=0
    ((json)) || say "opensm -R $engine ..."
    start_child "$harness_dir/dry_run.sh" --json --engine "$engine" --topo "$topology" --out "$out/$engine" \
      "${passed_on[@]}" >/dev/null
    wait "$child_pid" || status=$?
    forget_child "$child_pid"
    # An engine of opensm's own that nobody asked for by name may find that the fabric does not suit it.
    if ((status == exit_unsuitable && named == 0)) && ! needs_plugin "$engine"; then
      status=0
    fi
    ((result != 0)) || result=$status
  done
  if ((json)); then
    for engine in "${engines[@]}"; do
      [[ ! -s $out/$engine/report.json ]] || cat "$out/$engine/report.json"
    done | jq -s . | tee "$out/report.json"
  else
    print_table | tee "$out/report.txt"
  fi
  exit "$result"
}

parse_arguments "$@"
named=1
if ((${#engines[@]} == 0)); then
  engines=("${compared_engines[@]}")
  named=0
fi
check_engines
check_programs
claim_output
own_children
[[ -n $topology ]] || make_default_topology
[[ -f $topology && -r $topology ]] || die "$exit_input" "topology '$topology' is no readable file"
if ((${#engines[@]} == 1)); then
  run_one "${engines[0]}"
else
  run_several
fi
