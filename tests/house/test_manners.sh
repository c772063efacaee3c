#!/usr/bin/env bash
# Every program of tools/ supports --version and --help, and refuses unknown options, with the exit codes of
# docs/reference/exit-codes.md and output on the right stream.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$scratch"

# A program is a folder in tools/ with a source of the same name.
checked=0
for folder in "$PSSP_SOURCE_DIR"/tools/*/; do
  name=$(basename "$folder")
  [[ -e $folder/$name.cpp ]] || continue
  program=$bin/$name
  [[ -x $program ]] || {
    # Some programs are not built without libibumad or without the monitor.
    [[ $name == cc_apply || $name == cc_query || $name == monitor_fabric || $name == play_traffic || $name == deploy_tables ]] && continue
    fail "$name is not built"
  }
  expect 0 "^$name [0-9]+\.[0-9]" "$program" --version
  [[ ! -s stderr ]] || fail "$name --version says on standard error: $(<stderr)"
  expect 0 '[Uu]sage: ' "$program" --help
  [[ ! -s stderr ]] || fail "$name --help says on standard error: $(<stderr)"
  said stdout '--version'
  expect 2 "^$name: " "$program" --no-such-option
  [[ ! -s stdout ]] || fail "$name --no-such-option says on standard output: $(<stdout)"
  ((++checked))
done
((checked >= 6)) || fail "only $checked programs found"
