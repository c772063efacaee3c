#!/usr/bin/env bash
# Checks the documented figures of planned rounds with 100 simulated faults of each kind, with estimated and with unknown noise,
# for the tables of best and, if opensm and ibsim are installed, of its minhop. PSSP_SAVED_FABRICS is a folder with files of
# ibnetdiscover: fabrics of nodes with several rails, or of hundreds of switches. A fabric takes minutes, so no preset runs this
# test: ctest --test-dir build-programs -L rehearsal
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
trials=${PSSP_REHEARSALS:-100}
fallen=0

# rehearse NAME OPTION...: writes plan_pairs' result for the tables and the topology NAME to said.
rehearse() {
  "$bin/plan_pairs" "$1.lft" "$1.net" --rehearse "$trials" --json "${@:2}" >said 2>null || fail "plan_pairs: $*"
}
has() { PATH=$PATH:/usr/sbin:/sbin command -v "$1" >null; }
# holds TEXT CONDITION: checks a condition on the rows of said; of($slow; $next) is one of the rows.
holds() {
  local figures
  figures=$(jq -r '[.rehearsal[] | "\(.slow)\(if .next then ", next" else "" end): \(.alone) + \(.in_group) of \(.simulated), wrong \(.wrong), alarms \(.false_alarms)"] | join("; ")' said)
  if jq -e 'def of($slow; $next): .rehearsal[] | select(.slow == $slow and .next == $next);
    def part($row; $count): $count / $row.simulated; '"$2" said >null; then
    printf '%s: holds\n' "$1"
  else
    printf '%s: DOES NOT HOLD (%s): %s\n' "$1" "$2" "$figures"
    fallen=1
  fi
}
# shellcheck disable=SC2016  # of jq
cable='of("a cable"; false) as $c | part($c; $c.alone) >= %s and part($c; $c.alone + $c.in_group) >= %s and part($c; $c.wrong) <= .02'
# shellcheck disable=SC2016
elsewhere='of("an adapter"; false) as $a | of("five cables"; false) as $f | part($a; $a.alone) >= .99 and
  part($f; $f.alone + $f.in_group) >= .75 and ($f.alone + $f.in_group) / ($f.alone + $f.in_group + $f.wrong) >= .95 and
  ([.rehearsal[] | select(.slow == "nothing") | .false_alarms / .trials] | max) <= .02'
# shellcheck disable=SC2016
direction='of("one direction"; true) as $d | part($d; $d.alone + $d.inseparable) >= .95'

# promised NAME CABLE3 GROUP3 CABLE5 GROUP5 [large]: checks the figures for 3 and 5 rounds. With `large`, where each fault takes
# seconds, faults in one direction are not simulated.
promised() {
  local kinds=()
  [[ ${6-} != large ]] || kinds=(--slow 'cable,adapter,cables,nothing')
  rehearse "$1" --rounds 3 "${kinds[@]}"
  # shellcheck disable=SC2059
  holds "$1, 3 rounds, a cable" "$(printf "$cable" "$2" "$3")"
  holds "$1, 3 rounds, adapters, five at once, nothing" "$elsewhere"
  rehearse "$1" --rounds 5 "${kinds[@]}"
  # shellcheck disable=SC2059
  holds "$1, 5 rounds, a cable" "$(printf "$cable" "$4" "$5")"
  holds "$1, 5 rounds, adapters, five at once, nothing" "$elsewhere"
  [[ ${6-} == large ]] || holds "$1, 5 rounds and --next, one direction" "$direction"
}

for fabric in chic deimos; do
  "$bin/make_topo" "$fabric" --lids -o "$fabric.net" 2>null
  "$bin/route_lft" -e best "$fabric.net" -o "$fabric.lft" 2>null
  promised "$fabric" .90 .95 .95 .98
  if has opensm && has ibsim; then
    "$bin/dry_run" --engine minhop "$fabric.net" --out "$scratch/$fabric.minhop" --patterns 10 >null 2>&1
    cp "$fabric.minhop/routing.lft" "$fabric-minhop.lft"
    cp "$fabric.net" "$fabric-minhop.net"
    promised "$fabric-minhop" .90 .95 .95 .98
  fi
done

for file in "${PSSP_SAVED_FABRICS:-$scratch}"/*.ibnetdiscover; do
  [[ -e $file ]] || continue
  name=$(basename "$file" .ibnetdiscover)
  cp "$file" "$name.net"
  "$bin/route_lft" -e best "$name.net" -o "$name.lft" 2>null
  if (($(grep -c '^Switch' "$name.net") > 100)); then
    promised "$name" .93 .93 .99 .99 large
  else
    rehearse "$name" --rounds 6 --rails together
    # shellcheck disable=SC2016
    holds "$name, 6 rounds of all rails and --next, a cable" 'of("a cable"; true) as $c | part($c; $c.alone + $c.in_group) >= .90'
    # shellcheck disable=SC2016
    holds "$name, 6 rounds of all rails and --next, an adapter" 'of("an adapter"; true) as $a | part($a; $a.alone + $a.in_group) >= .99'
  fi
done
((fallen == 0)) || fail 'not all of it holds'
