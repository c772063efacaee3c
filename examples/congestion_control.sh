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
pssp tune-cc "$tables" "$topology" --traffic "$traffic" --guard --budget 60 --opensm -o "$tuned"
pssp cc params explain "$tuned"
# The same traffic without and with it, on seeds that the search has not seen.
pssp simulate "$tables" "$topology" --traffic "$traffic" --cc off --cc "$tuned" --seed 1000 --seeds 3

cat <<END
to set it, and to take it back (as root, on a node of the fabric):
  pssp cc apply --dry-run $tuned $topology
  pssp cc apply $tuned $topology
  pssp cc query --profile $tuned $topology
  pssp cc apply --restore SAVED          # the file that pssp cc apply names
END
