#!/usr/bin/env bash
# Prints the man page of `pssp` or of one of its commands, generated from its --help, its page in docs/reference/ and
# docs/reference/exit-codes.md. The build calls it for every command (cmake/pssp.cmake).
# usage: man_page.sh "pssp COMMAND" PSSP_PROGRAM DOCS_FOLDER VERSION
set -euo pipefail

name=$1 pssp=$2 docs=$3 version=$4
read -ra words <<<"${name#pssp}"
title=${name// /-}
text=${title#pssp-}
page=$docs/reference/$text.md
parts=$(dirname "$(readlink -f "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

help_of() { "$pssp" "${words[@]}" "$@" --help; }

# Prints the commands that --help lists, if there are any.
commands() { sed -n '/^\(Subcommands\|Commands\):$/,/^$/s/^  \([a-z0-9][a-z0-9-]*\) .*/\1/p' "$scratch/help"; }

# Prints the first sentence of --help as the one-line summary in NAME: without a capital letter and a full stop.
summary() {
  sed -n '1{s/\. .*//; s/\.$//; s/^\([A-Z]\)\([a-z]\)/\L\1\E\2/; p}' "$scratch/help"
}

options() {
  awk -v name="$name" -f "$parts/man_options.awk" "$scratch/help"
  local command
  local -a of_commands=()
  while read -r command; do
    help_of "$command" >"$scratch/command-$command"
    of_commands+=("$scratch/command-$command")
  done < <(commands)
  ((${#of_commands[@]} == 0)) || awk -v name="$name" -v several=1 -f "$parts/man_options.awk" "${of_commands[@]}"
}

# Prints the rows of the exit code table that name no program or this program.
exit_status() {
  printf '.SH EXIT STATUS\n'
  awk -F ' *[|] *' -v name="$name" '
    $2 ~ /^[0-9]+$/ && ($4 ~ "`" name "[ `]" && name != "pssp" || $4 !~ /`pssp /) { print "| `" $2 "` | " $4 " |" }' "$docs/reference/exit-codes.md" |
    awk -v headless=1 -f "$parts/man_markdown.awk"
}

# Prints the lines of the page that call the program, unless the page has a section Examples.
examples() {
  ! grep -q '^## Examples$' "$page" || return 0
  awk -v name="$name" '
    /^```/ { inside = !inside; block += inside; next }
    { sub(/^\$ /, "") }
    inside && index($0 " ", name " ") == 1 && !seen[$0]++' "$page" >"$scratch/examples"
  [[ -s $scratch/examples ]] || return 0
  printf '.SH EXAMPLES\n'
  {
    printf '```\n'
    cat "$scratch/examples"
    printf '```\n'
  } | awk -f "$parts/man_markdown.awk"
}

# Succeeds if docs/reference/$1.md is the page of a command.
is_command() { grep -qx -- "$1" < <(sed -nE 's/^\{"[^"]*", "([^"]+)",.*/\1/p' "$docs/../tools/pssp/commands.inc" | tr ' ' -); }

# Prints the commands and other programs that the page mentions, and then the pages in docs/ that it links to.
see_also() {
  local other
  {
    # shellcheck disable=SC2016  # the marks of Markdown
    { grep -oE '`(pssp (cc )?[a-z-]+|[a-z_]+`)' "$page" || true; } | tr -d '`' | sort -u | while read -r other; do
      case $other in
        "$name") ;;
        opensm | ibnetdiscover | dump_fts | ibtracert | ibsim | saquery | smpquery | ibccquery | ibccconfig) printf '.BR %s (8)\n' "$other" ;;
        pssp\ *)
          other=${other// /-}
          ! is_command "${other#pssp-}" || printf '.BR %s (1)\n' "$other"
          ;;
      esac
    done
    { grep -oE '\]\([a-z_./-]+\.md' "$page" || true; } | sed 's/](//' | sort -u | while read -r other; do
      other=$(realpath -m --relative-to="$docs" "$docs/reference/$other")
      case $other in
        ../*) ;;
        reference/plugin.md) printf '.BR osmpssp (7)\n' ;;
        reference/exit-codes.md | "reference/$text.md") ;;
        *) if is_command "$(basename "$other" .md)"; then printf '.BR pssp-%s (1)\n' "$(basename "$other" .md)"; else printf '.I docs/%s\n' "$other"; fi ;;
      esac
    done
  } | LC_ALL=C awk '!seen[$0]++' >"$scratch/see"
  [[ -s $scratch/see ]] || return 0
  printf '.SH SEE ALSO\n'
  sed '$!s/$/,/; s/^\(\.BR [^ ]* ([0-9])\),$/\1 ,/; s/^\.BR \([^ ]*\) (\([0-9]\)) ,$/.BR \1 (\2),/' "$scratch/see"
}

help_of >"$scratch/help"
# The first code block of a page is the synopsis if it begins with the program's name.
called=$(awk '/^## / { exit } /^```/ { if (inside) exit; inside = 1; next } inside' "$page")
[[ $called == "$name "* ]] || called=
printf '.TH %s 1 "" "opensm-pssp %s" "User Commands"\n' "${title^^}" "$version"
# Lines with long options look bad when justified.
printf '.ad l\n'
printf '.SH NAME\n%s \\- %s\n' "$title" "$(summary)"
printf '.SH SYNOPSIS\n'
if [[ -n $called ]]; then
  awk -v name="$name" '
    function roff(text) { gsub(/-/, "\\-", text); return text }
    index($0, name " ") == 1 { print ".B " roff(name); $0 = substr($0, length(name) + 2); sub(/^ +/, "") }
    { print roff($0); print ".br" }' <<<"$called"
else
  sed -n "s,^Usage: $name,.B $name\n,p" "$scratch/help" | sed 's/^ //'
fi
printf '.SH DESCRIPTION\n'
# Print the text before the first section, without the title and the synopsis block.
awk -v called="$called" '/^## / { exit } /^# / { next } called != "" && /^```/ && !taken { taken = skipping = 1; next } /^```/ && skipping { skipping = 0; next } !skipping' "$page" |
  awk -f "$parts/man_markdown.awk"
printf '.SH OPTIONS\n'
options
awk '/^## / { on = 1 } on' "$page" | awk -f "$parts/man_markdown.awk"
exit_status
examples
see_also
