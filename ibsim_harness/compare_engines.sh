#!/usr/bin/env bash
# The variables in filters of jq are its own.
# shellcheck disable=SC2016
set -euo pipefail
# shellcheck source=ibsim_harness/engine_trials.sh
. "$(dirname "$(readlink -f "$0")")/engine_trials.sh"

usage() {
  cat <<'EOF'
usage: compare_engines [options] TOPO

Which routing engine for this fabric? Runs the stock opensm with each of its own
engines and each of ours on the fabric in TOPO (ibnetdiscover output or an ibsim
net file), which ibsim plays, scores the tables, and prints one table and a
recommendation. Needs neither hardware nor root rights.

  --engines A,B,...   these engines instead of all; NAME:OPTION=VALUE[:...] gives options, those of the plugin to
                      ours (pssp:max_detour=1), those of the command line to opensm's (minhop:scatter-ports=8)
  --lanes N           virtual lanes for data that the fabric has (default 8)
  --timeout SECONDS   cut off an engine whose opensm takes longer (default 300)
  --patterns N        random bisections (default: eval_lft's)
  --seed S            seed of the bisections (default: eval_lft's)
  --conf FILE         lines to add to opensm.conf
  --out DIR           folder for tables and logs, one for each engine (default: a new one in ./out)
  --json FILE         everything as JSON; - is standard output, without the table
  --csv FILE          a line for each engine
  --plot FILE         a picture, FILE.svg or FILE.png
  -h, --help          this text

lash, dfsssp, nue and torus-2QoS get -Q; nue all lanes; updn and dnup the roots,
torus-2QoS the configuration that opensm_hints finds. An engine that opensm did
not use is listed as refused, with opensm's reason.

PSSP_BUILD_DIR        the build whose plugin and tools are used (default: beside these scripts)
SIM_HOST              identifier of the adapter at which opensm runs (default: the first of the largest island)

Exit codes: 0 done (engines may refuse), 2 usage, 3 unreadable topology, 5 no
engine routes the fabric, 8 a result cannot be written, 20 a tool or the plugin
is missing, 21 ibsim failed; others are eval_lft's.
EOF
}

# ---- arguments ----

parse_arguments() {
  topology='' out='' engines=() lanes=8 timeout=300 eval_options=() run_options=() json_file='' csv_file='' plot_file=''
  local value
  while (($# > 0)); do
    case $1 in
      -h | --help)
        usage
        exit 0
        ;;
      --engines | --lanes | --timeout | --patterns | --seed | --conf | --out | --json | --csv | --plot)
        value=$(option_value "$1" $# "${2:-}")
        ;;
      -*) die "$exit_usage" "unknown option '$1'; --help lists what there is" ;;
      *)
        [[ -z $topology ]] || die "$exit_usage" "one topology at a time: '$topology' and '$1' were given"
        topology=$1
        shift
        continue
        ;;
    esac
    case $1 in
      --engines) IFS=, read -ra engines <<<"$value" ;;
      --lanes)
        require_number "$1" "$value"
        ((value >= 1 && value <= 15)) || die "$exit_usage" "--lanes $value: expected 1 to 15"
        lanes=$value
        ;;
      --timeout)
        require_number "$1" "$value"
        ((value >= 1)) || die "$exit_usage" "--timeout $value: expected a second at least"
        timeout=$value
        ;;
      --patterns | --seed)
        require_number "$1" "$value"
        eval_options+=("$1" "$value")
        ;;
      --conf) run_options+=("$1" "$value") ;;
      --out) out=$value ;;
      --json) json_file=$value ;;
      --csv) csv_file=$value ;;
      --plot)
        [[ $value == *.svg || $value == *.png ]] || die "$exit_usage" "--plot '$value': expected FILE.svg or FILE.png"
        plot_file=$value
        ;;
    esac
    shift 2
  done
  [[ -n $topology ]] || die "$exit_usage" "which fabric? compare_engines TOPO (--help says more)"
}

# ---- one engine ----

# Keeps the result of an engine in DIR/result.json: keep_result SPEC DIR STATE SECONDS REPORT, with reasons, one a
# line, on standard input.
keep_result() {
  local is_own=true
  ! needs_plugin "${1%%:*}" || is_own=false
  jq -L "$harness_dir" --null-input --rawfile reasons /dev/stdin --argjson report "$5" \
    --arg spec "$1" --arg name "${1%%:*}" --arg directory "$2" --arg state "$3" --argjson seconds "$4" --argjson own "$is_own" \
    'include "compare_engines";
     result($spec; $name; $own; $directory; $state; $reasons | split("\n") | map(select(. != "")); $seconds; $report)' \
    >"$2/result.json"
}

