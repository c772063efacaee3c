#pragma once

// Compares the cabling of the fabric with the plan, again whenever the fabric or the file of the
// plan changes.

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
  /// Reads the plan; with an empty name there is none. Throws like read_cabling_plan().
  explicit LiveCabling(std::filesystem::path plan_file);

  /// True if there are new results. O(1) if neither map nor file has changed; otherwise a
  /// comparison (32 ms for 666 switches and 12,186 cables).
  bool update(const FabricMap& map, std::int64_t time_ms);

  /// Null if there is no plan.
  std::shared_ptr<const CablingView> view() const noexcept { return displayed_; }
  /// The most harmful statement of each port: `bad` if adapters of a node are connected to each
  /// other's switches, else `watch`.
  const std::vector<PortFinding>& findings() const noexcept { return findings_; }
  /// Statements that appeared or disappeared since the last call; if there are many at once, the
  /// first ones and a count.
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
  std::uint64_t generation_ = 0;  // of the last compared map
  struct Standing {
    std::int64_t since_ms = 0;
    CablingPort place;
  };
  std::map<std::string, Standing> standing_;  // by line_of() of the statement
  std::shared_ptr<const CablingView> displayed_;
  std::vector<PortFinding> findings_;
  std::vector<MonitorEvent> events_;
};

}  // namespace pssp
