#!/usr/bin/env bash
# Every option of the plugin whose value is a text may name a file: the table of options says which there are, so that none
# can be forgotten. Each of them, and the state file, is given whatever a name can stand for: opensm neither hangs nor ends,
# the subnet is up, and each thing is afterwards what it was. All of it stands in the folder of this test; device nodes are
# made here, and no device of the machine is named.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

make_tree 3 2 2 1 >"$scratch/tree.net"
dir=$scratch/sim
simulate "$dir" "$scratch/tree.net"
mounted=
trap '[[ -z $mounted ]] || umount "$mounted"; end_children; clean_up' EXIT

# Options with a free text for a value: neither a range nor a choice.
mapfile -t options < <("$bin/route_lft" --list | sed -n '/^ *[a-z_.]*=/{ / | \| \.\. /!s/^ *\([a-z_.]*\)=.*/\1/p }')
for known in coordinates service_level_dump options_file congestion_control; do
  [[ " ${options[*]} " == *" $known "* ]] || fail "option $known is not in the list: ${options[*]}"
done

# ---- what a name can stand for: make_KIND PATH ----

kinds=(nothing empty text link link_to_link dangling loop folder fifo socket huge unreadable full)
make_nothing() { :; }
make_empty() { : >"$1"; }
make_text() { printf 'notes of the user\n' >"$1"; }
make_link() { printf 'a target\n' >"$1.target" && ln -s "${1##*/}.target" "$1"; }
make_link_to_link() { make_link "$1.second" && ln -s "${1##*/}.second" "$1"; }
make_dangling() { ln -s nowhere "$1"; }
make_loop() { ln -s "${1##*/}" "$1"; }
make_folder() { mkdir "$1" && : >"$1/precious"; }
make_fifo() { mkfifo "$1"; }
make_socket() { (cd "${1%/*}" && python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "${1##*/}"); }
# As long as a file can be, without taking a disk. It begins as no state does: one of zeros would be a remnant of ours.
make_huge() { printf 'a disk image\n' >"$1" && { truncate -s 8E "$1" 2>/dev/null || truncate -s 8T "$1"; }; }
make_unreadable() { printf 'a secret\n' >"$1" && chmod 0 "$1"; }
# A name on a disk that is full.
make_full() { :; }
# The null device under another name; a device that nobody drives.
make_null_device() { mknod "$1" c 1 3; }
make_no_device() { mknod "$1" b 240 7; }

if mknod "$scratch/node" c 1 3 2>/dev/null; then
  kinds+=(null_device no_device)
else
  echo 'device nodes are left out: mknod is not allowed here'
fi
command -v python3 >/dev/null || kinds=("${kinds[@]/socket/nothing}")
mkdir "$scratch/disk"
if mount -t tmpfs -o size=8k none "$scratch/disk" 2>/dev/null; then
  mounted=$scratch/disk
  head -c 8192 /dev/zero >"$mounted/filled"
else
  echo 'a full disk is left out: mount is not allowed here'
fi

# What there is in a folder: kind, mode, size, time of change of each thing, where links lead, what texts say.
picture_of() {
  (cd "$1" && find . -mindepth 1 -printf '%P %y %m %s %T@ %l\n' | sort && find . -type f -size -1M -readable -exec cat {} + 2>/dev/null)
}

# Sets status. A name without a partner must hold nobody up.
sweep() {
  write_opensm_conf "$dir" meshdor,pssp "$plugin_options"
  prepare_opensm "$dir" meshdor,pssp once -Q
  status=0
  run_child 60 "${opensm_command[@]}" >"$dir/opensm.out" 2>&1 || status=$?
}

# check WHAT: against the picture before.
check() {
  ((status == 0)) || fail "$1: opensm ended with status $status: $(tail_of "$dir/opensm.out")"
  subnet_is_up "$dir" || fail "$1: the subnet is not up: $(tail_of "$dir/opensm.log")"
  case $(used_engine "$dir") in
    pssp) ;;
    minhop) grep -q '0x01 -> .*osmpssp' "$dir/opensm.log" || fail "$1: minhop, and not a word about it" ;;
    *) fail "$1: engine '$(used_engine "$dir")'" ;;
  esac
}

place=$scratch/things
for kind in "${kinds[@]}"; do
  [[ $kind != full || -n $mounted ]] || continue
  # All of them at once, each with a thing of its own; then the one that keeps the others from being heard.
  for turn in others options_file; do
    rm -rf "$place"
    mkdir "$place"
    folder=$place
    [[ $kind != full ]] || folder=$mounted
    plugin_options='stable=on'
    for option in "${options[@]}"; do
      own_turn=others
      [[ $option != options_file ]] || own_turn=options_file
      [[ $turn == "$own_turn" ]] || continue
      "make_$kind" "$folder/$option"
      plugin_options+=" $option=$folder/$option"
    done
    if [[ $turn == others && $kind != full ]]; then
      rm -rf "$dir/osm/osmpssp-pssp.state"
      (cd "$dir/osm" && "make_$kind" "$dir/osm/osmpssp-pssp.state")
      kept_state=$(stat -c '%F %s %Y %N' "$dir/osm/osmpssp-pssp.state" 2>/dev/null || true)
    fi
    before=$(picture_of "$folder")
    sweep
    check "$kind for $turn"
    case $kind in
      nothing | empty)
        # A dump may begin where nothing is.
        [[ -z $(find "$folder" -name '*.tmp') ]] || fail "$kind for $turn: a temporary file stays"
        ;;
      *)
        expect_equal "what is there after $kind for $turn" "$(picture_of "$folder")" "$before"
        [[ $turn == options_file || $kind == full ]] ||
          expect_equal "the state file that is $kind" "$(stat -c '%F %s %Y %N' "$dir/osm/osmpssp-pssp.state" 2>/dev/null || true)" "$kept_state"
        ;;
    esac
    rm -rf "$dir/osm/"osmpssp-pssp.state*
  done
done
stop_simulation "$dir"
