#pragma once

// What the ports of a played fabric have counted, and how ibsim's console is told.

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "fabric/fabric.h"
#include "ibsim_harness/played_traffic.h"

namespace pssp {

/// A port with a cable. Links are those of PlayedLinks.
struct PlayedPort {
  std::string node;         ///< its identifier in the topology file
  std::string description;  ///< of its node
  Guid guid = 0;            ///< of its node
  unsigned number = 0;
  std::size_t out = 0, in = 0;  ///< links
  bool is_switch = false;
};

/// Of the cabled end ports and of the switches' ports to these and to each other.
std::vector<PlayedPort> ports_of(const Fabric& fabric);

/// What a port counts by and by, beside traffic.
struct PlayedError {
  std::size_t port = 0;      ///< index of ports_of()
  const char* counter = "";  ///< as perfquery names it
  double per_second = 0;
  std::uint64_t most = 0;  ///< where the counter stops
  double counted = 0;
};

class PlayedCounters {
 public:
  /// `error_cables` random ports of switches count errors.
  PlayedCounters(const Fabric& fabric, unsigned error_cables, std::uint64_t seed);

  void add(const TrafficPlayer& player, double seconds);
  /// Console lines for what has changed: of ports with little new traffic only when `all`, since
  /// what ibsim counts itself must never be more than what a setting adds.
  std::string settings(bool all);

  const std::vector<PlayedPort>& ports() const noexcept { return ports_; }
  const std::vector<PlayedError>& errors() const noexcept { return errors_; }
  /// Words of four bytes, and packets, that a link has carried.
  std::uint64_t words(std::size_t link) const;
  std::uint64_t packets(std::size_t link) const;
  std::uint64_t waited(std::size_t link) const;
  double bytes(std::size_t link) const { return bytes_[link]; }

 private:
  void set_traffic(const PlayedPort& port, bool all, std::string& lines);

  std::vector<PlayedPort> ports_;
  std::vector<PlayedError> errors_;
  std::vector<double> bytes_, waited_, told_;  // by link; told_: bytes that ibsim has
  std::vector<double> told_waited_, told_errors_;
  RandomGenerator random_;
};

}  // namespace pssp
