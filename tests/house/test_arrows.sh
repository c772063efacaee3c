#!/usr/bin/env bash
# Checks includes. Dependencies of top folders only point downwards, folders inside a top folder form no cycle, and headers of
# other projects are included only where they belong. docs/explanation/architecture.md has the same table.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$PSSP_SOURCE_DIR"

# One line per folder with the folders that it may include. Programs may include every library, and no other folder includes
# programs.
cat >"$scratch/allowed" <<'END'
base
fabric base
congestion base fabric
routing base fabric
topologies base fabric
wire base congestion fabric
evaluator base fabric routing
operations base fabric routing evaluator
applications base fabric routing evaluator
simulator base fabric congestion routing topologies evaluator applications
monitor base fabric routing wire evaluator operations
osm_plugin base fabric congestion routing
tools base fabric congestion routing topologies wire evaluator operations applications simulator monitor ibsim_harness
python base fabric routing topologies evaluator applications tools
ibsim_harness base fabric congestion routing topologies evaluator tools
benchmarks base fabric congestion routing topologies wire evaluator operations applications simulator monitor tools ibsim_harness
END
# Exceptions: the headers of higher folders that these folders may include. The monitor's map and the picture of a pattern share
# the layout.
cat >"$scratch/only" <<'END'
wire fabric ^fabric/ids\.h$
ibsim_harness tools ^tools/kit/
benchmarks tools ^tools/kit/
python tools ^tools/(eval_lft/json|simulate_application/answer)/
simulator evaluator ^evaluator/(flows/max_min_shares\.h$|patterns/|paths/node_directory\.h$|rerouting/)
simulator applications ^applications/(networks/|schedule/playing\.h$)
monitor operations ^operations/cabling/
monitor evaluator ^evaluator/(flows/|metrics/|rerouting/|pictures/map_layout\.h$)
END

cut -d ' ' -f 1 "$scratch/allowed" | while read -r folder; do
  [[ ! -d $folder ]] || find "$folder" -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.c' \)
done | sort >"$scratch/files"
[[ -s $scratch/files ]] || fail 'no sources found'

# Lists "including file, included file" of all includes of our own headers.
xargs grep -HoE '^ *# *include "[^"]+"' <"$scratch/files" | sed -E 's/:[^"]*"([^"]+)"$/ \1/' >"$scratch/includes"

report=$scratch/report
: >"$report"

# ---- arrows between top folders ----
awk '
  FILENAME ~ /allowed$/ { for (i = 1; i <= NF; i++) may[$1, $i] = 1; known[$1] = 1; next }
  FILENAME ~ /only$/ { only[$1, $2] = $3; next }
  {
    split($1, from, "/")
    split($2, to, "/")
    if (!(to[1] in known)) print $1 ": " $2 " is not named by its path from the top of the project"
    else if (!((from[1], to[1]) in may)) print $1 ": " $2 " is in a folder that " from[1] "/ does not use"
    else if ((from[1], to[1]) in only && $2 !~ only[from[1], to[1]])
      print $1 ": " $2 " is not among what " from[1] "/ uses of " to[1] "/"
  }' "$scratch/allowed" "$scratch/only" "$scratch/includes" >>"$report"

# ---- the page has the same table ----
# The rows of the table, one line per folder as above. Rows in words ("all libraries") are not checked.
page=docs/explanation/architecture.md
awk -F'|' '
  /^## / { in_table = $0 == "## Arrows" }
  !in_table || NF < 4 || $2 !~ /`/ || $3 ~ /libraries/ { next }
  {
    sub(/;.*/, "", $3)
    n = split($2, folders, "`")
    m = split($3, used, "`")
    for (i = 2; i <= n; i += 2)
      for (k = 2; k <= m + 1; k += 2) {
        sub(/\/.*/, "", used[k])
        print folders[i], used[k]
      }
  }' "$page" | sed 's/ *$//' | sort -u | awk 'NF == 2' >"$scratch/drawn"
