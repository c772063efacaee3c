#pragma once

// A fabric without hardware for tests of the monitor: the map of a generated topology, and
// snapshots with counters as on a busy fabric. The same specification and seed give the same
// snapshots.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/random.h"
#include "monitor/counters/snapshot.h"

namespace pssp {

/// The map that discovery would find for the topology (topologies/registry.h, or the name of a
/// file). All cabled ports are Active, at the rate in the specification or else 4xHDR. Throws
/// Error(usage).
FabricMap synthetic_map(std::string_view specification);

class SyntheticFabric {
 public:
  explicit SyntheticFabric(std::string_view specification, std::uint64_t seed = 1);

  /// May be changed by tests before the first sweep, for example descriptions or states.
  FabricMap& map() noexcept { return *map_; }

  /// Reads all ports after `seconds` more seconds. Each cable carries a random share of its rate,
  /// both ends agree, and one port in a hundred counts symbol errors.
  SnapshotPointer sweep(double seconds = 10);
  /// The same as sweep(), but tests may change the result.
  std::shared_ptr<Snapshot> next(double seconds = 10);

 private:
  void send(std::uint32_t from, std::uint32_t to, double share, double seconds);

  std::shared_ptr<FabricMap> map_;
  std::uint64_t seed_, sweep_ = 0;
  std::int64_t now_ns_ = 1'000'000'000;
  std::vector<std::uint64_t> values_;
};

}  // namespace pssp