run_engine() {
  local spec=$1 dir=$2 number=$3 started=$SECONDS state=failed arguments=() each
  mkdir -p "$dir"
  rm -f "$dir/report.json" "$dir/result.json"
  if ! options_for_trial "$spec" "$out"; then
    keep_result "$spec" "$dir" refused 0 null <<<"$hint_error"
    return
  fi
  for each in "${plugin_settings[@]}"; do arguments+=(--set "$each"); done
  ((${#own_options[@]} == 0)) || arguments+=(-- "${own_options[@]}")
  start_child "$harness_dir/dry_run.sh" --json --engine "${spec%%:*}" --topo "$topology" --out "$dir" --timeout "$timeout" \
    "${eval_options[@]}" "${run_options[@]}" "${arguments[@]}" >/dev/null 2>"$dir/dry_run.err"
  wait_with_progress "$number" "${#engines[@]}" "$spec"
  if [[ -s $dir/report.json ]]; then
    keep_result "$spec" "$dir" routed "$((SECONDS - started))" "$(<"$dir/report.json")" </dev/null
    return
  fi
  case $child_status in
    "$exit_unsuitable") state=refused ;;
    # These would befall every engine.
    "$exit_usage" | "$exit_input" | "$exit_output" | "$exit_missing_tool")
      progress
      die "$child_status" "$(sed '1s/^dry_run\.sh: //' "$dir/dry_run.err")"
      ;;
    *) ! grep -q 'was not done after' "$dir/dry_run.err" || state='cut off' ;;
  esac
  reasons_of "$dir/dry_run.err" | keep_result "$spec" "$dir" "$state" "$((SECONDS - started))" null
}

run_all() {
  local number
  directories=()
  for number in "${!engines[@]}"; do
    directories+=("$(engine_directory "$out" "${engines[number]}")")
    run_engine "${engines[number]}" "${directories[number]}" "$number"
  done
  progress
}

# ---- all engines ----

# jq with our functions: with_jq FILTER FILE [jq options]
with_jq() { jq -L "$harness_dir" --argjson lanes "$lanes" "${@:3}" "include \"compare_engines\"; $1" "$2"; }

# Tests the bandwidths against each other under the same bisections.
compare_tables() {
  local contestants others=() each
  mapfile -t contestants < <(with_jq 'contest($lanes)' "$out/results.json" --raw-output)
  ((${#contestants[@]} >= 2)) || return 0
  progress "comparing ${#contestants[@]} tables"
  for each in "${contestants[@]:1}"; do others+=(--compare "$each/routing.lft"); done
  run_child 0 "$eval_lft" --json --no-credit-loops "${eval_options[@]}" "${others[@]}" \
    "${contestants[0]}/routing.lft" "$topology" >"$out/comparison.json" 2>"$out/comparison.err" || {
    progress
    die "$?" "$(sed '1s/^eval_lft: //' "$out/comparison.err")"
  }
  progress
}

make_report() {
  local directory files=() comparison=null
  for directory in "${directories[@]}"; do files+=("$directory/result.json"); done
  jq -s . "${files[@]}" >"$out/results.json"
  rm -f "$out/comparison.json"
  compare_tables
  [[ ! -s $out/comparison.json ]] || comparison=$(<"$out/comparison.json")
  with_jq 'with_differences($lanes; $comparison)
    | {topology: $topology, lanes_available: $lanes, timeout_seconds: $timeout, engines: ., recommendation: recommendation($lanes)}' \
    "$out/results.json" --arg topology "$topology" --argjson timeout "$timeout" --argjson comparison "$comparison" \
    >"$out/report.json"
  rm -f "$out/results.json" "$out/torus.err" "$out/comparison.err"
}

print_table() {
  with_jq '.engines | table' "$out/report.json" --raw-output | awk -f "$harness_dir/table.awk"
  printf '\n'
  with_jq '.engines | remarks' "$out/report.json" --raw-output
  cat <<EOF

$(jq -r .recommendation.text "$out/report.json")

bandwidth: effective bisection bandwidth, as a share of the link bandwidth
index: edge forwarding index, the routes over the busiest channel; bound: no routing can have less
lanes: virtual lanes that freedom from deadlocks takes; credit loop: of the routes, lanes left aside
routing ms: routing phase of opensm, by its log; MiB: peak memory of opensm
Tables, logs and reports: $out
EOF
}

draw() {
  local name=${topology##*/}
  gnuplot --default-settings -e "data='$out/plot.tsv'; kind='${plot_file##*.}'; subject='${name//\'/}'" \
    "$harness_dir/compare_engines.gnuplot"
}

write_results() {
  [[ -z $json_file ]] || write_result "$json_file" cat "$out/report.json"
  [[ -z $csv_file ]] || write_result "$csv_file" with_jq '.engines | csv' "$out/report.json" --raw-output
  if [[ -n $plot_file ]]; then
    with_jq '.engines | plot_rows' "$out/report.json" --raw-output >"$out/plot.tsv"
    write_result "$plot_file" draw
  fi
}

parse_arguments "$@"
need_tool jq jq
[[ -z $plot_file ]] || need_tool gnuplot gnuplot-nox
check_engines
[[ -f $topology && -r $topology ]] || die "$exit_input" "topology '$topology' is no readable file"
eval_lft=$(find_built bin/eval_lft)
((${#engines[@]} > 0)) || all_engines
claim_output
own_children
find_hints "$out" "$topology"
run_all
make_report
[[ $json_file == - ]] || print_table | tee "$out/report.txt"
write_results
jq -e 'any(.engines[]; .state == "routed")' "$out/report.json" >/dev/null || exit "$exit_unsuitable"
