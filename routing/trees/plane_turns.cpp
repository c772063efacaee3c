// A striped flow goes as fast as its slowest part. So its parts should be held up by the same
// flows: where the planes of a way make a closed set, as those of paths 0, 4, 8 and 12 of 16 do
// with four planes, who meets there meets everywhere in the set, and its load is the mean of its
// paths. Planes that are turned by one instead hold each flow up by twice as many others: of 20
// leaves with 24 hosts and 16 spines two planes have .80 of the bandwidth so, and .70 by turns of
// one.
//
// Equal turns also keep what goes to neighbours in step. Where the paths are odd in number they
// close no set but that of all, and are turned in blocks of about as many ways as planes, which
// costs a little of the step. Where they are fewer than planes, those that agree below part above.

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

/// A plane among those that have agreed so far.
struct Remainder {
  std::size_t plane, planes;
  std::size_t sum = 0;  ///< of turns so far

  /// How far it is turned where there are so many ways.
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
