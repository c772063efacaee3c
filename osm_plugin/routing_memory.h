#pragma once

// What the plugin keeps of an engine's routings from one routing to the next.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "osm_plugin/candidate_tables.h"
#include "osm_plugin/lane_memory.h"
#include "osm_plugin/path_levels.h"
#include "osm_plugin/routing_state.h"

namespace pssp {

/// All that a choice depends on besides the options and earlier choices.
struct RoutingContext {
  DigestValue fabric{};
  bool qos = false;
  unsigned lanes = 0, lanes_after_sweep = 0;
  std::string limit;
  bool requested_sweep = false;
  bool has_successor = false;

  friend bool operator==(const RoutingContext&, const RoutingContext&) = default;
};

struct RoutingMemory {
  /// The tables of the last routing.
  struct LastTables {
    std::vector<Guid> switches;             ///< by row
    CandidateTables chosen;                 ///< its levels are in `levels` below
    std::optional<DigestValue> fabric;      ///< that they were made for; none: not known
    std::optional<RoutingContext> context;  ///< none: restored, or of another subnet manager
  };
  /// A choice that led to no tables.
  struct Failure {
    RoutingContext context;
    std::optional<Error> error;  ///< that was thrown; none: the plan was not accepted
    LanePlan plan;
  };

  std::optional<LastTables> last;
  std::optional<SavedBaseline> baseline;
  std::optional<PathLevels> levels;  ///< of the last tables; none: OpenSM chooses the levels
  std::optional<Failure> failure;
  LaneMemory failed_searches;
  bool requested_sweep = false;
  bool wants_new_baseline = false;
  bool is_left_by_another = false;  ///< `last` has the tables of another subnet manager
  /// `last` has interim tables, or these repaired. There is no baseline: until the engine's tables
  /// are ready, repairs start from the tables in force.
  bool is_interim = false;
  /// Of the baseline, when it was new or last compared with a new one; 0: there is none.
  std::size_t hosts_when_evaluated = 0;

  EarlierLevels earlier_levels() const {
    return {levels ? &*levels : nullptr,
            baseline && baseline->levels ? &*baseline->levels : nullptr};
  }
  bool has_substitute() const { return last && last->chosen.is_substitute; }
};

}  // namespace pssp
