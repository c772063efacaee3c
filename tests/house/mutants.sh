#!/usr/bin/env bash
# mutants.sh N SEED [FOLDER]: mutation testing. Changes N random operators, one at a time, in sources that have a test of their
# own (tests/X/test_NAME.cpp for X/NAME.cpp), only below FOLDER if it is given. After each change it builds, runs the cases of
# that test and then all of its program, and finally prints the changes that no test noticed. The same arguments make the same
# changes in the same sources. This is not a ctest, because a person must judge the survivors: a change may be equivalent, or a
# test may be missing.
#
# Works on its own tree, which must have no uncommitted changes, and reverts every change. Builds in build-dev or PSSP_BUILD_DIR.
# A change takes ten seconds or more.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

usage() {
  printf 'mutants.sh: %s; expected: mutants.sh N SEED [FOLDER]\n' "$1" >&2
  exit 2
}
(($# == 2 || $# == 3)) || usage "$# arguments"
[[ $1 =~ ^[1-9][0-9]{0,4}$ && $2 =~ ^[0-9]{1,9}$ ]] || usage "'$1' '$2'"
wanted=$1 seed=$2 folder=${3:-.}
[[ -d $folder ]] || usage "no folder '$folder'"
build=${PSSP_BUILD_DIR:-build-dev}
[[ -e $build/build.ninja ]] || usage "no build in $build (cmake --preset dev)"
# Sanitizers reserve more address space than a changed program is allowed. All tests would fail, and every change would seem
# noticed.
! grep -q -- '-fsanitize=' "$build/build.ninja" || usage "the build in $build has sanitizers; PSSP_BUILD_DIR names one without (cmake --preset dev)"
[[ -z $(git status --porcelain --untracked-files=no) ]] || usage 'the tree has changes that are not committed'

scratch=$(mktemp -d)
changed=
restore() {
  [[ -z $changed ]] || git checkout --quiet -- "$changed"
  changed=
}
trap 'restore; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# Lists "SOURCE TEST PROGRAM" for each pair that is built.
ninja -C "$build" -t targets all 2>/dev/null | sed -n 's,^\(tests/.*CMakeFiles/test_[a-z_]*\.dir/.*\.o\): .*,\1,p' >"$scratch/objects"
git ls-files 'tests/*/test_*.cpp' | while read -r test; do
  source=${test#tests/}
  source=${source%/*}/${source##*/test_}
  [[ -e $source && ($folder == . || $source == "${folder%/}"/*) ]] || continue
  program=$(grep -E "CMakeFiles/test_[a-z_]*\.dir/(.*/)?${test##*/}\.o$" "$scratch/objects" |
    while read -r object; do
      inner=${object#*.dir/}
      [[ ${object%%/CMakeFiles/*}/${inner%.o} != "$test" ]] || sed -E 's,.*CMakeFiles/(test_[a-z_]*)\.dir/.*,\1,' <<<"$object"
    done | sed -n 1p)
  [[ -z $program ]] || printf '%s %s %s\n' "$source" "$test" "$program"
done >"$scratch/pairs"
[[ -s $scratch/pairs ]] || usage "$build has no unit tests of it"

# Lists "KEY SOURCE LINE COLUMN LENGTH NEW" for each operator outside comments and strings. clang-format puts blanks around binary
# operators, but not around the brackets of templates.
# shellcheck disable=SC2016  # $0 is awk's
cut -d ' ' -f 1 "$scratch/pairs" | xargs awk -v seed="$seed" '
  BEGIN {
    srand(seed)
    pairs = split("< <=,<= <,> >=,>= >,== !=,!= ==,&& ||,|| &&,+ -,- +,* /,/ *,+= -=,-= +=,% /", binary, ",")
    for (i = 1; i <= pairs; i++) {
      split(binary[i], of, " ")
      from[++count] = " " of[1] " "
      to[count] = " " of[2] " "
    }
    pairs = split("++ --,true false,false true,std::min( std::max(,std::max( std::min(,continue; break;", word, ",")
    for (i = 1; i <= pairs; i++) {
      split(word[i], of, " ")
      from[++count] = of[1]
      to[count] = of[2]
    }
  }
  /^ *(\/\/|#|template|static_assert|using )/ || /"/ || /operator/ { next }
  {
    code = $0
    sub(/ *\/\/.*/, "", code)
    for (i = 1; i <= count; i++) {
      at = 0
      while ((found = index(substr(code, at + 1), from[i])) > 0) {
        at += found
        printf "%.9f\t%s\t%d\t%d\t%d\t%s\n", rand(), FILENAME, FNR, at, length(from[i]), to[i]
      }
    }
  }' | sort >"$scratch/changes"

# The braces redirect the shell's message about a program that died by a signal.
passes() {
  { (ulimit -v $((16 << 20)) && exec timeout 300 "$build/bin/$1" --abort "${@:2}"); } >"$scratch/said" 2>&1
}

tried=0 noticed=0
while ((tried < wanted)) && IFS=$'\t' read -r _ source line column length new; do
  read -r _ test program < <(grep -F "$source " "$scratch/pairs" | head -n 1)
  changed=$source
  awk -v line="$line" -v column="$column" -v length_="$length" -v new="$new" '
    FNR == line { $0 = substr($0, 1, column - 1) new substr($0, column + length_) }
    { print }' "$source" >"$scratch/changed.cpp"
  cp "$scratch/changed.cpp" "$source"
  # A change that does not compile does not count.
  if ninja -C "$build" "bin/$program" >"$scratch/built" 2>&1; then
    tried=$((tried + 1))
    # A program that runs forever or uses up the memory fails, so the change is noticed.
    if passes "$program" --filenames-as-tags "[#$(basename "$test" .cpp)]" && passes "$program"; then
      printf 'survives: %s:%s: %s\n' "$source" "$line" "$(sed -n "${line}s/^ *//p" "$source")"
    else
      noticed=$((noticed + 1))
    fi
  fi
  restore
done <"$scratch/changes"
printf '%d of %d changes were noticed\n' "$noticed" "$tried"
