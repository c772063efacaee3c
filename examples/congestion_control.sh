#!/usr/bin/env bash
# Tunes congestion control for the traffic of a fabric, and prints how to set the parameters in its switches and adapters:
#
#   congestion_control.sh today.lft fabric.topo today.traffic
#
# writes today.cc beside the traffic file. Nothing is sent to the fabric; the last lines show the commands to apply and to undo the settings.
# Exit codes: those of the programs, which stop the script.
set -euo pipefail
if (($# != 3)); then
  echo 'usage: congestion_control.sh today.lft fabric.topo today.traffic' >&2
  exit 2
fi
readonly tables=$1 topology=$2 traffic=$3
tuned=${traffic%.traffic}.cc

# Simulates packets with about 60 parameter sets. --guard rejects sets that make the traffic slower than without congestion control.
pssp tune-cc "$tables" "$topology" --traffic "$traffic" --guard --budget 60 --opensm -o "$tuned"
pssp cc params explain "$tuned"
# Simulates the same traffic without and with the tuned set, with seeds that the search has not used.
pssp simulate "$tables" "$topology" --traffic "$traffic" --cc off --cc "$tuned" --seed 1000 --seeds 3

cat <<END
To apply the parameters and to undo this (as root, on a node of the fabric):
  pssp cc apply --dry-run $tuned $topology
  pssp cc apply $tuned $topology
  pssp cc query --profile $tuned $topology
  pssp cc apply --restore SAVED          # SAVED: the file that pssp cc apply prints
END
