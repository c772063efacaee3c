#!/usr/bin/env bash
# locate_slow: full speed is never below what was measured, it is compared with the speed of the links, and the report has one verdict.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"

# one_switch SPEED NODE...: prints a topology of one switch with a host for each name.
one_switch() {
  local speed=$1 port=0 name
  shift
  printf 'switchguid=0x100\nSwitch\t%d "S-100" # "leaf" enhanced port 0 lid 100 lmc 0\n' "$#"
  for name in "$@"; do
    printf '[%d]\t"H-%d"[1](a%d) # "%s HCA-1" lid %d %s\n' "$((++port))" "$port" "$port" "$name" "$port" "$speed"
  done
  port=0
  for name in "$@"; do
    printf '\ncaguid=0x%d\nCa\t1 "H-%d" # "%s HCA-1"\n[1](a%d)\t"S-100"[%d] # lid %d lmc 0 "leaf" lid 100 %s\n' "$((++port))" "$port" "$name" "$port" "$port" "$port" "$speed"
  done
}
# routed NAME SPEED NODE...: writes this topology to NAME.net and its tables to NAME.lft.
routed() {
  one_switch "${@:2}" >"$1.net"
  "$bin/route_lft" -e pssp "$1.net" -o "$1.lft" 2>/dev/null
}
slow() { expect "$1" "$2" "$bin/locate_slow" "${@:3}"; }
# never PATTERN: the last report must not have a matching line.
never() { if grep -qE "$1" stdout; then fail "'$1' must not be in: $(<stdout)"; fi; }

# ---- most pairs are slow ----
names=()
for i in $(seq 40); do names+=("n$i"); done
routed fat 4xEDR "${names[@]}"
# pairs ROUNDS SLOW: prints rates of shuffled pairs with a little noise, in which the nodes from SLOW on are slow.
pairs() {
  awk -v rounds="$1" -v slow="$2" 'BEGIN { srand(7); for (r = 1; r <= rounds; r++) { by = int(1 + r * 38 / rounds); for (i = 1; i <= 40; i++) { j = (i - 1 + by) % 40 + 1
    printf "%d n%d n%d %.2f\n", r, i, j, ((i >= slow || j >= slow) ? 49.3 : 88.4) * (1 + .02 * (rand() - .5)) } } }'
}
pairs 3 21 >half.txt
slow 7 '^120 rates; full speed 8[78]\.' fat.lft fat.net half.txt
never 'nothing is slow'
slow 7 '"full_rate": 8[78]\.' fat.lft fat.net half.txt --json
check jq -e '.is_slow and .full_rate_basis == "unshared paths" and .unit == null and .link_rate == null and (.slow | length) >= 18' stdout
# All but four nodes are slow; then all but one pair, which is one rate of hundreds: either this rate is wrong, or all others are
# slow.
pairs 3 5 >most.txt
slow 7 'full speed 8[78]\.' fat.lft fat.net most.txt
never 'nothing is slow'
pairs 12 3 >most.txt
slow 7 '^UNDECIDED: 1 of 480 rates is far above all others, up to 88\.[0-9]* \(n[12] to n[12]\)' fat.lft fat.net most.txt
never 'nothing is slow'
# Two speeds at random, independent of the nodes: no component explains them.
awk 'BEGIN { srand(3) } { $4 = (rand() < .7 ? 49.3 : 88.4) * (1 + .02 * (rand() - .5)); print }' half.txt >random.txt
slow 7 'full speed 8[78]\.' fat.lft fat.net random.txt
check grep -qE '^SLOW: [0-9]+ of 120 rates are low, about 5[567] % of what is expected, and no cable, adapter or node alone explains them' stdout
never 'nothing is slow'
# The speed of the links shows this too, if the unit is known.
slow 7 '88 % of the link speed of 100 Gbit/s' fat.lft fat.net half.txt --unit Gbit/s
slow 0 '^nothing is slow$' fat.lft fat.net <(sed 's/[0-9.]*$/96.5/' half.txt) --unit Gb/s
never 'low rate'
slow 7 'SLOW: all 120 rates reach at most about 24 % of the link speed \(100 Gbit/s\)' fat.lft fat.net <(sed 's/[0-9.]*$/24.3/' half.txt) --unit Gbps
never 'nothing is slow'
{ printf '# unit MB/s\n' && sed 's/[0-9.]*$/3037.5/' half.txt; } >slow.txt
slow 7 'full speed 303[78] MB/s; ' fat.lft fat.net slow.txt
check grep -q 'SLOW: all 120 rates reach at most about 24 %' stdout
slow 7 'SLOW: all 120 rates reach at most about 25 % of full speed \(--full\)' fat.lft fat.net slow.txt --full 12200
never 'n[0-9]+ - leaf'
slow 2 'full speed is 1000, but 120 rates show about 3037.5' fat.lft fat.net slow.txt --full 1000
slow 2 "'furlongs'" fat.lft fat.net slow.txt --unit furlongs
printf '# unit furlongs\n1 n1 n2 3\n' >slow.bad
slow 3 "slow.bad:1: unknown unit 'furlongs'" fat.lft fat.net slow.bad
# Two files in different units are combined; files without a unit among them are refused.
awk '{ $4 /= 125; print }' slow.txt | sed '1s/.*/# unit Gbit\/s/' >bits.txt
slow 7 'full speed 24.3 Gbit/s' fat.lft fat.net slow.txt bits.txt
slow 3 'half.txt:.*have no unit' fat.lft fat.net slow.txt half.txt
# One disturbed rate among few is a finding, one among many is not.
head -n 8 half.txt | sed 's/[0-9.]*$/88/; 3s/[0-9.]*$/30/' >few.txt
slow 7 'SLOW: 1 of 8 rates is low, about 34 % of what is expected' fat.lft fat.net few.txt
never 'nothing is slow'
sed 's/[0-9.]*$/88/; 3s/[0-9.]*$/30/' half.txt >many.txt
slow 0 '^nothing is slow: 1 of 120 rates is low, no more than temporary disturbances cause$' fat.lft fat.net many.txt

