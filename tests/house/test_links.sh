#!/usr/bin/env bash
# What is referred to exists: every relative link of the pages, with its section, and every path of this repository that pages,
# sources and settings name.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$PSSP_SOURCE_DIR"

mapfile -t pages < <(find . -path './build*' -prune -o -path ./out -prune -o -name '*.md' -print | sort)
((${#pages[@]} >= 20)) || fail "only ${#pages[@]} pages found"
report=$scratch/report
: >"$report"

# The names of the sections of a page, as links have them: small letters, blanks as dashes, no marks.
anchors() { sed -nE 's/^#+ //p' "$1" | tr '[:upper:] ' '[:lower:]-' | sed 's/[^a-z0-9_-]//g'; }

for page in "${pages[@]}"; do
  folder=$(dirname "$page")
  # What stands in blocks of code is no link.
  awk '/^```/ { code = !code; next } !code' "$page" | { grep -oE '\]\([^) ]+\)' || true; } | sed 's/^](//; s/)$//' | sort -u | while read -r link; do
    [[ $link != *://* && $link != mailto:* ]] || continue
    file=${link%%#*}
    section=
    [[ $link != *'#'* ]] || section=${link#*#}
    target=$page
    [[ -z $file ]] || target=$folder/$file
    if [[ ! -e $target ]]; then
      printf '%s: the link %s leads nowhere\n' "$page" "$link"
    elif [[ -n $section && -f $target ]] && ! grep -qx -- "$section" < <(anchors "$target"); then
      printf '%s: the link %s leads to no section\n' "$page" "$link"
    fi
  done >>"$report"
done

# exists PATH: from the top, in docs/ for pages, or with any ending; NAME in capitals and * stand for something.
exists() {
  local path=$1
  # lidmod is the engine that the reader of a tutorial writes.
  [[ ! $path =~ (NAME|TOOL|TARGET|PROGRAM|lidmod|[*]) ]] || return 0
  [[ -e $path || -e docs/$path || -e $path.h || -e $path.cpp ]]
}

# Paths begin with a folder of ours and have an ending, or end in a slash or a quotation mark.
folders=$(find . -mindepth 1 -maxdepth 1 -type d ! -name '.git' ! -name 'build*' ! -name out -printf '%f|' | sed 's/|$//; s/\./\\./g')
{
  printf '%s\0' "${pages[@]}" .clang-tidy
  git ls-files -z -- '*.h' '*.cpp' '*.sh' '*.cmake' 2>/dev/null | grep -zv '^tests/house/\|^tests/fuzz/corpus' || true
} | xargs -0 grep -HnoE "(^|[^A-Za-z0-9_./{}\$*-])($folders)/[A-Za-z0-9_./*-]*(\\.(h|cpp|c|sh|md|awk|cmake|txt|jq|map|1|7)\\b|/([^A-Za-z0-9_.*{\$<-]|\$)|\`)" |
  sed -E "s#^([^:]*):([0-9]+):[^A-Za-z.]*#\\1 \\2 #; s#[^A-Za-z0-9_.*/-]+\$##" | while read -r source line path; do
  exists "$path" || printf '%s:%s: there is no %s\n' "$source" "$line" "$path"
done >>"$report" || true

[[ ! -s $report ]] || fail "$(wc -l <"$report") references:"$'\n'"$(<"$report")"
