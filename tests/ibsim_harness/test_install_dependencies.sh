#!/usr/bin/env bash
# install_dependencies.sh installs only missing packages with apt-get. Scripts simulate dpkg-query and apt-get: a package is
# installed if a file of its name is in $scratch/installed.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"

install=$PSSP_SOURCE_DIR/scripts/install_dependencies.sh
mkdir "$scratch/installed" "$scratch/bin"
cat >"$scratch/bin/dpkg-query" <<EOF
#!/bin/sh
for package; do :; done
[ -e "$scratch/installed/\$package" ] && printf installed
EOF
cat >"$scratch/bin/apt-get" <<EOF
#!/bin/sh
echo "\$*" >>"$scratch/calls"
[ ! -e "$scratch/broken" ] || exit 100
for word; do case \$word in -* | update | install) ;; *) touch "$scratch/installed/\$word" ;; esac; done
EOF
cat >"$scratch/bin/sudo" <<'EOF'
#!/bin/sh
[ "$1" != -n ] || shift
exec "$@"
EOF
chmod +x "$scratch"/bin/*
export PATH=$scratch/bin:$PATH

# The script must not install a second subnet manager on a machine with InfiniBand adapters.
if compgen -G '/sys/class/infiniband/*' >/dev/null; then
  expect 1 '' "$install"
  said stderr 'would start a subnet manager'
  touch "$scratch/installed/opensm"
fi

: >"$scratch/calls"
touch "$scratch/broken"
expect 1 '' "$install"
said stderr 'apt-get update failed'
rm "$scratch/broken"

: >"$scratch/calls"
expect 0 '' "$install"
grep -qx update <(sed 's/ .*//' "$scratch/calls") || fail "no update before the installation"
grep -q 'install .* cmake .* ibsim-utils' "$scratch/calls" || fail "asked for: $(<"$scratch/calls")"
grep -q catch2 "$scratch/calls" && fail "packages that only tests need were installed"

: >"$scratch/calls"
expect 0 '' "$install"
[[ ! -s $scratch/calls ]] || fail "apt-get was called though nothing was missing: $(<"$scratch/calls")"
expect 0 '' "$install" --tests
grep -q 'install .*catch2' "$scratch/calls" || fail "the tests' packages are missing from: $(<"$scratch/calls")"
grep -q cmake "$scratch/calls" && fail "installs packages that are already installed"
rm "$scratch/installed/jq"
: >"$scratch/calls"
expect 0 '' "$install" --tests
[[ $(tail -n 1 "$scratch/calls") =~ ' jq'$ ]] || fail "asked for: $(<"$scratch/calls")"
expect 2 '' "$install" --all
expect 0 '' "$install" --help
