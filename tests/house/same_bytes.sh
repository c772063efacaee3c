#!/usr/bin/env bash
# Compares the output of two builds byte for byte: tables and reports of eight fabrics, by all engines, with virtual lanes, after
# a change of the fabric, as text and as JSON, with one thread and with eight. For refactoring, which must not change any of this.
#
# usage: same_bytes.sh OLD_BIN NEW_BIN   the programs of two builds; says "same" or names what differs
#        same_bytes.sh --short BIN       one build, one thread against eight, two fabrics (this is a ctest)
#
# Times, versions and the names of temporary folders are not compared. Exit codes: 0 same, 1 different, 2 usage.
set -euo pipefail

short=
if [[ ${1:-} == --short && $# == 2 ]]; then
  short=yes old=$2 new=$2
elif [[ $# == 2 && -x $1/make_topo && -x $2/make_topo ]]; then
  old=$1 new=$2
else
  sed -n 's/^# //; /^usage:/,/^ *same_bytes.sh --short/p' "$0" >&2
  exit 2
fi
old=$(readlink -f "$old")
new=$(readlink -f "$new")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fabrics=('k-ary-n-tree 4 2' 'chic --kill-links 20 --seed 7' 'mesh 5x5 --hosts 2' 'torus 4x4x3 --kill-links 3 --seed 2'
  'hypercube 4 --hosts 2' 'random-regular 16 --degree 4 --hosts 3 --lmc 1' 'dragonfly --switches 4 --global-links 1' 'deimos')
[[ -z $short ]] || fabrics=('mesh 4x4 --hosts 2' 'k-ary-n-tree 4 2 --kill-links 2')
# Sections that only the new build prints by default cannot be compared, so options disable them.
unasked=()
for option in --no-structured-suite --no-ceiling; do
  if grep -q -e "$option" < <("$new/eval_lft" --help) && ! grep -q -e "$option" < <("$old/eval_lft" --help); then unasked+=("$option"); fi
done

# Use the engines of the old build; engines that only the new build has cannot be compared.
mapfile -t engines < <("$old/route_lft" --list | sed -n 's/^\([a-z0-9_]*\): .*/\1/p')

has_lids=
! grep -q -e --lids < <("$old/eval_lft" --help) || has_lids=yes
[[ -n $has_lids ]] || unasked+=(--lids base)

# Replaces times in text, in JSON and in lines on standard error.
without_times() {
  sed -E 's/[0-9.]+ (ms|s|us|seconds)\b/TIME \1/g; s/("([a-z_]*(seconds|_ms|milliseconds|version)[a-z_]*|best|median)": )[^,}]*/\1TIME/g' "$1" >"$1.timeless"
  mv "$1.timeless" "$1"
}

# Removes JSON keys that the old build does not have if they only state the previous behavior: that base LIDs were scored.
without_notices() {
  [[ -n $has_lids ]] || sed -i '/^  "lids_scored": 1,$/d; /^  "striping": "slowest",$/d' "$1"
}

# step NAME COMMAND...: stores the command's output and status.
step() {
  local name=$1 status=0
  shift
  "$@" >"$name.out" 2>"$name.err" </dev/null || status=$?
  printf '%s\n' "$status" >"$name.status"
  without_notices "$name.out"
  without_times "$name.out"
  without_times "$name.err"
}

# run BIN THREADS: runs everything, with files in the current folder.
run() {
  local bin=$1 threads=$2 number=0 fabric engine name words left_out=()
  [[ $bin == "$old" ]] || left_out=("${unasked[@]}")
  for fabric in "${fabrics[@]}"; do
    name=f$((number++))
    read -ra words <<<"$fabric"
    step "$name.topo" "$bin/make_topo" "${words[@]}" --lids -o "$name.net"
    step "$name.damaged" "$bin/make_topo" "${words[@]}" --lids --kill-links 25 --seed 5 -o "$name.now.net"
    step "$name.converted" "$bin/convert_fabric" "$name.net" -o "$name.dot"
    for engine in "${engines[@]}"; do
      step "$name.$engine" "$bin/route_lft" -e "$engine" "$name.net" -o "$name.$engine.lft"
      step "$name.$engine.lanes" "$bin/route_lft" -e "$engine" "$name.net" --lanes 8 --json -o "$name.$engine.lanes.lft"
      [[ -e $name.$engine.lft ]] || continue
      step "$name.$engine.score" "$bin/eval_lft" -j "$threads" -n 200 "${left_out[@]}" "$name.$engine.lft" "$name.net"
      step "$name.$engine.json" "$bin/eval_lft" -j "$threads" -n 200 --json --count-lanes "${left_out[@]}" "$name.$engine.lft" "$name.net"
      step "$name.$engine.stable" "$bin/route_lft" --stable "$name.$engine.lft" "$name.now.net" -o "$name.$engine.now.lft"
    done
    [[ -e $name.pssp.lft ]] || continue
    step "$name.pattern" "$bin/eval_lft" -j "$threads" "$name.pssp.lft" "$name.net" -p rand --num-runs 20 --csv "$name.csv"
    step "$name.pattern.json" "$bin/eval_lft" -j "$threads" "$name.pssp.lft" "$name.net" -p tree --num-runs 5 --metric dep_max_delay --json
    step "$name.compared" "$bin/eval_lft" -j "$threads" -n 100 "$name.pssp.lft" "$name.net" --compare "$name.p2ssp.lft"
    step "$name.routes" "$bin/convert_fabric" "$name.net" "$name.pssp.lft" -o "$name.routes.dot"
    step "$name.fdbs" "$bin/convert_fabric" "$name.net" "$name.pssp.lft" -o "$name.fdbs"
  done
  for name in thesis-mesh thesis-start off; do
    step "cc.$name.explained" "$bin/cc_params" explain "$name"
    step "cc.$name.json" "$bin/cc_params" explain --json "$name"
    step "cc.$name.printed" "$bin/cc_params" print "$name"
    step "cc.$name.conf" "$bin/cc_params" emit-opensm-conf "$name"
  done
}

mkdir "$scratch/old" "$scratch/new" "$scratch/new-8"
[[ -n $short ]] || (cd "$scratch/old" && run "$old" 1)
(cd "$scratch/new" && run "$new" 1)
(cd "$scratch/new-8" && run "$new" 8)

compared=$(find "$scratch/new" -type f | wc -l)
((compared > 100)) || {
  printf 'same_bytes.sh: only %d files were made\n' "$compared" >&2
  exit 1
}
different=
for pair in 'old new' 'new new-8'; do
  read -r one other <<<"$pair"
  [[ -z $short || $one == new ]] || continue
  diff -rq "$scratch/$one" "$scratch/$other" >"$scratch/difference" || {
    different=yes
    printf '%s\n' "$one and $other differ:"
    head -n 40 "$scratch/difference" | sed "s,$scratch/,,g"
    awk '/^Files/ { print $2, $4 }' "$scratch/difference" | sed -n 1,3p | while read -r left right; do
      diff -a "$left" "$right" | head -n 6 || true
    done
  }
done
[[ -z $different ]] || exit 1
printf 'same: %d files\n' "$compared"
