#pragma once

// The counters of a simulated fabric's ports, and the commands for ibsim's console.

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "fabric/fabric.h"
#include "ibsim_harness/simulated_traffic.h"

namespace pssp {

/// A port with a cable. Links are those of SimulatedLinks.
struct SimulatedPort {
  std::string node;         ///< its identifier in the topology file
  std::string description;  ///< of its node
  Guid guid = 0;            ///< of its node
  unsigned number = 0;
  std::size_t out = 0, in = 0;  ///< links
  bool is_switch = false;
};

/// The cabled end ports, and the switches' ports to these and to each other.
std::vector<SimulatedPort> ports_of(const Fabric& fabric);

/// A counter that increases over time, independent of traffic.
struct SimulatedError {
  std::size_t port = 0;      ///< index in ports_of()
  const char* counter = "";  ///< name in perfquery
  double per_second = 0;
  std::uint64_t most = 0;  ///< maximum of the counter
  double counted = 0;
};

class SimulatedCounters {
 public:
  /// `error_cables` random ports of switches count errors.
  SimulatedCounters(const Fabric& fabric, unsigned error_cables, std::uint64_t seed);

  void add(const TrafficPlayer& player, double seconds);
  /// Console lines for changed counters; includes ports with little new traffic only with `all`,
  /// because ibsim's own counts must never exceed the increase of a setting.
  std::string settings(bool all);

  const std::vector<SimulatedPort>& ports() const noexcept { return ports_; }
  const std::vector<SimulatedError>& errors() const noexcept { return errors_; }
  /// Four-byte words, and packets, that a link has carried.
  std::uint64_t words(std::size_t link) const;
  std::uint64_t packets(std::size_t link) const;
  std::uint64_t waited(std::size_t link) const;
  double bytes(std::size_t link) const { return bytes_[link]; }

 private:
  void set_traffic(const SimulatedPort& port, bool all, std::string& lines);

  std::vector<SimulatedPort> ports_;
  std::vector<SimulatedError> errors_;
  std::vector<double> bytes_, waited_, reported_;  // by link; reported_: bytes that ibsim has
  std::vector<double> reported_waiting_, reported_errors_;
  RandomGenerator random_;
};

}  // namespace pssp
