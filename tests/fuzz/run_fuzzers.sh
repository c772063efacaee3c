#!/usr/bin/env bash
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: run_fuzzers.sh [OPTION]... [TARGET]...

Builds the libFuzzer programs with clang, writes the initial inputs, and runs
each target (default: all targets) with limits on time, memory and input length.
Prints a table of seconds, inputs, code coverage and findings.

  --seconds N   time per target (default: 600)
  --jobs N      number of targets that run at the same time (default: 1)
  --folder DIR  folder of the build, inputs and findings (default: build-fuzz in
                the repository)
  --list        list the targets, one per line
  -h, --help    print this text

A finding is an input on which a target crashes, throws an exception other than
pssp::Error, takes more than 10 seconds or more than 1 GiB, or violates a
property that the target checks. Findings are kept in DIR/findings/TARGET/, and
the next run begins with them. Inputs that reach new code are kept in
DIR/corpus/.

Exit codes: 0 no findings, 1 findings, 2 usage, 3 the build or a run failed.
USAGE
}

source_folder=$(dirname "$(readlink -f "$0")")
repository=$(readlink -f "$source_folder/../..")
readonly source_folder repository build_programs=(make_topo route_lft convert_fabric cc_params)

fail() {
  printf 'run_fuzzers.sh: %s\n' "$2" >&2
  exit "$1"
}

list_targets() {
  local file
  for file in "$source_folder"/fuzz_*.cpp; do
    file=${file##*/fuzz_}
    printf '%s\n' "${file%.cpp}"
  done
}

positive() {
  [[ $2 =~ ^[1-9][0-9]{0,5}$ ]] || fail 2 "$1 $2: expected a whole number from 1 to 999999"
  printf '%s' "$2"
}

seconds=600
jobs=1
folder=$repository/build-fuzz
targets=()
while (($# > 0)); do
  case $1 in
    --seconds | --jobs | --folder)
      (($# > 1)) || fail 2 "$1 needs a value; see --help"
      case $1 in
        --seconds) seconds=$(positive "$1" "$2") ;;
        --jobs) jobs=$(positive "$1" "$2") ;;
        --folder) folder=$2 ;;
      esac
      shift
      ;;
    --list)
      list_targets
      exit 0
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    -*) fail 2 "unknown option '$1'; see --help" ;;
    *)
      [[ -e $source_folder/fuzz_$1.cpp ]] || fail 2 "unknown target '$1'; --list prints all targets"
      targets+=("$1")
      ;;
  esac
  shift
done
((${#targets[@]} > 0)) || mapfile -t targets < <(list_targets)

find_compiler() {
  local candidate
  for candidate in "${CLANGXX:-}" clang++-14 clang++; do
    if [[ -n $candidate ]] && command -v "$candidate" >/dev/null; then
      printf '%s' "$candidate"
      return
    fi
  done
  fail 3 'clang is missing; on Debian: apt-get install clang-14 libclang-rt-14-dev (or set CLANGXX to its path)'
}

# Readers of the monitor need its libraries, so the monitor is built only if one of them is a target.
build() {
  local compiler target monitor=OFF
  compiler=$(find_compiler)
  for target in "${targets[@]}"; do
    [[ ! $target =~ ^(http_request|jobs|mads|maintenance|monitor_configuration|samples|saved_counters|thresholds)$ ]] || monitor=ON
  done
  mkdir -p "$folder"
  if ! {
    cmake -S "$repository" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER="${compiler/++/}" \
      -DCMAKE_CXX_COMPILER="$compiler" -DPSSP_BUILD_FUZZERS=ON -DPSSP_BUILD_PLUGIN=OFF -DPSSP_BUILD_BENCHMARKS=OFF \
      -DPSSP_BUILD_MONITOR="$monitor" -DPSSP_BUILD_MONITOR_PAGES=OFF &&
      cmake --build "$folder/build" --target "${targets[@]/#/fuzz_}" "${build_programs[@]}"
  } >"$folder/build.log" 2>&1; then
    tail -n 20 "$folder/build.log" >&2
    fail 3 "the build failed; see $folder/build.log"
  fi
}

# Runs one target to its end. The output of libFuzzer is in logs/.
run_target() {
  local target=$1 memory=/dev/shm
  mkdir -p "$folder/corpus/$target" "$folder/findings/$target" "$folder/seeds/$target"
  # Targets that read files from disk write thousands of files per second.
  [[ -w $memory ]] || memory=${TMPDIR:-/tmp}
  TMPDIR=$memory "$folder/build/bin/fuzz_$target" -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=1024 \
    -malloc_limit_mb=256 -print_final_stats=1 -dict="$folder/seeds/$target.dict" -artifact_prefix="$folder/findings/$target/" \
    "$folder/corpus/$target" "$folder/seeds/$target" >"$folder/logs/$target" 2>&1 </dev/null || true
}

# Prints the table from libFuzzer's output. Status 1 if there are findings.
report() {
  local target log runs coverage took findings all=0
  printf '%-24s %8s %12s %9s %9s\n' target seconds inputs coverage findings
  for target in "${targets[@]}"; do
    log=$folder/logs/$target
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
    coverage=$(grep -ao 'cov: [0-9]*' "$log" | tail -n 1 || true)
    took=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$log" | tail -n 1)
    findings=$(find "$folder/findings/$target" -type f | wc -l)
    all=$((all + findings))
    [[ -n $runs ]] || fail 3 "target $target did not run; see $log"
    printf '%-24s %8s %12s %9s %9d\n' "$target" "${took:-stopped}" "$runs" "${coverage#cov: }" "$findings"
  done
  if ((all > 0)); then
    printf '\n%d finding(s) in %s/findings; the log of a target is %s/logs/TARGET\n' "$all" "$folder" "$folder"
    return 1
  fi
}

# keep_findings: adds the findings of former runs to the initial inputs.
keep_findings() {
  local found
  for found in "$folder"/findings/*/; do
    [[ -d $found ]] || continue
    mkdir -p "$folder/corpus/$(basename "$found")"
    find "$found" -type f -exec mv -t "$folder/corpus/$(basename "$found")" {} +
  done
}

build
keep_findings
rm -rf "$folder/seeds" "$folder/logs"
mkdir -p "$folder/logs"
# The programs are built with sanitizers as well. Memory that they do not free before they end is not a finding.
ASAN_OPTIONS=detect_leaks=0 "$source_folder/make_seeds.sh" "$folder/build/bin" "$folder/seeds" ||
  fail 3 'the initial inputs could not be written'
running=0
for target in "${targets[@]}"; do
  if ((running == jobs)); then
    wait -n || true
    running=$((running - 1))
  fi
  run_target "$target" &
  running=$((running + 1))
done
wait
report
