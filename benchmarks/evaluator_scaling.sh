#!/usr/bin/env bash
# Measures how eval_lft scales with threads, and with processes under mpirun.
#
#   evaluator_scaling.sh [FOLDER_OF_THE_TOOLS] [TOPOLOGY] [BISECTIONS]
#
# Prints a table: seconds for BISECTIONS bisections of a generated fabric, the speedup over one thread, and the peak memory (of
# the largest process). The time includes reading the input, which does not scale.
set -euo pipefail

bin=$(realpath "${1:-build/bin}")
topology=${2:-thunderbird}
bisections=${3:-200000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Open MPI requires two variables before it runs as root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

read -ra words <<<"$topology"
"$bin/make_topo" "${words[@]}" -o "$folder/t.net" 2>/dev/null
"$bin/route_lft" --engine pssp "$folder/t.net" -o "$folder/t.lft" 2>/dev/null

# measure NAME COMMAND...: runs the command three times and prints a row with the shortest time.
one_thread=
measure() {
  local name=$1 times=() best memory=0 seconds kilobytes
  shift
  for _ in 1 2 3; do
    /usr/bin/time -o "$folder/time" -f '%e %M' "$@" "$bin/eval_lft" "$folder/t.lft" "$folder/t.net" --no-credit-loops \
      -n "$bisections" --json -o "$folder/report.json" "${threads[@]}"
    read -r seconds kilobytes <"$folder/time"
    times+=("$seconds")
    ((kilobytes <= memory)) || memory=$kilobytes
  done
  best=$(printf '%s\n' "${times[@]}" | sort -g | sed -n 1p)
  : "${one_thread:=$best}"
  awk -v name="$name" -v s="$best" -v one="$one_thread" -v kb="$memory" \
    'BEGIN { printf "%-14s %8.2f %8.2f %10.0f\n", name, s, one / s, kb / 1024 }'
}

printf '%s, %s bisections, %s cores\n' "$topology" "$bisections" "$(nproc)"
printf '%-14s %8s %8s %10s\n' '' seconds speedup 'MiB'
for ((n = 1; n <= $(nproc); n *= 2)); do
  threads=(-j "$n")
  measure "$n threads"
done
command -v mpirun >/dev/null || exit 0
for ((n = 1; n <= $(nproc); n *= 2)); do
  threads=(-j 1)
  measure "$n processes" mpirun --oversubscribe -n "$n"
done
