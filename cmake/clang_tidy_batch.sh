#!/usr/bin/env bash
# clang_tidy_batch.sh DATABASE OPTION... FILE: clang-tidy, called with OPTIONs, of one file of the compilation database in the folder
# DATABASE, unless it found nothing before in the same text, which is all that the file includes, with its comments, definitions and
# names of files: the digests of such texts are kept, in whichever clone they were looked at. clang-tidy takes ten times as long as
# the preprocessor.
set -euo pipefail

readonly database=$1 file=${*: -1}
shift
readonly known=${XDG_CACHE_HOME:-$HOME/.cache}/opensm-pssp/clang-tidy

# What clang-tidy would see of the file; without the project's own place.
text() {
  local command
  command=$(jq -r --arg file "$file" 'first(.[] | select(.file == $file)) | "cd \(.directory | @sh) && \(.command)"' "$database/compile_commands.json")
  # The command is as a shell wants it, and ends with "-o OBJECT -c SOURCE".
  bash -c "${command/ -o * -c / -E -C -dD -dI -w }" | sed "s#$PWD##g"
}

key=$({ clang-tidy --version && cat .clang-tidy && printf '%s\n' "${@/#"$PWD"/}" && text; } | sha256sum | cut -d ' ' -f 1)
if [[ -e $known/$key ]]; then
  touch "$known/$key"
  exit 0
fi
clang-tidy -quiet -p "$database" "$@"
mkdir -p "$known"
touch "$known/$key"
