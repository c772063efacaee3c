#!/usr/bin/env bash
# simulated.sh "WORDS OF MAKE_TOPO" ENGINE TRAFFIC [OPTION..]: shares of the host links that the flows of a traffic file get, without and with
# congestion control.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

read -ra words <<<"$1"
net=$(fabric "${words[@]}")
lft=$(tables "$net" "$2")
answer=$(kept simulate_fabric "$lft" "$net" --traffic "$(dirname "$0")/../traffic/$3" --cc off --cc thesis-start "${@:4}" --json --no-progress --quiet -j 1)
jq -r '.runs[] | (if .cc.name == "off" then "off" else "on" end) as $run | .flows[] | "\(.flow // .name), \($run)\t\(.share)\t\thost link"' "$answer" >>"$OUT/values.tsv"