awk '{ for (i = 2; i <= NF; i++) if ($1 !~ /^(tools|benchmarks|python|ibsim_harness)$/) print $1, $i }' "$scratch/allowed" | sort -u >"$scratch/meant"
diff "$scratch/drawn" "$scratch/meant" | sed -n "s,^< ,$page has an arrow that there is not: ,p; s,^> ,$page lacks the arrow ,p" >>"$report" || true

# ---- cycles of folders inside one top folder ----
# Folders are nodes at each depth below the top folder. Files in a folder itself form a separate node, because subfolders may use
# what the folder provides to all. tsort prints the members of a cycle.
for depth in 2 3 4; do
  awk -v depth="$depth" '
    function folder(path,   part, n, i, name) {
      n = split(path, part, "/")
      name = part[1]
      for (i = 2; i <= depth && i < n; i++) name = name "/" part[i]
      return name
    }
    {
      split($1, from, "/")
      split($2, to, "/")
      a = folder($1)
      b = folder($2)
      if (from[1] == to[1] && a != b) print a, b
    }' "$scratch/includes" | sort -u >"$scratch/edges"
  if ! tsort "$scratch/edges" >/dev/null 2>"$scratch/circle"; then
    members=$(sed -n 's/^tsort: \([^:]*\/[^:]*\)$/\1/p; s/^tsort: \([a-z_]*\)$/\1/p' "$scratch/circle" | sort -u | paste -sd ' ')
    printf 'folders include each other in a cycle: %s\n' "$members" >>"$report"
    # Print the includes that cause the cycle.
    awk -v members="$members" -v depth="$depth" '
      function folder(path,   part, n, i, name) {
        n = split(path, part, "/")
        name = part[1]
        for (i = 2; i <= depth && i < n; i++) name = name "/" part[i]
        return name
      }
      BEGIN { n = split(members, list, " "); for (i = 1; i <= n; i++) in_cycle[list[i]] = 1 }
      { a = folder($1); b = folder($2); if (a != b && a in in_cycle && b in in_cycle) print "  " $1 " -> " $2 }' \
      "$scratch/includes" >>"$report"
  fi
done

# ---- headers of other projects ----
# only_in HEADER FILES_REGEX: only matching files may include headers that begin with HEADER.
only_in() {
  xargs grep -lE "^ *# *include <$1" <"$scratch/files" | grep -vE "$2" | sed "s,\$,: <$1...> is for $2 alone," >>"$report" || true
}
only_in 'CLI/' '^tools/kit/command_line\.cpp$'
only_in 'opensm/' '^osm_plugin/'
only_in 'complib/' '^osm_plugin/'
only_in 'iba/' '^osm_plugin/'
only_in 'curl/' '^monitor/notify/webhook\.cpp$'
only_in 'infiniband/' '^wire/umad_port\.cpp$'
only_in 'sqlite3' '^monitor/store/'
only_in 'SQLiteCpp/' '^monitor/store/'
only_in 'archive(_entry)?\.h' '^fabric/input/archive_reader\.cpp$'
only_in 'pybind11/' '^python/'
# restinio takes half a minute to compile, so only one file may include it.
only_in 'restinio/' '^monitor/server/http_server\.cpp$'

# ---- libraries and their folders ----
# No library lists a source outside its folder. Tests may compile sources that a program does not provide as a library.
find . -path './build*' -prune -o -path ./tests -prune -o -name CMakeLists.txt -print0 |
  xargs -0 grep -nE '(PROJECT|CMAKE)_SOURCE_DIR\}/[^*]*\.(cpp|c)\b|[ (]\.\./' /dev/null | sed 's/$/ : a source outside the folder/' >>"$report" || true

# ---- no folder outgrows the others ----
xargs wc -l <"$scratch/files" | awk '$2 != "total" { split($2, part, "/"); lines[part[1]] += $1; all += $1 }
  END { for (f in lines) if (4 * lines[f] > all) printf "%s/ has %d of %d lines, more than a quarter\n", f, lines[f], all }' >>"$report"

[[ ! -s $report ]] || fail "$(wc -l <"$report") lines:"$'\n'"$(<"$report")"
