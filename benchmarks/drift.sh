#!/usr/bin/env bash
# Do tables wander when links come and go? Home against bringing the last tables up to date, on the fabrics of docs/stable.md.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: drift.sh [--bin DIR] [--fabrics DIR] [--events N] [--engine NAME] [--ways LIST]

Prints a line for each fabric and way (drift.cpp says what its columns are). DIR has the program (default: build-dev/bin beside this script's
folder), --fabrics the saved real fabric ndr-40-switches.ibnetdiscover, which is left out where it is not there.
Events: 200; engine: best; ways: home,chained.

Exit codes: 0 done, 2 usage, 7 tables that must not be used.
EOT
}

here=$(dirname "$(readlink -f "$0")")
bin=$here/../build-dev/bin fabrics='' events=200 engine=best ways=home,chained
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --bin) bin=$2 && shift 2 ;;
    --fabrics) fabrics=$2 && shift 2 ;;
    --events) events=$2 && shift 2 ;;
    --engine) engine=$2 && shift 2 ;;
    --ways) ways=$2 && shift 2 ;;
    *) usage >&2 && exit 2 ;;
  esac
done
[[ -x $bin/drift ]] || { usage >&2 && exit 2; }
header=''
for fabric in chic 'k-ary-n-tree 6 3' 'xgft 8,8,8 1,4,4' deimos 'torus 6x6x4' "$fabrics/ndr-40-switches.ibnetdiscover"; do
  [[ $fabric != /* || -f $fabric ]] || continue
  "$bin/drift" ${header:+"$header"} --engine "$engine" --way "$ways" --events "$events" "$fabric"
  header=--no-header
done
