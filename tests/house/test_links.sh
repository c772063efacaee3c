#!/usr/bin/env bash
# References resolve: every relative link of the pages, with its section, and every path of this repository in pages, sources and
# settings.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$PSSP_SOURCE_DIR"

mapfile -t pages < <(find . -path './build*' -prune -o -path ./out -prune -o -name '*.md' -print | sort)
((${#pages[@]} >= 20)) || fail "only ${#pages[@]} pages found"
report=$scratch/report
: >"$report"

# anchors PAGE: prints the link targets of the page's sections: lower case, dashes for blanks, no punctuation.
anchors() { sed -nE 's/^#+ //p' "$1" | tr '[:upper:] ' '[:lower:]-' | sed 's/[^a-z0-9_-]//g'; }

for page in "${pages[@]}"; do
  folder=$(dirname "$page")
  # Code blocks contain no links.
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

# exists PATH: succeeds if the path exists in the repository, in docs/, or with the ending of a source. NAME in capitals and * are
# placeholders.
exists() {
  local path=$1
  # lidmod is the engine that readers of the tutorial write themselves.
  [[ ! $path =~ (NAME|TOOL|TARGET|PROGRAM|lidmod|[*]) ]] || return 0
  [[ -e $path || -e docs/$path || -e $path.h || -e $path.cpp ]]
}

# A path begins with one of our folders and has an extension, or ends in a slash or a quotation mark.
folders=$(find . -mindepth 1 -maxdepth 1 -type d ! -name '.git' ! -name 'build*' ! -name out -printf '%f|' | sed 's/|$//; s/\./\\./g')
{
  printf '%s\0' "${pages[@]}" .clang-tidy
  git ls-files -z -- '*.h' '*.cpp' '*.sh' '*.cmake' 2>/dev/null | grep -zv '^tests/house/\|^tests/fuzz/corpus' || true
} | xargs -0 grep -HnoE "(^|[^A-Za-z0-9_./{}\$*-])($folders)/[A-Za-z0-9_./*-]*(\\.(h|cpp|c|sh|md|awk|cmake|txt|jq|map|1|7)\\b|/([^A-Za-z0-9_.*{\$<-]|\$)|\`)" |
  sed -E "s#^([^:]*):([0-9]+):[^A-Za-z.]*#\\1 \\2 #; s#[^A-Za-z0-9_.*/-]+\$##" | while read -r source line path; do
  exists "$path" || printf '%s:%s: there is no %s\n' "$source" "$line" "$path"
done >>"$report" || true

[[ ! -s $report ]] || fail "$(wc -l <"$report") references:"$'\n'"$(<"$report")"
