#!/usr/bin/env bash
# Do tables wander when links come and go? Home against bringing the last tables up to date, on the fabrics of docs/stable.md.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: drift.sh [--bin DIR] [--fabrics DIR] [--events N] [--engine NAME] [--ways LIST] [--hosts P] [--switches P] [--plot FILE.svg] [SPEC ..]

Prints a line for each fabric and way (drift.cpp says what its columns are). DIR has the program (default: build-dev/bin beside this script's
folder), --fabrics the saved real fabric ndr-40-switches.ibnetdiscover, which is left out where it is not there. SPEC: other fabrics, each one
argument.
Events: 200; engine: best; ways: home,chained; of a hundred losses P are hosts and P switches without hosts: 0 and 0, the others links.
--plot draws S after each event, a panel for each fabric; it needs gnuplot.

Exit codes: 0 done, 1 a program is missing, 2 usage, 7 tables that must not be used.
EOT
}

here=$(dirname "$(readlink -f "$0")")
bin=$here/../build-dev/bin fabrics='' events=200 engine=best ways=home,chained hosts=0 switches=0 picture=''
specs=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --bin) bin=$2 && shift 2 ;;
    --fabrics) fabrics=$2 && shift 2 ;;
    --events) events=$2 && shift 2 ;;
    --engine) engine=$2 && shift 2 ;;
    --ways) ways=$2 && shift 2 ;;
    --hosts) hosts=$2 && shift 2 ;;
    --switches) switches=$2 && shift 2 ;;
    --plot) picture=$2 && shift 2 ;;
    -*) usage >&2 && exit 2 ;;
    *) specs+=("$1") && shift ;;
  esac
done
[[ -x $bin/drift ]] || { usage >&2 && exit 2; }
if [[ -n $picture ]] && ! command -v gnuplot >/dev/null; then
  echo 'drift.sh: gnuplot is missing, which --plot needs: apt install gnuplot-nox' >&2
  exit 1
fi
((${#specs[@]} > 0)) || specs=(chic 'k-ary-n-tree 6 3' 'xgft 8,8,8 1,4,4' deimos 'torus 6x6x4' "$fabrics/ndr-40-switches.ibnetdiscover")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

drawn=()
for fabric in "${specs[@]}"; do
  [[ $fabric != /* || -f $fabric ]] || continue
  arguments=(--engine "$engine" --way "$ways" --events "$events" --hosts "$hosts" --switches "$switches")
  ((${#drawn[@]} == 0)) || arguments+=(--no-header)
  [[ -z $picture ]] || arguments+=(--series "$scratch/${#drawn[@]}.tsv")
  "$bin/drift" "${arguments[@]}" "$fabric"
  drawn+=("${fabric##*/}")
done
[[ -n $picture ]] || exit 0

{
  printf 'set terminal svg size 900,%d font "sans,11" background "white"\nset output "picture.svg"\n' "$((220 * ${#drawn[@]}))"
  printf 'set multiplot layout %d,1\nset datafile separator "\\t"\nset grid ytics\nset key outside right top\nset autoscale xfix\nset ylabel "S"\n' "${#drawn[@]}"
  for ((i = 0; i < ${#drawn[@]}; i++)); do
    printf 'set title "%s: S after each event, up to six things missing"\nset xlabel "event"\nplot ' "${drawn[i]}"
    for way in ${ways//,/ }; do
      # Other ways are blanks, by which a line would be interrupted: each has rows of its own.
      awk -F '\t' -v way="$way" '$1 == way' "$scratch/$i.tsv" >"$scratch/$i.$way.tsv"
      printf '"%s" using 2:4 with lines linewidth 1.5 title "%s", ' "$i.$way.tsv" "$way"
    done
    printf '\n'
  done
} >"$scratch/picture.gnuplot"
(cd "$scratch" && gnuplot picture.gnuplot)
cp "$scratch/picture.svg" "$picture"
