#pragma once

// Data besides counters: verdicts, events, subnet managers, the state of the database. The program
// fills them in from the libraries that compute them. Pages and metrics therefore depend on none of
// these libraries, and work without them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/ids.h"
#include "monitor/counters/event.h"
#include "monitor/counters/incident.h"
#include "monitor/counters/node_fit.h"
#include "monitor/counters/port_key.h"
#include "monitor/counters/reroute_record.h"

namespace pssp {

/// Corresponds to Level (monitor/counters/verdict_record.h).
enum class VerdictLevel : std::uint8_t { good, unknown, watch, bad };
std::string_view name_of(VerdictLevel level);

struct VerdictView {
  std::uint32_t port = 0;  ///< index into FabricMap::ports
  VerdictLevel level = VerdictLevel::good;
  std::string what;    ///< see VerdictRecord::what
  std::string reason;  ///< a sentence with number, limit, window and what to do
  std::int64_t since_ms = 0;
  std::optional<double> value, limit;
};

/// A port in maintenance: no verdicts until `until_ms`.
struct MaintenanceView {
  Guid node = 0;
  PortNumber port = 0;  ///< 0: all ports of the node
  std::int64_t until_ms = 0;
  std::string why;
};

struct NumberedEvent {
  std::uint64_t id = 0;  ///< ascending
  MonitorEvent event;
};

struct ManagerView {
  Guid guid = 0;  ///< GUID of its port
  Lid lid = no_lid;
  unsigned priority = 0;
  std::string state;  ///< "master", "standby", "not active", "discovering"
  std::uint32_t act_count = 0;
  std::int64_t since_ms = 0;  ///< start of this state
  bool since_start = false;   ///< true if it was already in this state when the monitor first asked
};

struct DatabaseView {
  std::string file;  ///< empty if there is no database
  std::uint64_t bytes = 0;
  std::int64_t oldest_ms = 0;
  std::string state;  ///< "writing", or the reason for not writing
};

/// The source of the list of running jobs, and its state.
struct JobsView {
  std::string source;               ///< "slurm", "file"
  std::uint64_t jobs = 0;           ///< number of jobs in the list
  std::int64_t time_ms = 0;         ///< time of the list; 0: none yet
  std::int64_t stale_since_ms = 0;  ///< 0: the source responds
  std::string problem;              ///< why the source does not respond
  std::string accounting;           ///< accounting of jobs that are no longer in the list:
                                    ///< name_of(Accounting)
  std::uint64_t bad_lines = 0;      ///< invalid lines of the list, which are ignored
};

/// A difference between the cabling and the plan.
struct CablingStatementView {
  std::string fault;               ///< "swapped", "missing"
  std::string text;                ///< sanitized, as is `ports`
  std::vector<std::string> ports;  ///< affected ports
  std::uint64_t count = 1;         ///< number of affected items of the same kind
  std::int64_t since_ms = 0;
  std::vector<PortKey> positions = {};  ///< those of `ports` that are in the fabric
};

struct CablingView {
  std::string plan;     ///< name of the file
  std::string problem;  ///< why there is no newer result; empty if the result is that of the last
                        ///< map
  std::uint64_t planned_cables = 0, found_cables = 0, cables_in_place = 0;
  std::vector<CablingStatementView> statements;  ///< most harmful first
  /// All kinds of statements, with their numbers.
  std::vector<std::pair<std::string, std::uint64_t>> kinds;
};

struct LiveFacts {
  std::vector<VerdictView> verdicts;  ///< in any order; a LiveView sorts them by port
  bool has_verdicts = false;          ///< false: there are no verdicts yet
  std::vector<MaintenanceView> maintenance;
  std::vector<ManagerView> managers;
  std::optional<DatabaseView> database;
  std::optional<JobsView> jobs;                   ///< unset if no source is configured
  std::shared_ptr<const CablingView> cabling;     ///< null if there is no plan
  std::shared_ptr<const FitList> fit;             ///< null if nodes are not rated
  AcknowledgementList acknowledged;               ///< null if nothing can be acknowledged
  std::shared_ptr<const IncidentList> incidents;  ///< null: no verdicts yet
  std::vector<std::string> problems;              ///< sentences
  std::uint64_t manager_changes = 0, reroutes = 0;
  std::shared_ptr<const std::vector<RerouteRecord>> reroute_list;  ///< oldest first; may be null
  double interval_s = 10;
  std::int64_t started_ms = 0;
};

}  // namespace pssp
