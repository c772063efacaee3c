#!/usr/bin/env bash
# Builds the Debian packages of this clone in dist/ with their checksums. Installs missing build dependencies (listed in
# debian/control), and builds only files that git has, so that packages contain nothing else.
set -euo pipefail
here=$(dirname "$(dirname "$(readlink -f "$0")")")
cd "$here"

usage() {
  cat <<'END'
usage: make_packages.sh [COMMIT]

Builds the Debian packages of COMMIT (default: HEAD) on Debian 12, and writes
dist/*.deb and dist/SHA256SUMS. Installs missing build dependencies with
apt-get.

Exit codes: 0 success, 1 the build failed (the path of its log is printed),
2 usage.
END
}

case ${1:-} in
  -h | --help)
    usage
    exit 0
    ;;
  -*)
    printf "make_packages.sh: unknown option '%s'; see --help\n" "$1" >&2
    exit 2
    ;;
esac
commit=${1:-HEAD}
git rev-parse --quiet --verify "$commit^{commit}" >/dev/null || {
  printf "make_packages.sh: '%s' is not a commit of this repository\n" "$commit" >&2
  exit 2
}
[[ $commit != HEAD || -z $(git status --porcelain --untracked-files=no) ]] ||
  printf 'make_packages.sh: warning: uncommitted changes are not in the packages\n' >&2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
privileged=(env DEBIAN_FRONTEND=noninteractive)
((EUID == 0)) || privileged=(sudo "${privileged[@]}")
mkdir "$work/opensm-pssp"
git archive "$commit" | tar -x -C "$work/opensm-pssp"
if ! command -v dpkg-buildpackage >/dev/null || ! (cd "$work/opensm-pssp" && dpkg-checkbuilddeps) 2>"$work/missing"; then
  "${privileged[@]}" apt-get update -qq
  "${privileged[@]}" apt-get install -y -qq --no-install-recommends dpkg-dev fakeroot
  "${privileged[@]}" apt-get build-dep -y -qq --no-install-recommends "$work/opensm-pssp"
fi
mkdir -p dist
log=$here/dist/build.log
printf 'building; log: %s\n' "$log"
# Use the time of the commit as the current time, so that two builds are identical.
if ! (cd "$work/opensm-pssp" && SOURCE_DATE_EPOCH=$(git -C "$here" log -1 --format=%ct "$commit") dpkg-buildpackage -b -us -uc "-j$(nproc)") >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  printf 'make_packages.sh: dpkg-buildpackage failed; complete log: %s\n' "$log" >&2
  exit 1
fi
rm -f dist/*.deb dist/*.changes dist/*.buildinfo
cp "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo dist/
(cd dist && sha256sum -- *.deb >SHA256SUMS)
ls -l dist/*.deb
