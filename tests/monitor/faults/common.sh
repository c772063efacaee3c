# shellcheck shell=bash
# What the tests of faults share: a daemon on a fabric that ibsim plays, maybe behind a relay.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/monitor_fabric/common.sh"
skip_without curl

# shellcheck disable=SC2034
database=$scratch/history.sqlite

# has_event KIND: has it happened?
has_event() { [[ $(ask "events?kind=$1" | jq '.events | length') -gt 0 ]]; }
now_ms() { date +%s%3N; }
# sweeps_pass COUNT: until so many more sweeps have ended.
sweeps_pass() {
  local last
  last=$(ask status | jq .sweep)
  eventually sweep_is_behind "$((last + $1))"
}
sweep_is_behind() { [[ $(ask status | jq ".sweep >= $1") == true ]]; }
# export_rows FILE ARGUMENT...: raw samples as JSON Lines.
export_rows() {
  local file=$1
  shift
  "$monitor" export -d "$database" --format jsonl "$@" -o "$file"
}
# The query of docs/reference/monitor.md on all that is kept.
no_impossible_rates() {
  local query
  query=$(sed -n '/^sqlite3 :memory: /,/^```/p' "$PSSP_SOURCE_DIR/docs/reference/monitor.md" | sed '/^```/d')
  [[ -n $query ]] || fail 'docs/reference/monitor.md has no query'
  "$monitor" export -d "$database" -o counters.csv
  bash -c "$query" >impossible
  [[ ! -s impossible ]] || fail "impossible rates: $(head -n 5 impossible)"
}
