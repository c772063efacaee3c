#!/usr/bin/env bash
# Prints the bash completion of a program or script, generated from its --help and from the lists that the other programs print.
# The build calls it for each program (cmake/pssp.cmake). bash-completion loads the result when a user first completes the
# program's arguments.
# usage: completion.sh PROGRAM BIN_FOLDER SOURCE_FOLDER
set -euo pipefail
export LC_ALL=C

program=$1 bin=$2 sources=$3
name=$(basename "$program")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

joined() { paste -sd ' '; }
# Prints all spellings of the options in a --help.
options_of() {
  sed -nE 's/\{(true|false)\}//g; s/^  ((-[A-Za-z],)?--[a-z0-9_-]+(,--[a-z0-9_-]+)*|-[A-Za-z](, --[a-z-]+)?)( .*)?$/\1/p' "$1" |
    tr -d ' ' | tr ',' '\n' | sort -u
}
commands_of() { sed -n '/^\(Subcommands\|Commands\):$/,/^$/s/^  \([a-z0-9][a-z0-9-]*\) .*/\1/p' "$1"; }

engines() { "$bin/route_lft" --list | sed -n 's/^\([a-z0-9]*\): .*/\1/p'; }
# simulation.sh lists opensm's own engines in one line.
engines_of_opensm() { sed -n 's/^ *\(minhop | .*\)) ;;$/\1/p' "$sources/ibsim_harness/simulation.sh" | tr -d '|' | tr -s ' ' '\n'; }
# listed HEADING: prints the names below a heading of eval_lft --list. Patterns that take an argument keep their colon.
listed() { "$bin/eval_lft" --list | awk -v heading="$1" '/^[A-Z]/ { on = index($0, heading) == 1 } on && /^  / { sub(/:.*/, ":", $1); print $1 }'; }
profiles() { "$bin/cc_params" list | awk '{ sub(/:$/, "", $1); print $1 }'; }
scenarios() { find "$sources/simulator/scenarios" -name '*.traffic' -printf '%f\n' | sed 's/\.traffic$//' | sort; }

# Prints the values that an option accepts, if there is a list of them.
text_for() {
  case $1 in
    --engine | -e) if [[ $name == route_lft ]]; then engines; else engines && engines_of_opensm; fi ;;
    --engines) engines && engines_of_opensm ;;
    --ptrn | -p | --first-ptrn | --second-ptrn) listed 'Patterns' ;;
    --metric | -m) listed 'Metrics' ;;
    --cc | --profile) profiles ;;
    --scenario) scenarios ;;
    # Use the values that --help prints in braces.
    *) sed -nE "s/^  ([^ ]*,)?$1(,[^ ]*)? [^{]*\\{([^}]*)\\}.*/\\3/p" "$scratch"/help* | awk 'NR == 1' | tr ',' '\n' ;;
  esac
}

"$program" --help >"$scratch/help"
mapfile -t commands < <(commands_of "$scratch/help")
for command in "${commands[@]}"; do "$program" "$command" --help >"$scratch/help-$command"; done

function_name=_pssp_${name//[.-]/_}
printf '# bash completion of %s, generated from its --help\n%s() {\n' "$name" "$function_name"
cat <<'END'
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words=
  COMPREPLY=()
  case $previous in
END
for help in "$scratch"/help*; do options_of "$help"; done | sort -u | while read -r option; do
  words=$(text_for "$option" | joined)
  [[ -z $words ]] || printf "    %s) words='%s' ;;\n" "$option" "$words"
done
# shellcheck disable=SC2016  # of the script that is printed
printf '  esac\n  if [[ -z $words && $current == -* ]]; then\n    case ${COMP_WORDS[1]} in\n'
for command in "${commands[@]}"; do
  printf "      %s) words='%s' ;;\n" "$command" "$(options_of "$scratch/help-$command" | joined)"
done
printf "      *) words='%s' ;;\n    esac\n" "$(options_of "$scratch/help" | joined)"
((${#commands[@]} == 0)) || printf "  elif [[ -z \$words && \$COMP_CWORD == 1 ]]; then\n    words='%s'\n" "${commands[*]}"
cat <<'END'
  fi
  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
END
# Complete file names if there is no list of values.
printf 'complete -o default -F %s %s\n' "$function_name" "$name"
