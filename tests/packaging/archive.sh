#!/usr/bin/env bash
# The archive for other systems in a minimal system: its programs run as user nobody in a folder with a blank in its name. They
# need only libraries of the archive, glibc and GCC, and no symbol of a newer glibc than documented. PSSP_ARCHIVE_FILE is the
# archive (default: that of build-archive/ of the sources: cpack --preset archive).
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
# shellcheck source=tests/packaging/roots.sh
. "$(dirname "$(readlink -f "$0")")/roots.sh"

if [[ -n ${PSSP_ARCHIVE_FILE:-} ]]; then
  archives=("$PSSP_ARCHIVE_FILE")
else
  archives=("$PSSP_SOURCE_DIR"/build-archive/pssp-tools-*.tar.gz)
fi
[[ -e ${archives[0]} ]] || skip 'there is no archive: cpack --preset archive makes it (docs/how-to/install.md)'
((${#archives[@]} == 1)) || fail "several archives: ${archives[*]}"
need_roots "$@"
trap leave_roots EXIT
find_base
make_root archive
place=$root/opt/'our tools'
mkdir -p "$place"
tar -xzf "${archives[0]}" -C "$place" --strip-components=1

for file in "$place"/bin/pssp "$place"/libexec/pssp/* "$place"/lib/*.so*; do
  newest=$(objdump -T "$file" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
  [[ $(printf '%s\nGLIBC_2.34\n' "$newest" | sort -V | tail -n 1) == GLIBC_2.34 ]] || fail "$file needs $newest"
  newest=$(objdump -T "$file" | grep -oE 'GLIBCXX_[0-9.]+' | sort -uV | tail -n 1)
  [[ $(printf '%s\nGLIBCXX_3.4.29\n' "$newest" | sort -V | tail -n 1) == GLIBCXX_3.4.29 ]] || fail "$file needs $newest, beyond GCC 11"
done

# as_nobody COMMAND...: runs a command as user nobody in a folder with a blank in its name.
mkdir "$root/home/a blank"
chmod 777 "$root/home/a blank"
as_nobody() {
  chroot --userspec=nobody "$root" env -i PATH='/opt/our tools/bin:/usr/bin:/bin' LC_ALL=C.UTF-8 \
    bash -c 'cd "/home/a blank" && exec "$@"' bash "$@" </dev/null
}
expect 0 '^pssp [0-9]' as_nobody pssp --version
expect 0 '^eval_lft [0-9]' as_nobody eval_lft --version
for file in "$place"/bin/pssp "$place"/libexec/pssp/*; do
  name=$(basename "$file")
  expect 0 "^$name [0-9]" as_nobody "${file#"$root"}" --version
  as_nobody ldd "${file#"$root"}" | awk '{ print $1 }' | sed 's#.*/##' | grep -vE '^(lib(c|m|stdc\+\+|gcc_s|tbb|fmt)|linux-vdso|ld-linux-x86-64)\.so' &&
    fail "$name needs libraries that are not in the archive"
done
as_nobody ldd '/opt/our tools/libexec/pssp/eval_lft' | grep -E 'lib(tbb|fmt)' >"$scratch/libraries" || fail 'eval_lft uses neither libtbb nor libfmt'
! grep -v '/opt/our tools/' "$scratch/libraries" || fail 'eval_lft uses libraries of the system instead of the archive'
expect 0 '' as_nobody pssp make-topo chic --lids -o c.net
expect 0 '' as_nobody pssp route --engine best c.net -o c.lft
expect 0 'bisection' as_nobody pssp eval c.lft c.net
expect 0 '' as_nobody pssp simulate --scenario thesis-a --check
for licence in copyright.tbb copyright.fmt copyright.mkdocs-material LICENSE; do check test -s "$place/share/doc/opensm-pssp/$licence"; done
expect 0 '' python3 "$here/../house/check_site.py" "$place/share/doc/opensm-pssp/html"
