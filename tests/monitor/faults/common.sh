# shellcheck shell=bash
# Functions for tests of faults: a daemon in a simulated fabric, optionally behind a relay.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/monitor_fabric/common.sh"
skip_without curl

# shellcheck disable=SC2034
database=$scratch/history.sqlite

# has_event KIND: succeeds if there was an event of this kind.
has_event() { [[ $(ask "events?kind=$1" | jq '.events | length') -gt 0 ]]; }
now_ms() { date +%s%3N; }
# sweeps_pass COUNT: waits until COUNT more sweeps have ended.
sweeps_pass() {
  local last
  last=$(ask status | jq .sweep)
  eventually sweep_is_behind "$((last + $1))"
}
sweep_is_behind() { [[ $(ask status | jq ".sweep >= $1") == true ]]; }
# export_rows FILE ARGUMENT...: exports raw samples as JSON Lines.
export_rows() {
  local file=$1
  shift
  "$monitor" export -d "$database" --format jsonl "$@" -o "$file"
}
# Runs the query of docs/reference/monitor.md on the whole history.
no_impossible_rates() {
  local query
  query=$(sed -n '/^sqlite3 :memory: /,/^```/p' "$PSSP_SOURCE_DIR/docs/reference/monitor.md" | sed '/^```/d')
  [[ -n $query ]] || fail 'docs/reference/monitor.md has no query'
  "$monitor" export -d "$database" -o counters.csv
  bash -c "$query" >impossible
  [[ ! -s impossible ]] || fail "impossible rates: $(head -n 5 impossible)"
}
