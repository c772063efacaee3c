#pragma once

// The counts of a recent sweep in compact form, so that sixty sweeps of a large fabric fit in
// memory. Only counters that changed are stored.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "monitor/counters/rates.h"

namespace pssp {

class RecentSweep {
 public:
  /// O(ports).
  RecentSweep(const Snapshot& snapshot, const std::vector<PortDifference>& differences,
              std::string summary);

  /// A copy without the counts of these ports.
  std::shared_ptr<const RecentSweep> without(const std::vector<bool>& ports) const;

  std::uint64_t sweep() const noexcept { return sweep_; }
  std::int64_t time_ms() const noexcept { return time_ms_; }
  const FabricMap& map() const noexcept { return *map_; }
  const std::shared_ptr<const FabricMap>& map_pointer() const noexcept { return map_; }
  /// A JSON object, for event streams.
  const std::string& summary() const noexcept { return summary_; }
  /// Unset if the port has no difference in this sweep.
  std::optional<PortDifference> difference(std::uint32_t port) const;
  std::size_t bytes() const noexcept { return packed_.size() + 4 * first_.size(); }

 private:
  std::uint64_t sweep_;
  std::int64_t time_ms_;
  std::shared_ptr<const FabricMap> map_;
  std::vector<std::uint32_t> first_;  // by port, index into packed_; one more element than ports
  std::vector<std::uint8_t> packed_;
  std::string summary_;
};

}  // namespace pssp
