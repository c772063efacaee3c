// A striped flow is as fast as its slowest part, so all parts should contend with the same flows.
// If the planes of a path form a closed set (such as paths 0, 4, 8 and 12 of 16 with four planes),
// flows that share one path share the whole set, and its load is the mean over its paths. If planes
// are shifted by one path instead, each flow contends with twice as many others: on 20 leaves with
// 24 hosts and 16 spines, two planes have .80 of the bandwidth with closed sets, and .70 with
// shifts by one.
//
// Equal shifts of all paths also keep shift traffic balanced. If the number of paths is odd, only
// the set of all paths is closed; paths are then shifted in blocks of about as many paths as
// planes, which disturbs the balance slightly. If there are fewer paths than planes, planes with
// equal shifts below separate above.

#include "routing/trees/plane_turns.h"

#include <algorithm>

namespace pssp {
namespace {

std::size_t divided_up(std::size_t value, std::size_t by) { return (value + by - 1) / by; }

std::size_t turned_in_block(std::size_t path, std::size_t paths, std::size_t plane,
                            std::size_t planes) {
  const std::size_t blocks = paths / planes;
  const std::size_t block = path % blocks;
  const std::size_t size = divided_up(paths - block, blocks);
  return block + blocks * ((path / blocks + plane * size / planes) % size);
}

/// The index of a plane among those with equal shifts so far.
struct Remainder {
  std::size_t plane, planes;
  std::size_t sum = 0;  ///< of the shifts so far

  /// The shift at a switch with this number of paths.
  std::size_t turn(std::size_t paths) const {
    return sum + (paths < planes ? plane * paths / planes : plane);
  }
  void part(std::size_t paths) {
    const std::size_t digit = turn(paths) - sum;
    sum += digit;
    plane -= paths < planes ? divided_up(digit * planes, paths) : digit;
    planes = divided_up(planes, paths);
  }
};

}  // namespace

std::size_t turned_path(std::size_t path, std::size_t paths, std::size_t plane, std::size_t planes,
                        std::size_t rank, std::span<const std::size_t> usual) {
  if (paths >= planes && paths % 2 == 0) return (path + plane * paths / planes) % paths;
  if (paths >= planes) return turned_in_block(path, paths, plane, planes);
  Remainder rest{plane, planes};
  for (const std::size_t below : usual.first(std::min(rank, usual.size()))) {
    if (below < planes) rest.part(below);
  }
  return (path + rest.turn(paths)) % paths;
}

}  // namespace pssp
