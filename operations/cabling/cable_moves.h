#pragma once

// Compares real and planned cables as paths and cycles of ports.

#include <cstdint>
#include <utility>
#include <vector>

namespace pssp {

/// Ports that are connected alternately by planned and real cables. A cycle has equal numbers of
/// both, and ends where it began.
struct AlternatingWalk {
  std::vector<std::uint32_t> ports;  ///< at least two; of a cycle an even number, the first once
  bool begins_planned = true;        ///< type of the cable between the first two ports
  bool is_cycle = false;

  std::size_t cables() const { return is_cycle ? ports.size() : ports.size() - 1; }
  std::size_t planned() const { return (cables() + (begins_planned ? 1 : 0)) / 2; }
  std::size_t real() const { return cables() - planned(); }
};

using PortPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The symmetric difference of two matchings of ports 0 .. ports - 1 (each port at most once per
/// matching): its paths and cycles, in the order of their lowest ports. A path begins with a
/// planned cable if one of its ends has one; a cycle always does. O(ports).
std::vector<AlternatingWalk> alternating_walks(std::uint32_t ports, const PortPairs& planned,
                                               const PortPairs& real);

/// One manual operation.
struct PlugMove {
  enum class Kind : std::uint8_t { exchange, replug, connect, remove };
  Kind kind = Kind::exchange;
  std::uint32_t from = 0, to = 0;
};

/// The fewest moves that turn the real cables into planned ones: k - 1 exchanges for a cycle of k
/// planned cables; for a path, the number of the more frequent type. `odd_side`: a cycle is
/// repaired at its second, fourth .. ports instead of the first, third .. ones. O(cables).
std::vector<PlugMove> moves_of(const AlternatingWalk& walk, bool odd_side = false);

}  // namespace pssp
