#!/usr/bin/env bash
# clang_tidy_batch.sh DATABASE OPTION... FILE: runs clang-tidy with OPTIONs on one file of the compilation database in the folder
# DATABASE. It skips the file if an identical text passed before. The text is the preprocessor's output with all included files,
# macro definitions and file names; the cache holds digests of such texts from all clones. The preprocessor takes a tenth of
# clang-tidy's time.
set -euo pipefail

readonly database=$1 file=${*: -1}
shift
readonly known=${XDG_CACHE_HOME:-$HOME/.cache}/opensm-pssp/clang-tidy

# Prints the text that clang-tidy would see of the file, without the path of the project.
text() {
  local command
  command=$(jq -r --arg file "$file" 'first(.[] | select(.file == $file)) | "cd \(.directory | @sh) && \(.command)"' "$database/compile_commands.json")
  # The command is quoted for a shell, and ends with "-o OBJECT -c SOURCE".
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
