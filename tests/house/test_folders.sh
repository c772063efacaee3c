#!/usr/bin/env bash
# docs/explanation/architecture.md lists every folder: top folders in rows of their own, subfolders in the row of their parent,
# and no folder that does not exist. Folders of single programs (tools/, tests/) and folders without sources need not be listed.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$PSSP_SOURCE_DIR"

page=docs/explanation/architecture.md
# One line per listed folder: the folder, a tab, and the text of its row.
sed -n '/^## Layout/,/^## Arrows/s/^| `\([^|]*\) | \(.*\) |.*|$/\1\t\2/p' "$page" | while IFS=$'\t' read -r names row; do
  tr -d '` ' <<<"$names" | tr ',' '\n' | while read -r name; do printf '%s\t%s\n' "${name%/}" "$row"; done
done >"$scratch/rows"
cut -f 1 "$scratch/rows" | sort >"$scratch/named"
[[ -s $scratch/named ]] || fail "no row of $page could be read"

find . -mindepth 2 -type f -not -path './.*' -not -path './build*' -not -path './dist/*' -not -path './out/*' | cut -d / -f 2 | sort -u |
  grep -vx docs >"$scratch/top"
comm -3 "$scratch/top" "$scratch/named" >"$scratch/differ"
[[ ! -s $scratch/differ ]] ||
  fail "$page, Layout: folders without a row, then rows without a folder: $(sed 's/\t/(row) /' "$scratch/differ" | paste -sd ' ')"

while IFS=$'\t' read -r folder row; do
  # shellcheck disable=SC2016  # backquotes of Markdown
  for word in $(grep -o '`[a-z_/]*/`' <<<"$row" | tr -d '`'); do
    [[ -d $folder/$word ]] || fail "$page, row of $folder/: there is no folder $folder/$word"
  done
  case $folder in tools | tests | benchmarks | cmake | debian | packaging | python | docs) continue ;; esac
  for inner in "$folder"/*/; do
    [[ -d $inner ]] || continue
    inner=${inner#"$folder"/}
    [[ $row == *"\`$inner\`"* ]] || fail "$page, row of $folder/: $folder/$inner is not named"
  done
done <"$scratch/rows"
