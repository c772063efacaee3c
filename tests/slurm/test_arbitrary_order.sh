#!/usr/bin/env bash
# Slurm starts ranks in the order that order_nodes writes: with `srun -m arbitrary` rank r runs on the node in line r of the file,
# even if Slurm would choose another order.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
# shellcheck source=tests/kit/fabric.sh
. "$PSSP_SOURCE_DIR/tests/kit/fabric.sh"
# shellcheck source=tests/slurm/cluster.sh
. "$PSSP_SOURCE_DIR/tests/slurm/cluster.sh"
skip_without srun
cd "$scratch"

stop_slurm() {
  end_slurm
  clean_up
}
trap stop_slurm EXIT

# n2 is alone at its leaf: the ring by leaves is n1 n3 n2, and by names n1 n2 n3.
make_tree 2 1 2 1 | sed -e 's/"H0"/"n1"/g;s/"H1"/"n3"/g;s/"H2"/"n2"/g;s/"H3"/"n0"/g' >tree.net
"$bin/route_lft" tree.net -e best -o tree.lft >route.log 2>&1 || fail "route_lft: $(<route.log)"
start_slurm

# starts FILE RANKS: prints the node of each rank, in the order of ranks.
starts() {
  # shellcheck disable=SC2016
  SLURM_HOSTFILE=$1 srun --distribution=arbitrary --nodes=3 --ntasks="$2" --time=1 --label \
    sh -c 'echo "$SLURMD_NODENAME"' 2>srun.err | sort -n | sed 's/^ *[0-9]*: //'
}
for ranks in 1 2; do
  "$bin/order_nodes" tree.lft tree.net --nodes 'n[1-3]' --for ring --ranks-per-node "$ranks" --as slurm -o order 2>order.err ||
    fail "order_nodes: $(<order.err)"
  starts order $((3 * ranks)) >found || fail "srun: $(<srun.err)"
  check test -s found
  expect_same order found
  # Any other order must be used as well, which shows that the file decides.
  sort -r order >reversed
  starts reversed $((3 * ranks)) >found || fail "srun: $(<srun.err)"
  expect_same reversed found
done
