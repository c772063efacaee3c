#!/usr/bin/env bash
# ccache_clang.sh COMPILER ARGUMENT...: a compiler launcher. By itself ccache finds nothing in another clone of what clang compiled with
# precompiled headers: CMake names them from the root, in arguments that ccache does not know to be paths, and what clang writes of
# them has those names in it. So names below the folder of the build, from which the compiler is called, become relative, and beside
# a precompiled header lies the digest of the text that it was made of: with CCACHE_PCH_EXTSUM ccache compares that.
set -euo pipefail

arguments=("${@//"$PWD/"/}")
ccache "${arguments[@]}"

output=
for ((i = 0; i + 1 < ${#arguments[@]}; ++i)); do
  [[ ${arguments[i]} != -o ]] || output=${arguments[i + 1]}
done
[[ $output == *.pch ]] || exit 0

# The same call, but for the text of the headers instead of what clang makes of it.
for ((i = 0; i < ${#arguments[@]}; ++i)); do
  case ${arguments[i]} in
    -emit-pch) arguments[i]=-E ;;
    "$output") arguments[i]=- ;;
  esac
done
"${arguments[@]}" | sed '/^#/d' | sha256sum >"$output.sum"
