#!/usr/bin/env bash
# The variables in filters of jq are its own.
# shellcheck disable=SC2016
set -euo pipefail
# shellcheck source=ibsim_harness/engine_trials.sh
. "$(dirname "$(readlink -f "$0")")/engine_trials.sh"

usage() {
  cat <<'EOF'
usage: bench_opensm [options]

How long does the stock opensm take to configure a subnet, phase by phase, with
each routing engine? The subnet-management benchmarks Subnet_Discovery_Time,
Subnet_LID-Configuration_Time, Subnet_Routing_Time, Subnet_Total_Time and
Subnet_Reconfigure_Time, on fabrics that ibsim plays, from opensm's own log;
the distribution of hops, and the effect of the number of hosts on a switch.
Prints the tables; the folder DIR has them with plots and all single times.

  --engines A,B,...   engines, as for compare_engines; all: every one there is
                      (default minhop,updn,ftree,lash,dor,pssp)
  --sizes S;S;...     fabrics, each as for make_topo or a topology file (default: two-level trees of 8, 16, 32 and 64
                      hosts, xgft 4,2 1,4 and so on)
  --iterations N      times that each is measured (default 1)
  --lanes N           virtual lanes that nue may use (default 8)
  --timeout SECONDS   for one sweep of opensm (default 60)
  --format svg|png    of the plots (default svg)
  --out DIR           where results go (default: a new folder in ./out)
  --json FILE         everything as JSON; - is standard output, without the tables
  -h, --help          this text

PSSP_BUILD_DIR        the build whose plugin and tools are used (default: beside these scripts)

Exit codes: 0 done (engines may refuse), 2 usage, 3 unreadable topology, 5 no
engine routes any of the fabrics, 8 a result cannot be written, 20 a tool or
the plugin is missing, 21 ibsim failed.
EOF
}

readonly default_engines=minhop,updn,ftree,lash,dor,pssp
readonly default_sizes='xgft 4,2 1,4; xgft 4,4 1,4; xgft 4,8 1,4; xgft 4,16 1,4'
# Two fabrics with as many hosts and switches: all hosts on one switch, and one on each of eight.
readonly placement_fabric='xgft 8,8 1,4'
readonly placements=('8 1' '1 8')

