#!/usr/bin/env bash
# The build generates a man page of pssp and of each of its commands. Each page has all sections and every option of --help, and
# man reports no errors.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$scratch"

checked=0
{
  echo
  sed -nE 's/^\{"[^"]*", "([^"]+)", "([^"]+)",.*/\1\t\2/p' "$PSSP_SOURCE_DIR/tools/pssp/commands.inc"
} >commands
while IFS=$'\t' read -r command program; do
  [[ -x $bin/${program:-pssp} ]] || continue
  read -ra words <<<"$command"
  name=pssp${command:+ $command}
  page=$PSSP_BUILD_DIR/man/${name// /-}.1
  [[ -s $page ]] || fail "no man page of $name"
  for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
    expect_line "$page" "^\\.SH $section\$"
  done
  sed 's/\\-/-/g' "$page" >plain
  "$bin/pssp" "${words[@]}" --help | grep -oE '^  (-[A-Za-z],)?--[a-z-]+' | tr -d ' ' | tr ',' '\n' | while read -r option; do
    grep -qF -- "$option" plain || fail "$name: the man page does not have $option"
  done
  if command -v man >/dev/null; then
    expect_equal "what man says of $page" "$(man --warnings -E UTF-8 -l "$page" 2>&1 >rendered </dev/null | grep -v "can't break line\|cannot break line\|cannot adjust" || true)" ''
  fi
  ((++checked))
done <commands
((checked >= 7)) || fail "only $checked commands found"
# Programs that can be called without pssp have the man page of their command.
while read -r program page; do
  [[ ! -x $bin/$program ]] || expect_equal "$program.1" "$(<"$PSSP_BUILD_DIR/man/$program.1")" ".so man1/$page.1"
done <<<$'eval_lft pssp-eval\nmonitor_fabric pssp-monitor'
