#!/usr/bin/env bash
# deploy_tables acts as root on the contents of its state folder. Each command refuses a folder, a file in it or a parent folder
# that another user could have written, symbolic links, and anything but regular files. It neither follows links nor runs commands
# from such files. No fabric is needed.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
deploy=$PSSP_BUILD_DIR/bin/deploy_tables
[[ -x $deploy ]] || skip 'deploy_tables is not built'
cd "$scratch"
chmod 755 "$scratch"
state=$scratch/state
victim=$scratch/victim
printf 'not to be touched\n' >"$victim"
cp "$victim" victim.before
: >new.lft
: >fabric.topo

# A change that waits for its confirmation and contains a command.
planted_pending() {
  cat <<EOF
deploy_tables: unconfirmed change, version 1
id 000001_20260101T000000Z
previous 000001_20260101T000000Z.lft
digest 0
boot another
deadline_ns 1
deadline_ms 1
timer process 1 1
unit opensm.service
process 0
reload touch $scratch/executed
patience 1
end
EOF
}

# A folder as deploy_tables creates it, with all its files.
fresh_state() {
  rm -rf "$state"
  mkdir -m 700 "$state" "$state/history" "$state/topology"
  for name in active.lft aside.lft next.lft log lock history/000001_20260101T000000Z.lft topology/0.topo; do
    printf 'of before\n' >"$state/$name"
  done
  planted_pending >"$state/pending"
  chmod -R go-rwx "$state"
}

# refused STATE REGEX: each command must refuse with status 8 (guard --once is a Nagios plugin: 3) and change nothing.
refused() {
  local before
  before=$(find "$1/" -printf '%p %m %u %s %l\n' | sort)
  expect 8 "$2" "$deploy" status --state "$1"
  expect 8 "$2" "$deploy" confirm --state "$1"
  expect 8 "$2" "$deploy" back-out --state "$1"
  expect 8 "$2" "$deploy" back-out --unconfirmed any --state "$1"
  expect 8 "$2" "$deploy" back-out --unconfirmed 000001_20260101T000000Z --wait-until 1 --state "$1"
  expect 8 "$2" "$deploy" apply new.lft fabric.topo --confirm-within 5s --state "$1"
  expect 8 "$2" "$deploy" check-setup --state "$1"
  expect 8 "$2" "$deploy" check-setup --write --state "$1"
  expect 8 "$2" "$deploy" guard --on-change fallback --state "$1"
  expect 3 "$2" "$deploy" guard --once --state "$1"
  expect_equal "content of $1" "$(find "$1/" -printf '%p %m %u %s %l\n' | sort)" "$before"
  check test ! -e executed
  expect_same "$victim" victim.before
}

# ---- the folder and its subfolders: other users must not be able to write ----
for mode in 0777 0775 1777 0772; do
  for folder in "$state" "$state/history" "$state/topology"; do
    fresh_state
    chmod "$mode" "$folder"
    refused "$state" "$folder: its mode $mode lets other users write to it; expected 0700: .*chmod 0700 $folder"
  done
done

# ---- parent folders ----
mkdir -p above/inner
chmod 0777 above
state=$scratch/above/inner/state
fresh_state
refused "$state" "$scratch/above: its mode 0777 lets other users replace its content; .*chmod go-w $scratch/above"
# The mode of /tmp.
chmod 1777 above
expect 7 'is being reverted|NOT confirmed' "$deploy" status --state "$state"
chmod 0755 above
state=$scratch/state

# ---- each file ----
files=(active.lft aside.lft next.lft pending log lock history/000001_20260101T000000Z.lft topology/0.topo)
for name in "${files[@]}"; do
  for mode in 0666 0620 0602; do
    fresh_state
    chmod "$mode" "$state/$name"
    refused "$state" "$state/$name: its mode $mode lets other users write to it; .*chmod go-w $state/$name"
  done
  for target in "$victim" "$scratch/nothing"; do
    fresh_state
    rm "$state/$name"
    ln -s "$target" "$state/$name"
    refused "$state" "$state/$name: it is a symbolic link; expected a regular file: .*rm $state/$name"
    check test ! -e nothing
  done
  fresh_state
  rm "$state/$name"
  mkfifo "$state/$name"
  refused "$state" "$state/$name: it is not a regular file; expected a regular file"
done

# ---- a link in place of the folder ----
fresh_state
ln -s "$state" link
refused "$scratch/link" "$scratch/link: it is a symbolic link; expected a folder"
refused "$scratch/link/" "$scratch/link: it is a symbolic link; expected a folder"

# ---- the user's own files and folder: accepted, except the command ----
fresh_state
expect 7 'is being reverted' "$deploy" status --state "$state"
expect 7 'run pssp deploy back-out again' "$deploy" back-out --unconfirmed any --state "$state"
check test ! -e executed
check test -e "$state/pending"
# Users may reach the folder by another name: their own links on the way are followed.
ln -s "$scratch" way
expect 7 "^$state\$" "$deploy" status --state "$scratch/way/state"

if ((EUID != 0)); then
  printf 'not tried, since only root can give files away: owners\n'
  exit 0
fi

# ---- owners: files and folders of another user, and of root for another user ----
other=$(id -u nobody)
for name in . history topology "${files[@]}"; do
  fresh_state
  chown "$other" "$state/$name"
  refused "$state" "it belongs to user $other, but the program runs as user 0;"
done
fresh_state
chown "$other" above
mv "$state" above/state
refused "$scratch/above/state" "$scratch/above: it belongs to user $other, who can replace its content; expected root or user 0: chown 0 $scratch/above"
chown 0 above
mv above/state "$state"
ln -s "$scratch" other_link
chown -h "$other" other_link
refused "$scratch/other_link/state" "$scratch/other_link: it is a symbolic link of user $other"

as_other() { setpriv --reuid="$other" --clear-groups "$@"; }
if command -v setpriv >/dev/null && as_other test -x "$deploy"; then
  chmod 755 "$state" "$state/history" "$state/topology"
  expect 8 "it belongs to user 0, but the program runs as user $other" as_other "$deploy" status --state "$state"
  # Root only accepts files that no other user wrote: a folder that another user has filled is refused, whatever its mode.
  mkdir -m 1777 shared
  as_other mkdir -m 700 shared/state shared/state/history shared/state/topology
  planted_pending >for_all
  as_other cp for_all shared/state/pending
  refused "$scratch/shared/state" "it belongs to user $other, but the program runs as user 0"
else
  printf 'not tried, since the programs cannot be run as nobody: the other direction\n'
fi
