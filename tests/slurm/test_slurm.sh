#!/usr/bin/env bash
# Compares jobs and host lists with Slurm itself. Our reading of squeue must agree with scontrol; job names are hostile.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
# shellcheck source=tests/slurm/cluster.sh
. "$PSSP_SOURCE_DIR/tests/slurm/cluster.sh"
skip_without jq
show=$bin/show_slurm
check test -x "$show"

stop_slurm() {
  if ((${#started[@]} > 0)); then end_jobs; fi
  end_slurm
  clean_up
}
trap stop_slurm EXIT

# ---- host lists; scontrol needs a configuration, but no controller ----
write_slurm_conf
# A thousand random lists, twenty per scontrol process. scontrol orders several brackets in its own way, so names are compared as
# sets.
awk 'BEGIN {
  srand(7)
  for (list = 0; list < 1000; list++) {
    line = ""
    items = 1 + int(rand() * 4)
    for (item = 0; item < items; item++) {
      name = substr("abcdefgh", 1 + int(rand() * 8), 1) (rand() < .3 ? "-node" : "")
      brackets = int(rand() * 3)
      for (b = 0; b < brackets; b++) {
        name = name (b ? "x" : "") "["
        ranges = 1 + int(rand() * 3)
        for (r = 0; r < ranges; r++) {
          first = int(rand() * 120)
          width = int(rand() * 5)
          name = name (r ? "," : "") sprintf("%0" width "d", first)
          if (rand() < .6) name = name "-" sprintf("%0" width "d", first + int(rand() * 12))
        }
        name = name "]"
      }
      if (!brackets) name = name int(rand() * 100)
      line = line (item ? "," : "") name
    }
    print line
  }
}' >"$scratch/lists"
expect_equal 'number of lists' "$(wc -l <"$scratch/lists")" 1000
paste -sd ',,,,,,,,,,,,,,,,,,,\n' "$scratch/lists" >"$scratch/joined"
"$show" hosts <"$scratch/joined" >"$scratch/ours"
while read -r list; do scontrol show hostnames "$list" | paste -sd ' '; done <"$scratch/joined" >"$scratch/theirs"
sorted_names() { awk '{n = split($0, word, " "); for (i = 1; i <= n; i++) print NR, word[i]}' "$1" | sort; }
expect_same <(sorted_names "$scratch/ours") <(sorted_names "$scratch/theirs") 'names of host lists, ours and those of scontrol'

# ---- jobs ----
start_slurm
submit 2 'a|b <x>"' >/dev/null
submit 3 $'line\njob-0|99|RUNNING|1|2|n1|root|forged' >/dev/null
submit 1 $'\e]0;x\a\xff' >/dev/null
submit 3-9 'pending' >/dev/null
ended=$(submit 1 'ended')
all_run() { [[ $(squeue --noheader --states=RUNNING --format %A | wc -l) -ge 5 ]]; }
wait_until all_run
scancel "$ended"
has_ended() { grep -q JobState=CANCELLED < <(scontrol show job "$ended"); }
wait_until has_ended

"$show" jobs >"$scratch/jobs" 2>"$scratch/problems"
check test ! -s "$scratch/problems"
expect_equal 'number of jobs' "$(wc -l <"$scratch/jobs")" "$(squeue --noheader --states=all --format '%A%n' | grep -cE '^[0-9]+')"
while read -r job; do
  id=$(jq -r .id <<<"$job")
  SLURM_TIME_FORMAT=%s scontrol show job "$id" >"$scratch/shown"
  expect_equal "state of job $id" "$(jq -r .state <<<"$job")" "$(sed -n 's/^   JobState=\([A-Z_]*\) .*/\1/p' "$scratch/shown")"
  expect_equal "user of job $id" "$(jq -r .user <<<"$job")" "$(sed -n 's/^   UserId=\([^(]*\)(.*/\1/p' "$scratch/shown")"
  expect_equal "start of job $id" "$(jq -r .start <<<"$job")" "$(sed -n 's/^   StartTime=\([0-9]*\) .*/\1/p' "$scratch/shown")"
  nodes=$(sed -n 's/^   NodeList=\(.*\)/\1/p' "$scratch/shown")
  expect_equal "nodes of job $id" "$(jq -r '.nodes | join(" ")' <<<"$job")" "$(scontrol show hostnames "$nodes" | paste -sd ' ')"
done <"$scratch/jobs"
# The command prints the same jobs, with terminal control characters escaped.
monitor=$bin/monitor_fabric
if [[ -x $monitor ]]; then
  "$monitor" jobs --slurm --json -o "$scratch/told"
  expect_equal 'jobs of the command' "$(jq -c 'sort_by(.id)[] | [.id, .state, .user, (.start // 0) / 1000, .nodes]' "$scratch/told")" \
    "$(jq -cs 'sort_by(.id)[] | [.id, .state, .user, .start, .nodes]' "$scratch/jobs")"
  check jq -e 'any(.[]; .name == "a|b <x>\"") and any(.[]; .name | test("^\\\\u\\{1b\\}]0;x"))' \
    "$scratch/told" >"$scratch/null"
  "$monitor" jobs --slurm >"$scratch/text"
  ! grep -q $'\x1b' "$scratch/text" || fail 'the name of a job sends an escape sequence to the terminal'
fi
names=$(jq -c .name "$scratch/jobs" | sort)
for name in '"a|b <x>\""' '"line\njob-0|99|RUNNING|1|2|n1|root|forged"' '"pending"' '"ended"'; do
  grep -qF -- "$name" <<<"$names" || fail "no job has the name $name:"$'\n'"$names"
done

# ---- Slurm does not answer ----
end_jobs
end_slurm
expect 1 "the program 'squeue' (failed|did not end)" "$show" jobs 300
