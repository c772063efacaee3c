# shellcheck shell=bash disable=SC2154  # expect.sh sets scratch
# Prints small fabrics as ibsim net files, and the entries of forwarding tables. Sourced after expect.sh.

# make_tree LEAFS SPINES HOSTS PARALLEL: a two-level tree with HOSTS hosts per leaf and PARALLEL links from each leaf to each
# spine.
make_tree() {
  awk -v leaves="$1" -v spines="$2" -v hosts="$3" -v parallel="$4" 'BEGIN {
    for (h = 0; h < leaves * hosts; h++) printf "Hca\t1 \"H%d\"\n[1]\t\"L%d\"[%d]\n\n", h, int(h / hosts), h % hosts + 1
    for (l = 0; l < leaves; l++) {
      printf "Switch\t%d \"L%d\"\n", hosts + spines * parallel, l
      for (h = 0; h < hosts; h++) printf "[%d]\t\"H%d\"[1]\n", h + 1, l * hosts + h
      for (s = 0; s < spines; s++) for (p = 1; p <= parallel; p++)
        printf "[%d]\t\"S%d\"[%d]\n", hosts + s * parallel + p, s, l * parallel + p
      print ""
    }
    for (s = 0; s < spines; s++) {
      printf "Switch\t%d \"S%d\"\n", leaves * parallel, s
      for (l = 0; l < leaves; l++) for (p = 1; p <= parallel; p++)
        printf "[%d]\t\"L%d\"[%d]\n", l * parallel + p, l, hosts + s * parallel + p
      print ""
    }
  }'
}

# make_mesh WIDTH HEIGHT HOSTS: a mesh. Ports 1 to 4 lead right, left, up and down, and hosts use the ports after them.
make_mesh() {
  awk -v width="$1" -v height="$2" -v hosts="$3" '
    function link(port, x, y, far) {
      if (x >= 0 && x < width && y >= 0 && y < height) printf "[%d]\t\"M%d_%d\"[%d]\n", port, x, y, far
    }
    BEGIN {
      for (y = 0; y < height; y++) for (x = 0; x < width; x++) {
        printf "Switch\t%d \"M%d_%d\"\n", 4 + hosts, x, y
        link(1, x + 1, y, 2); link(2, x - 1, y, 1); link(3, x, y + 1, 4); link(4, x, y - 1, 3)
        for (h = 1; h <= hosts; h++) printf "[%d]\t\"H%d_%d_%d\"[1]\n", 4 + h, x, y, h
        print ""
        for (h = 1; h <= hosts; h++) printf "Hca\t1 \"H%d_%d_%d\"\n[1]\t\"M%d_%d\"[%d]\n\n", x, y, h, x, y, 4 + h
      }
    }'
}

# make_ring SWITCHES HOSTS: a ring. Ports 1 and 2 lead forward and back, and hosts use the ports after them. With five or more
# switches, minimal paths close a cycle in each direction, so that one lane does not suffice and two do.
make_ring() {
  awk -v switches="$1" -v hosts="$2" 'BEGIN {
    for (s = 0; s < switches; s++) {
      printf "Switch\t%d \"R%d\"\n[1]\t\"R%d\"[2]\n[2]\t\"R%d\"[1]\n", 2 + hosts, s, (s + 1) % switches,
        (s + switches - 1) % switches
      for (h = 1; h <= hosts; h++) printf "[%d]\t\"H%d_%d\"[1]\n", 2 + h, s, h
      print ""
      for (h = 1; h <= hosts; h++) printf "Hca\t1 \"H%d_%d\"\n[1]\t\"R%d\"[%d]\n\n", s, h, s, 2 + h
    }
  }'
}

# mesh WIDTH HEIGHT: a mesh with one host per switch. Port 1 leads to the host, ports 2 and 3 along x, ports 4 and 5 along y.
mesh() {
  local width=$1 height=$2 x y
  for ((x = 0; x < width; x++)); do
    for ((y = 0; y < height; y++)); do
      printf 'Switch\t8 "S%d_%d"\n[1]\t"H%d_%d"[1]\n' "$x" "$y" "$x" "$y"
      ((x + 1 == width)) || printf '[2]\t"S%d_%d"[3]\n' "$((x + 1))" "$y"
      ((x == 0)) || printf '[3]\t"S%d_%d"[2]\n' "$((x - 1))" "$y"
      ((y + 1 == height)) || printf '[4]\t"S%d_%d"[5]\n' "$x" "$((y + 1))"
      ((y == 0)) || printf '[5]\t"S%d_%d"[4]\n' "$x" "$((y - 1))"
      printf '\nHca\t1 "H%d_%d"\n[1]\t"S%d_%d"[1]\n\n' "$x" "$y" "$x" "$y"
    done
  done
}

# entries DUMP: prints switch GUID, LID and port of every entry, sorted, for dumps of all programs.
entries() {
  sed -n 's/.* guid 0x\([0-9a-f]*\) .*/S \1/p; s/^0x\([0-9a-f]*\) \([0-9]*\).*/\1 \2/p' "$1" |
    awk '$1 == "S" { guid = $2; next } { print guid, $1, $2 }' | sort
}

# same_entries DUMP DUMP: the dumps must have the same entries.
same_entries() {
  expect_same <(entries "$1") <(entries "$2") "$1 and $2"
}
