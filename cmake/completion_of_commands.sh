#!/usr/bin/env bash
# Prints the bash completion of `pssp`, which completes commands, and then the arguments of the command's program.
# usage: completion_of_commands.sh COMMAND_TABLE COMPLETION...
set -euo pipefail

table=$1
shift
printf '# bash completion of pssp, generated from the completions of its programs\n'
for part; do grep -v -e '^#' -e '^complete ' "$part"; done
printf '_pssp() {\n  local -A functions=('
sed -nE 's/^\{"[^"]*", "([^"]+)", "([^"]+)",.*/\1\t\2/p' "$table" | while IFS=$'\t' read -r command program; do
  for part; do [[ ${part##*/} != "$program" ]] || printf "['%s']=_pssp_%s " "$command" "$program"; done
done
cat <<'END'
)
  # Words of the command begin at $at; `cc` has two.
  local at=1 command names
  [[ $COMP_CWORD == 1 || ${COMP_WORDS[1]} != help ]] || at=2
  command=${COMP_WORDS[at]}
  if ((COMP_CWORD > at)) && [[ -z ${functions[$command]:-} ]]; then
    ((COMP_CWORD == at + 1)) || command+=" ${COMP_WORDS[at + 1]}"
    at=$((at + 1))
  fi
  COMPREPLY=()
  if ((COMP_CWORD > at)); then
    [[ -n ${functions[$command]:-} ]] || return 0
    local -a rest=("${COMP_WORDS[@]:at + 1}")
    local -a COMP_WORDS=("$command" "${rest[@]}")
    local COMP_CWORD=$((COMP_CWORD - at))
    "${functions[$command]}"
    return
  fi
  if [[ ${COMP_WORDS[at - 1]} == cc ]]; then
    names=$(printf '%s\n' "${!functions[@]}" | sed -n 's/^cc //p')
  else
    local -a commands=("${!functions[@]}")
    names=$(printf '%s\n' help --help --version "${commands[@]%% *}")
  fi
  mapfile -t COMPREPLY < <(compgen -W "$(sort -u <<<"$names")" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _pssp pssp
END
