#pragma once

// A fabric without hardware for the tests of the monitor: the map of a generated topology, and
// snapshots whose counters move as they do on a busy fabric. The same specification and seed give
// the same snapshots.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/random.h"
#include "monitor/counters/snapshot.h"

namespace pssp {

/// What discovery would find of the topology (topologies/registry.h, or the name of a file); all
/// cabled ports are Active at the rate that the specification states, else at 4xHDR. Throws
/// Error(usage).
FabricMap synthetic_map(std::string_view specification);

class SyntheticFabric {
 public:
  explicit SyntheticFabric(std::string_view specification, std::uint64_t seed = 1);

  /// For tests to change before the first sweep: descriptions, states.
  FabricMap& map() noexcept { return *map_; }

  /// Lets `seconds` pass and reads everything. Each cable carries what its own random share of its
  /// rate says, both its ends agree, and a port in a hundred counts symbol errors.
  SnapshotPointer sweep(double seconds = 10);
  /// The same, for tests to damage.
  std::shared_ptr<Snapshot> next(double seconds = 10);

 private:
  void send(std::uint32_t from, std::uint32_t to, double share, double seconds);

  std::shared_ptr<FabricMap> map_;
  std::uint64_t seed_, sweep_ = 0;
  std::int64_t now_ns_ = 1'000'000'000;
  std::vector<std::uint64_t> values_;
};

}  // namespace pssp