parse_arguments() {
  out='' lanes=8 timeout=60 iterations=1 format=svg json_file=''
  local value sizes_text=$default_sizes engines_text=$default_engines
  while (($# > 0)); do
    case $1 in
      -h | --help)
        usage
        exit 0
        ;;
      --engines | --sizes | --iterations | --lanes | --timeout | --format | --out | --json)
        value=$(option_value "$1" $# "${2:-}")
        ;;
      *) die "$exit_usage" "unknown argument '$1'; --help lists what there is" ;;
    esac
    case $1 in
      --engines) engines_text=$value ;;
      --sizes) sizes_text=$value ;;
      --iterations | --lanes | --timeout)
        require_number "$1" "$value"
        ((value >= 1)) || die "$exit_usage" "$1 $value: expected 1 at least"
        printf -v "${1#--}" '%s' "$value"
        ;;
      --format)
        [[ $value == svg || $value == png ]] || die "$exit_usage" "--format '$value': expected svg or png"
        format=$value
        ;;
      --out) out=$value ;;
      --json) json_file=$value ;;
    esac
    shift 2
  done
  read_sizes "$sizes_text"
  if [[ $engines_text == all ]]; then all_engines; else IFS=, read -ra engines <<<"$engines_text"; fi
  ((${#engines[@]} > 0)) || die "$exit_usage" "--engines: none is named"
}

# Sets sizes: the specifications without the blanks around them.
read_sizes() {
  local parts part
  sizes=()
  IFS=';' read -ra parts <<<"$1"
  for part in "${parts[@]}"; do
    read -ra part <<<"$part"
    ((${#part[@]} == 0)) || sizes+=("${part[*]}")
  done
  ((${#sizes[@]} > 0)) || die "$exit_usage" "--sizes: none is named"
}

# ---- fabrics ----

# make_fabric SPEC FILE
make_fabric() {
  local words
  if [[ -f $1 ]]; then
    cp -- "$1" "$2"
    return
  fi
  read -ra words <<<"$1"
  "$make_topo" "${words[@]}" -o "$2" 2>"$out/make_topo.err" ||
    die "$?" "--sizes '$1' is no file, and make_topo says: $(sed 's/^make_topo: //' "$out/make_topo.err")"
}

# The fabrics in order: their names, for messages and tables, and files.
make_fabrics() {
  local number placement hosts switches
  fabric_series=() fabric_names=() fabric_files=()
  for number in "${!sizes[@]}"; do
    fabric_series+=(sizes)
    fabric_names+=("${sizes[number]}")
    fabric_files+=("$out/fabrics/$number.net")
    make_fabric "${sizes[number]}" "$out/fabrics/$number.net"
  done
  make_fabric "$placement_fabric" "$out/fabrics/full.net"
  for placement in "${placements[@]}"; do
    read -r hosts switches <<<"$placement"
    fabric_series+=(placement)
    fabric_names+=("$hosts on each of $switches")
    fabric_files+=("$out/fabrics/${hosts}x$switches.net")
    awk -v hosts="$hosts" -v switches="$switches" -f "$harness_dir/thin_hosts.awk" \
      "$out/fabrics/full.net" "$out/fabrics/full.net" >"$out/fabrics/${hosts}x$switches.net"
  done
}

# ---- measuring ----

# measure FABRIC ENGINE ITERATION: appends to sweeps.tsv. Each trial has a folder of its own, with the log.
measure() {
  local fabric=$1 spec=$2 iteration=$3 dir arguments=() each counts
  dir=$(engine_directory "$out/trials/$fabric" "$spec")/$iteration
  mkdir -p "$dir"
  if ! options_for_trial "$spec" "$out/fabrics/hints$fabric"; then
    note_refusal "$fabric" "$spec" "$hint_error"
    return
  fi
  for each in "${plugin_settings[@]}"; do arguments+=(--set "$each"); done
  [[ ${fabric_series[fabric]} == sizes ]] || arguments+=(--start-only)
  if [[ ${fabric_series[fabric]} == sizes && $iteration == 1 ]]; then arguments+=(--hops "$dir/hops.tsv"); fi
  ((${#own_options[@]} == 0)) || arguments+=(-- "${own_options[@]}")
  start_child "$harness_dir/sweep_times.sh" --engine "${spec%%:*}" --topo "${fabric_files[fabric]}" --out "$dir" \
    --timeout "$timeout" "${arguments[@]}" >"$dir/times.tsv" 2>"$dir/sweep_times.err"
  wait_with_progress "$done_trials" "$all_trials" "$spec on ${fabric_names[fabric]}"
  case $child_status in
    0) ;;
    "$exit_usage" | "$exit_input" | "$exit_output" | "$exit_missing_tool")
      progress
      die "$child_status" "${fabric_names[fabric]}: $(sed '1s/^sweep_times\.sh: //' "$dir/sweep_times.err")"
      ;;
    *)
      note_refusal "$fabric" "$spec" "$(reasons_of "$dir/sweep_times.err" | head -n 1)"
      return
      ;;
  esac
  counts=$(awk -f "$harness_dir/topology_summary.awk" "${fabric_files[fabric]}" | awk '{ print $4 "\t" $2 }')
  sed "s|^|${fabric_series[fabric]}\t${fabric_names[fabric]}\t$counts\t$spec\t$iteration\t|" "$dir/times.tsv" >>"$out/sweeps.tsv"
  [[ ! -s $dir/hops.tsv ]] || sed "s|^|${fabric_names[fabric]}\t$spec\t|" "$dir/hops.tsv" >>"$out/hops.tsv"
}

# Once for each fabric and engine, which then is not tried again.
note_refusal() {
  refused+=" $1/$2 "
  printf '%s\t%s\t%s\n' "${fabric_names[$1]}" "$2" "${3:-no reason given}" >>"$out/refusals.tsv"
}

measure_all() {
  local fabric spec iteration
  done_trials=0
  all_trials=$((${#fabric_files[@]} * ${#engines[@]} * iterations))
  refused=
  : >"$out/sweeps.tsv"
  : >"$out/hops.tsv"
  : >"$out/refusals.tsv"
  for fabric in "${!fabric_files[@]}"; do
    mkdir -p "$out/fabrics/hints$fabric"
    find_hints "$out/fabrics/hints$fabric" "${fabric_files[fabric]}"
  done
  # Engines take turns, so that a slow minute of the machine does not hit one alone.
  for ((iteration = 1; iteration <= iterations; iteration++)); do
    for fabric in "${!fabric_files[@]}"; do
      for spec in "${engines[@]}"; do
        [[ $refused == *" $fabric/$spec "* ]] || measure "$fabric" "$spec" "$iteration"
        done_trials=$((done_trials + 1))
      done
    done
  done
  progress
}

# ---- results ----

with_jq() { jq -L "$harness_dir" --raw-output "${@:3}" "include \"bench_opensm\"; $1" "$2"; }

make_report() {
  jq -L "$harness_dir" --raw-input --null-input 'include "bench_opensm"; sweeps' "$out/sweeps.tsv" >"$out/sweeps.json"
  jq --raw-input --null-input '[inputs | split("\t") | {size: .[0], engine: .[1], reason: .[2]}]' "$out/refusals.tsv" \
    >"$out/refusals.json"
  jq --raw-input --null-input '[inputs | split("\t") | {size: .[0], engine: .[1], hops: (.[2] | tonumber), pairs: (.[3] | tonumber)}]' \
    "$out/hops.tsv" >"$out/hops.json"
  with_jq '(map(select(.series == "sizes")) | numbered) as $sizes
    | {unit: "milliseconds",
       benchmarks: [benchmarks[] as $each | {name: $each.name, results: ($sizes | measured($each))}],
       hosts_per_switch: (benchmark("Subnet_Total_Time") as $each | map(select(.series == "placement")) | numbered | measured($each)),
       hops: $hops[0], refusals: $refusals[0], sweeps: .}' \
    "$out/sweeps.json" --slurpfile hops "$out/hops.json" --slurpfile refusals "$out/refusals.json" >"$out/report.json"
  rm -f "$out/sweeps.json" "$out/hops.json" "$out/refusals.json" "$out/make_topo.err"
}

# The numbers of a plot as a table; print_bars HEADING.
print_bars() {
  awk -F '\t' -v OFS='\t' -v heading="$1" '
    NR == 1 { $1 = heading }
    NR > 1 { for (i = 2; i <= NF; i++) $i = $i == "NaN" ? "-" : sprintf("%.2f", $i) }
    { print }' | awk -f "$harness_dir/table.awk"
}

print_tables() {
  local name
  for name in $(with_jq '.benchmarks[].name' "$out/report.json"); do
    printf '%s (ms%s)\n' "$name" "$( ((iterations == 1)) || printf ', mean of %d' "$iterations")"
    with_jq 'benchmark($name) as $each | .benchmarks[] | select(.name == $name) | .results | table_of($each)' \
      "$out/report.json" --arg name "$name" | awk -f "$harness_dir/table.awk"
    printf '\n'
  done
  if with_jq '.hosts_per_switch | length > 0' "$out/report.json" --exit-status >/dev/null; then
    printf 'Hosts on a switch (Subnet_Total_Time, ms): eight hosts and twelve switches, cabled in two ways\n'
    with_jq '.hosts_per_switch | placement_bars' "$out/report.json" | print_bars engine
  fi
  printf '\nHops between hosts (share of the pairs, %%)\n'
  with_jq '.hops | hop_bars' "$out/report.json" | print_bars hops
  printf '\n'
  awk -F '\t' '{ print $2 " does not route " $1 ": " (length($3) > 160 ? substr($3, 1, 157) "..." : $3) }' "$out/refusals.tsv"
  printf 'Plots, times of single sweeps (sweeps.tsv) and logs: %s\n' "$out"
}

# draw NAME SUBJECT UNIT LOGARITHMIC: from standard input, unless that has no more than headings.
draw() {
  cat >"$out/plots/$1.tsv"
  if (($(wc -l <"$out/plots/$1.tsv") < 2)); then
    rm "$out/plots/$1.tsv"
    return
  fi
  gnuplot --default-settings -e "data='$out/plots/$1.tsv'; kind='$format'; subject='${2//\'/}'; unit='$3'; logarithmic=$4" \
    "$harness_dir/bars.gnuplot" >"$out/plots/$1.$format" 2>"$out/plots/$1.err" ||
    die "$exit_output" "gnuplot cannot draw $1: $(tail_of "$out/plots/$1.err")"
  rm -f "$out/plots/$1.err"
}

results_of() { with_jq '.benchmarks[] | select(.name == $name) | .results | '"$2" "$out/report.json" --arg name "$1" "${@:3}"; }

draw_plots() {
  local spec
  for spec in "${engines[@]}"; do
    jq -e --arg engine "$spec" 'any(.sweeps[]; .engine == $engine and .series == "sizes")' "$out/report.json" >/dev/null || continue
    results_of Subnet_Total_Time 'phase_bars($engine)' --arg engine "$spec" |
      draw "phases-${spec//[^A-Za-z0-9_.=-]/_}" "opensm with $spec: its phases" ms 0
  done
  results_of Subnet_Routing_Time 'engine_bars("total")' | draw routing 'Routing phase of opensm' ms 1
  results_of Subnet_Routing_Time 'engine_bars("route calculation")' | draw route_calculation 'Route calculation' ms 1
  results_of Subnet_Total_Time 'engine_bars("total")' | draw total 'Time until the subnet is up' ms 0
  with_jq '.hosts_per_switch | placement_bars' "$out/report.json" |
    draw hosts_per_switch 'Eight hosts on one switch or on eight: time until the subnet is up' ms 0
  with_jq '.hops | hop_bars' "$out/report.json" |
    draw hops 'Hops between hosts' '% of the pairs' 0
  results_of Subnet_Reconfigure_Time 'map(select(.event == "failure")) | engine_bars("total")' |
    draw reconfigure 'Reconfiguration after the failure of a link' ms 0
}

parse_arguments "$@"
need_tool jq jq
need_tool gnuplot gnuplot-nox
check_engines
make_topo=$(find_built bin/make_topo)
claim_output
own_children
rm -rf "${out:?}"/{trials,fabrics,plots,report.txt,report.json}
mkdir -p "$out/fabrics" "$out/plots"
make_fabrics
measure_all
[[ -s $out/sweeps.tsv ]] || die "$exit_unsuitable" "no engine routes any of the fabrics:"$'\n'"$(tail_of "$out/refusals.tsv")"
make_report
[[ $json_file == - ]] || print_tables | tee "$out/report.txt"
[[ -z $json_file ]] || write_result "$json_file" cat "$out/report.json"
draw_plots
