#pragma once

// From the cables that there are to those that are planned, as paths and circles of ports.

#include <cstdint>
#include <utility>
#include <vector>

namespace pssp {

/// Ports that hang together by planned and real cables, alternately: a port, what is planned or
/// real between it and the next one, and so on. A circle has as many cables of both kinds and ends
/// where it began.
struct AlternatingWalk {
  std::vector<std::uint32_t> ports;  ///< at least two; of a circle an even number, the first once
  bool begins_planned = true;        ///< what is between the first two ports
  bool is_cycle = false;

  std::size_t cables() const { return is_cycle ? ports.size() : ports.size() - 1; }
  std::size_t planned() const { return (cables() + (begins_planned ? 1 : 0)) / 2; }
  std::size_t real() const { return cables() - planned(); }
};

using PortPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The symmetric difference of two matchings of ports 0 .. ports - 1, which no port is in twice:
/// its paths and circles, in the order of their lowest ports. A path begins planned where one of
/// its ends is; a circle always does. O(ports).
std::vector<AlternatingWalk> alternating_walks(std::uint32_t ports, const PortPairs& planned,
                                               const PortPairs& real);

/// One thing that hands do, by ports.
struct PlugMove {
  enum class Kind : std::uint8_t { exchange, replug, connect, remove };
  Kind kind = Kind::exchange;
  std::uint32_t from = 0, to = 0;
};

/// The fewest moves that make planned cables of the real ones: of a circle of k planned cables k -
/// 1 exchanges, of a path as many as the more frequent kind has. `odd_side`: a circle is repaired
/// at its second, fourth .. ports instead of the first, third .. ones. O(cables).
std::vector<PlugMove> moves_of(const AlternatingWalk& walk, bool odd_side = false);

}  // namespace pssp
