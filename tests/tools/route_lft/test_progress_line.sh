#!/usr/bin/env bash
# Work of more than two seconds shows its progress and the remaining time on a terminal, and only there.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
skip_without script
cd "$scratch"

children=()
# shellcheck disable=SC2317 # called by the trap
end_children() {
  kill "${children[@]}" 2>/dev/null || true
  wait
  clean_up
}
trap end_children EXIT

"$bin/make_topo" mesh 6x6 --hosts 2 -o mesh.net 2>/dev/null
# So many repetitions that the program does not end by itself.
printf -v command '%q ' "$bin/route_lft" mesh.net -e cassp --repeat 10000 -o tables.lft
: >terminal
script -qefc "$command" terminal >/dev/null 2>&1 &
children+=("$!")
"$bin/route_lft" mesh.net -e cassp --repeat 10000 -o others.lft 2>elsewhere &
children+=("$!")

shows() { grep -aEq "$1" < <(tr '\r' '\n' <terminal); }
eventually shows '^.{0,4}route_lft: [a-z ]+: [0-9]+ %, [0-9]+ s left'
[[ ! -s elsewhere ]] || fail "where no terminal is it said: $(<elsewhere)"