# ---- mpiGraph with several ranks a node ----
routed three 4xEDR kvm01 kvm02 kvm03
# table HEAD DIRECTION: prints rates inside a node, between healthy nodes, and of kvm03, which is slow.
table() {
  printf '%s' "$1"
  for i in 0 1 2 3 4 5; do printf '\tkvm0%d:%d' $((i / 2 + 1)) "$i"; done
  printf '\t\n'
  for i in 0 1 2 3 4 5; do
    printf 'kvm0%d:%d %s' $((i / 2 + 1)) "$i" "$2"
    for j in 0 1 2 3 4 5; do
      if ((i == j)); then printf '\t0.000'
      elif ((i / 2 == j / 2)); then printf '\t60000.0'
      elif ((i > 3 || j > 3)); then printf '\t3000.0'
      else printf '\t12000.0'; fi
    done
    printf '\t\n'
  done
}
{ printf 'START mpiGraph v1.6\nProcs\t6\n\n' && table Send to && echo && table Recv from && echo 'END mpiGraph'; } >multi.out
slow 7 'full speed 12000 MiB/s' three.lft three.net multi.out
check grep -qE '^SLOW: (kvm03|leaf\[3\])' stdout
slow 7 '' three.lft three.net multi.out --json
check jq -e '.full_rate >= 11999 and .unit == "MiB/s" and .link_rate > 11920 and .link_rate < 11922' stdout

# ---- one run of a whole job ----
nccl() {
  printf '# nThread 1 nGpus 1\n# Using devices\n'
  printf '#  Rank  0 Group  0 Pid  12 on  kvm01 device  0 [0x19] NVIDIA H100\n#  Rank  1 Group  0 Pid  13 on  kvm02 device  0 [0x19] NVIDIA H100\n#\n'
  printf '#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n'
  printf '#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n'
  printf ' 33554432 8388608 float sum -1 812.3 1.31 1.31 0 808.2 1.5 1.5 0\n 17179869184 4294967296 float sum -1 343000 %s %s 0 343100 1 1 0\n' "$1" "$1"
}
nccl 2.63 >nccl.log
slow 7 'SLOW: the only rate reaches about 21 % of the link speed \(100 Gbit/s\)' three.lft three.net nccl.log
never 'nothing is slow|low rate'
nccl 12.1 >nccl.log
slow 0 '^nothing is slow$' three.lft three.net nccl.log
check grep -q '97 % of the link speed of 100 Gbit/s' stdout
slow 7 'SLOW: the only rate reaches about 22 % of full speed \(--full\)' three.lft three.net nccl.log --full 55
never 'nothing is slow|low rate'
# Rates above the link speed: topology or unit is wrong.
nccl 50 >nccl.log
slow 0 'warning: 1 rate is higher than .* 50 GB/s of kvm01 to kvm02, where 12.5 GB/s is possible' three.lft three.net nccl.log

# ---- links of two speeds: the faster ones are slow ----
routed mixed 4xEDR "${names[@]}"
sed -i -E '/"n([1-9]|1[0-9]) HCA-1"/s/4xEDR/4xNDR/; /^\[1\]/{/"S-100"\[([1-9]|1[0-9])\]/s/4xEDR/4xNDR/}' mixed.net
"$bin/route_lft" -e pssp mixed.net -o mixed.lft 2>/dev/null
awk '{ a = substr($2, 2) + 0; b = substr($3, 2) + 0; $4 = (a < 20 && b < 20) ? 190 : 97; print }' half.txt >mixed.txt
slow 7 'SLOW: all [0-9]+ rates over paths of 400 Gbit/s reach at most about 4[78] % of the link speed \(400 Gbit/s\)' mixed.lft mixed.net mixed.txt --unit Gbit/s
check grep -qE 'paths of 100 Gbit/s: [0-9]+ rates, the fastest at about 97 %' stdout
