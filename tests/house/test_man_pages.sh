#!/usr/bin/env bash
# The build has made a man page of every program: it has all its sections and every option of --help, and man has nothing to say
# against it.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$scratch"

checked=0
for folder in "$PSSP_SOURCE_DIR"/tools/*/; do
  name=$(basename "$folder")
  [[ -x $bin/$name ]] || continue
  page=$PSSP_BUILD_DIR/man/$name.1
  [[ -s $page ]] || fail "no man page of $name"
  for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
    expect_line "$page" "^\\.SH $section\$"
  done
  sed 's/\\-/-/g' "$page" >plain
  "$bin/$name" --help | grep -oE '^  (-[A-Za-z],)?--[a-z-]+' | tr -d ' ' | tr ',' '\n' | while read -r option; do
    grep -qF -- "$option" plain || fail "$name: the man page does not have $option"
  done
  if command -v man >/dev/null; then
    expect_equal "what man says of $name.1" "$(man --warnings -E UTF-8 -l "$page" 2>&1 >rendered </dev/null | grep -v "can't break line\|cannot break line\|cannot adjust" || true)" ''
  fi
  ((++checked))
done
((checked >= 6)) || fail "only $checked programs found"
