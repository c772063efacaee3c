#pragma once

// What is shown beside counters: verdicts, events, subnet managers, the state of the database. The
// program fills these from the libraries that find them out; so pages and metrics know none of
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

/// As Level (monitor/counters/verdict_record.h).
enum class VerdictLevel : std::uint8_t { good, unknown, watch, bad };
std::string_view name_of(VerdictLevel level);

struct VerdictView {
  std::uint32_t port = 0;  ///< index into FabricMap::ports
  VerdictLevel level = VerdictLevel::good;
  std::string what;    ///< as VerdictRecord has it
  std::string reason;  ///< a sentence with number, limit, window and what to do
  std::int64_t since_ms = 0;
  std::optional<double> value, limit;
};

/// Nothing is said of it until then.
struct MaintenanceView {
  Guid node = 0;
  PortNumber port = 0;  ///< 0: all of the node
  std::int64_t until_ms = 0;
  std::string why;
};

struct NumberedEvent {
  std::uint64_t id = 0;  ///< ascending
  MonitorEvent event;
};

struct ManagerView {
  Guid guid = 0;  ///< of its port
  Lid lid = no_lid;
  unsigned priority = 0;
  std::string state;  ///< "master", "standby", "not active", "discovering"
  std::uint32_t act_count = 0;
  std::int64_t since_ms = 0;  ///< in this state
  bool since_start = false;   ///< already in this state when the monitor first asked
};

struct DatabaseView {
  std::string file;  ///< empty: there is none
  std::uint64_t bytes = 0;
  std::int64_t oldest_ms = 0;
  std::string state;  ///< "writing", or why not
};

/// Who says which jobs run, and whether it does.
struct JobsView {
  std::string source;               ///< "slurm", "file"
  std::uint64_t jobs = 0;           ///< that are listed
  std::int64_t time_ms = 0;         ///< of the list; 0: none yet
  std::int64_t stale_since_ms = 0;  ///< 0: it answers
  std::string problem;              ///< why it does not
  std::string accounting;           ///< of jobs that it lists no longer: name_of(Accounting)
  std::uint64_t bad_lines = 0;      ///< of the list, which were left out
};

/// What is cabled otherwise than planned.
struct CablingStatementView {
  std::string fault;               ///< "swapped", "missing"
  std::string text;                ///< clean to show, as `ports`
  std::vector<std::string> ports;  ///< that it is about
  std::uint64_t count = 1;         ///< things of one kind that it is about
  std::int64_t since_ms = 0;
  std::vector<PortKey> positions = {};  ///< those of `ports` that the fabric has
};

struct CablingView {
  std::string plan;     ///< name of the file
  std::string problem;  ///< why nothing newer is known; empty: it is of the last map
  std::uint64_t planned_cables = 0, found_cables = 0, cables_in_place = 0;
  std::vector<CablingStatementView> statements;              ///< the most harmful first
  std::vector<std::pair<std::string, std::uint64_t>> kinds;  ///< all there are, with how many
};

struct LiveFacts {
  std::vector<VerdictView> verdicts;  ///< in any order; a LiveView has them by port
  bool has_verdicts = false;          ///< false: no one judges
  std::vector<MaintenanceView> maintenance;
  std::vector<ManagerView> managers;
  std::optional<DatabaseView> database;
  std::optional<JobsView> jobs;                   ///< nothing: no one says
  std::shared_ptr<const CablingView> cabling;     ///< null: there is no plan
  std::shared_ptr<const FitList> fit;             ///< null: no one judges nodes
  AcknowledgementList acknowledged;               ///< null: nothing can be acknowledged
  std::shared_ptr<const IncidentList> incidents;  ///< null: no verdicts yet
  std::vector<std::string> problems;              ///< sentences
  std::uint64_t manager_changes = 0, reroutes = 0;
  std::shared_ptr<const std::vector<RerouteRecord>> reroute_list;  ///< oldest first; or null
  double interval_s = 10;
  std::int64_t started_ms = 0;
};

}  // namespace pssp
