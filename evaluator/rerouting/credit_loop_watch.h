#pragma once

// Is there a cycle in a channel dependency graph whose edges come and go?

#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/rerouting/changing_tree.h"
#include "fabric/fabric.h"

namespace pssp {

class CreditLoopWatch {
 public:
  /// `counts`: by DependencyNumbers, how many LIDs have the dependency. Both others must outlive
  /// the object. O(channels + dependencies).
  CreditLoopWatch(const Fabric& fabric, const DependencyNumbers& numbers,
                  std::vector<std::uint32_t> counts);

  /// All changes of one moment; a dependency may come once.
  void apply(std::span<const DependencyEvent> events);

  bool has_loop() const noexcept { return !loop_.empty(); }
  /// Channels that wait for each other, the last one for the first.
  const std::vector<std::uint32_t>& loop() const noexcept { return loop_; }

 private:
  void order_channels();
  void look_for_loop();
  bool loop_is_alive() const;
  bool insert(std::uint32_t dependency);
  bool search_forward(std::uint32_t from, std::uint32_t goal);
  void search_backward(std::uint32_t from, std::uint32_t least_position);
  void reorder();

  const Fabric& fabric_;
  const DependencyNumbers& numbers_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint8_t> is_inserted_;  // by dependency
  std::vector<std::uint32_t> position_;    // by channel: topological order of what is inserted
  std::vector<std::uint32_t> waiting_;     // dependencies that are not inserted yet
  std::vector<std::uint32_t> loop_;
  std::vector<std::uint32_t> found_from_;  // by channel: who found it in this search
  std::vector<std::uint8_t> is_found_;
  std::vector<std::uint32_t> forward_, backward_;
};

}  // namespace pssp
