#!/usr/bin/env bash
# Every figure in README.md is beside the command that prints it. The test runs the commands and compares their output. A figure
# without a command is an error, because nobody would notice when it becomes wrong.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without opensm ibsim

cd "$scratch"
# demo.sh installs and builds, and then runs dry_run, which replaces it here.
mkdir path
ln -s "$bin/dry_run" path/demo.sh
PATH=$scratch/path:$bin:$PATH
programs="$(find "$PSSP_SOURCE_DIR/tools" -mindepth 2 -name CMakeLists.txt -exec sed -n 's/^pssp_[a-z_]*(\([a-z_]*\) .*/\1/p' {} + | tr '\n' ' ') demo.sh"

# lines_of FILE: prints the lines with figures.
lines_of() { awk -v "programs=$programs" -f "$here/readme_figures.awk" "$1"; }

# output_of COMMANDS: prints the name of the file with their output, which is generated once.
output_of() {
  local name
  name=$(cksum <<<"$1" | tr -c '0-9\n' _)
  if [[ ! -e $name ]]; then
    bash -euo pipefail -c "${1//.\/demo.sh/demo.sh}" >"$name" 2>"$name.err" </dev/null || fail "'$1' ends with status $?: $(tail -n 5 "$name.err")"
  fi
  printf '%s' "$name"
}

# check_figures FILE: prints the figures that do not match.
check_figures() {
  local line commands kind text missing output
  while IFS=$'\t' read -r line commands kind text; do
    if [[ $commands == - ]]; then
      printf '%s: a figure without a command: %s\n' "$line" "$text"
      continue
    fi
    output=$(output_of "$commands")
    missing=$(awk -v "kind=$kind" -v "text=$text" -f "$here/held_figures.awk" "$output")
    [[ -z $missing ]] || printf '%s: %s does not print %s\n' "$line" "$commands" "${missing//$'\n'/, }"
  done < <(lines_of "$1" | sed 's/\t\t/\t-\t/')
}

# Verify that the check detects a wrong figure, a wrong order, a figure without a command, and a time.
cat >sample.md <<'END'
Numbers (`make_topo --version; printf 'a 0.1234 7.25 3\nb 2.5\n'`), .123 of them:

| what | first | second |
|---|---|---|
| `a` | .123 | 7.3 |
| `b` | 2.5 | |
| a, b | 0.1 | |
| `a` | 7.25 | .123 |

```
name  first  time ms
a     0.1234  99.5
a     0.124  99.5
```

Nobody printed .5 of this.
END
found=$(check_figures sample.md | cut -d: -f1 | tr '\n' ' ')
expect_equal 'lines of the sample with wrong figures' "$found" '7 8 13 16 '

wrong=$(check_figures "$PSSP_SOURCE_DIR/README.md")
[[ -z $wrong ]] || fail "figures of README.md:"$'\n'"$wrong"
echo "$(lines_of "$PSSP_SOURCE_DIR/README.md" | wc -l) lines of figures hold"
