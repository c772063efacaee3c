#!/usr/bin/env bash
# Congestion control, from what a fabric carries to settings for its switches and adapters:
#
#   congestion_control.sh today.lft fabric.topo today.traffic
#
# leaves tuned.cc beside the traffic. Nothing is sent to the fabric: the last lines say how that is done, and undone.
# Exit codes: those of the programs, which stop the script.
set -euo pipefail
if (($# != 3)); then
  echo 'usage: congestion_control.sh today.lft fabric.topo today.traffic' >&2
  exit 2
fi
readonly tables=$1 topology=$2 traffic=$3
tuned=${traffic%.traffic}.cc

# Packets through the fabric, with some sixty sets of parameters. --guard: never one that makes it slower than without.
tune_cc "$tables" "$topology" --traffic "$traffic" --guard --budget 60 --opensm -o "$tuned"
cc_params explain "$tuned"
# The same traffic without and with it, on seeds that the search has not seen.
simulate_fabric "$tables" "$topology" --traffic "$traffic" --cc off --cc "$tuned" --seed 1000 --seeds 3

cat <<END
to set it, and to take it back (as root, on a node of the fabric):
  cc_apply --dry-run $tuned $topology
  cc_apply $tuned $topology
  cc_query --profile $tuned $topology
  cc_apply --restore SAVED          # the file that cc_apply names
END
