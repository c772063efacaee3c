#pragma once

// Is the fabric cabled as planned? Compared again when it, or the file of the plan, is another one.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "monitor/analysis/verdict_watch.h"
#include "monitor/api/live_facts.h"
#include "monitor/counters/event.h"
#include "operations/cabling/cabling_statements.h"

namespace pssp {

class LiveCabling {
 public:
  /// Reads the plan; an empty name: there is none. Throws as read_cabling_plan().
  explicit LiveCabling(std::filesystem::path plan_file);

  /// Whether there is anything new to take. O(1) where neither map nor file has changed, else a
  /// comparison (32 ms of 666 switches and 12,186 cables).
  bool update(const FabricMap& map, std::int64_t time_ms);

  /// Null where there is no plan.
  std::shared_ptr<const CablingView> view() const noexcept { return displayed_; }
  /// The most harmful statement of each port: `bad` where adapters of a node are at each other's
  /// switches, else `watch`.
  const std::vector<PortFinding>& findings() const noexcept { return findings_; }
  /// Statements that came or went since the last call; of many at once the first ones and a count.
  std::vector<MonitorEvent> take_events() { return std::exchange(events_, {}); }

 private:
  bool plan_is_another();
  void compare(const FabricMap& map, std::int64_t time_ms);
  void take(const CablingComparison& comparison, std::int64_t time_ms);
  void note_changes(const std::vector<CablingStatement>& statements, std::int64_t time_ms);
  void add_events(EventKind kind, const std::vector<MonitorEvent>& all);
  void find_ports(const std::vector<CablingStatement>& statements);

  std::filesystem::path plan_file_;
  std::filesystem::file_time_type written_;
  Cabling plan_;
  std::string plan_problem_;
  std::uint64_t generation_ = 0;  // of the map that was compared
  struct Standing {
    std::int64_t since_ms = 0;
    CablingPort place;
  };
  std::map<std::string, Standing> standing_;  // by line
  std::shared_ptr<const CablingView> displayed_;
  std::vector<PortFinding> findings_;
  std::vector<MonitorEvent> events_;
};

}  // namespace pssp
