#!/usr/bin/env bash
# Prints the parameters that tune_cc finds for a mesh, a torus, a fat tree and real fabrics.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: congestion_tuning.sh [--bin DIR] [--fabrics DIR] [--out DIR] [--budget N] [--objective WHAT] CASE..

Tunes congestion control for each CASE, prints the report, and writes tables, traffic, parameter set, report and picture.

CASE is one of:
  mesh      experiment D
  mesh-nth  experiment D with --marking every-nth
  torus     6x6x4, two hosts per switch, three destinations with 12 senders each
  chic      528 hosts, an incast of 32 hosts and uniform traffic
  ndr, hdr  the saved fabrics ndr-40-switches.ibnetdiscover and hdr-666-switches.ibnetdiscover in the folder --fabrics, with the traffic of chic

  --bin DIR         folder of the programs (default: build/bin beside this script's folder)
  --fabrics DIR     folder of the saved fabrics
  --out DIR         folder of the results (default: a new folder)
  --budget N        number of simulations (default: mesh 200, hdr 32, others 120)
  --objective WHAT  objective of tune_cc (default: throughput)

Exit codes: those of tune_cc; 2 usage.
EOT
}

here=$(dirname "$(readlink -f "$0")")
bin=$here/../build/bin fabrics='' out='' budget='' objective=throughput
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --bin) bin=$(readlink -f "$2") && shift 2 ;;
    --fabrics) fabrics=$(readlink -f "$2") && shift 2 ;;
    --out) out=$2 && shift 2 ;;
    --budget) budget=$2 && shift 2 ;;
    --objective) objective=$2 && shift 2 ;;
    -*) usage >&2 && exit 2 ;;
    *) break ;;
  esac
done
(($# > 0)) || { usage >&2 && exit 2; }
[[ -n $out ]] || out=$(mktemp -d)
mkdir -p "$out"
cd "$out"

# tune NAME RUNS OPTION...: runs tune_cc and prints its report.
tune() {
  "$bin/tune_cc" "${@:3}" --objective "$objective" --budget "${budget:-$2}" -o "$1.cc" --report "$1.txt" --plot "$1.svg" --resume "$1.csv"
  cat "$1.txt"
}

# real NAME FABRIC RUNS LID PAIR PAIR: tunes for an incast of 32 hosts to LID on a saved fabric. Each PAIR is a victim flow "LID
# -> lid LID".
real() {
  [[ -n $fabrics ]] || { usage >&2 && exit 2; }
  "$bin/route_lft" -e best "$fabrics/$2.ibnetdiscover" -o "$1.lft" --write-topology "$1.net"
  cat >"$1.traffic" <<END
duration 400us ; warmup 100us ; sample 5us ; packet 4200B
flow random 32 seed 7 -> lid $4
victim lid $5
victim lid $6
uniform others -> all
END
  tune "$1" "$3" "$1.lft" "$1.net" --traffic "$1.traffic" --vary CCTI_Timer=2us..500us --vary Marking_Rate=0..50 \
    --vary table.flows=4..128 --vary Threshold=1..15
}

for case in "$@"; do
  case $case in
    mesh) tune mesh 200 --scenario thesis-c4 ;;
    mesh-nth) tune mesh-nth 200 --scenario thesis-c4 --marking every-nth ;;
    torus)
      "$bin/make_topo" torus 6x6x4 --hosts 2 --lids --rate 4xSDR -o torus.net
      "$bin/route_lft" -e best --lanes 8 torus.net -o torus.lft --service-levels torus.sl
      cat >torus.traffic <<'END'
duration 10ms ; warmup 2ms ; sample 100us
flow random 12 seed 7 -> H00000
flow random 12 seed 8 -> H00100
flow random 12 seed 9 -> H00200
victim H00003 -> H00005
victim H00103 -> H00105
victim H00203 -> H00205
uniform others -> all
END
      tune torus 120 torus.lft torus.net --service-levels torus.sl --traffic torus.traffic
      ;;
    chic)
      "$bin/make_topo" chic --lids --rate 4xSDR -o chic.net
      "$bin/route_lft" -e pssp chic.net -o chic.lft
      cat >chic.traffic <<'END'
duration 10ms ; warmup 2ms ; sample 100us
flow random 32 seed 7 -> H00000
victim H00013 -> H00001
victim H00130 -> H00002
victim H00250 -> H00003
victim H00370 -> H00004
uniform others -> all
END
      tune chic 120 chic.lft chic.net --traffic chic.traffic
      ;;
    ndr) real ndr ndr-40-switches 120 51 '85 -> lid 87' '230 -> lid 220' ;;
    hdr) real hdr hdr-666-switches 32 3098 '750 -> lid 4186' '1318 -> lid 1770' ;;
    *) usage >&2 && exit 2 ;;
  esac
done
