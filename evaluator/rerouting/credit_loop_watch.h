#pragma once

// Detects cycles in a channel dependency graph whose edges appear and disappear.

#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/rerouting/changing_tree.h"
#include "fabric/fabric.h"
#include "routing/deadlock/sorted_channels.h"

namespace pssp {

class CreditLoopWatch {
 public:
  /// `counts`: by DependencyNumbers, the number of LIDs with the dependency. The other arguments
  /// must outlive the object. O(channels + dependencies).
  CreditLoopWatch(const Fabric& fabric, const DependencyNumbers& numbers,
                  std::vector<std::uint32_t> counts);

  /// Applies all changes of one transient state; a dependency may occur once.
  void apply(std::span<const DependencyEvent> events);

  bool has_loop() const noexcept { return !loop_.empty(); }
  /// Channels that wait for each other, the last one for the first.
  const std::vector<std::uint32_t>& loop() const noexcept { return loop_; }

 private:
  std::vector<std::uint32_t> order_channels() const;
  void look_for_loop();
  bool loop_is_alive() const;
  bool insert(std::uint32_t dependency);

  const Fabric& fabric_;
  const DependencyNumbers& numbers_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint8_t> is_inserted_;  // by dependency
  std::vector<std::uint32_t> waiting_;     // dependencies that are not inserted yet
  SortedChannels sorted_;                  // by what is inserted
  std::vector<std::uint32_t> loop_;
};

}  // namespace pssp
