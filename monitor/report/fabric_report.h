#pragma once

// A report for operators: which links were down, which cables have most faults, which jobs waited
// for credits, and what the subnet manager rerouted.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "monitor/counters/reroute_record.h"
#include "monitor/counters/verdict_record.h"
#include "monitor/store/history_reader.h"

namespace pssp {

/// A cable that was not up all the time. Names come from the fabric and are untrusted: escape them
/// before printing.
struct CableAvailability {
  std::string cable;
  /// fraction of the monitored time in which at least one end was read, 0 .. 1
  double available = 0;
};

struct CableFaults {
  std::string cable;  ///< as in CableAvailability
  Level level = Level::watch;
  std::vector<std::string> kinds;  ///< values of VerdictRecord::what, each once
  std::size_t faults = 0;          ///< number of verdicts at `level`, the worst level of the cable
  double hours = 0;                ///< total duration of these verdicts, summed over both ends
  std::string last;                ///< reason of the newest of these verdicts
};

/// A job whose hosts waited for credits.
struct JobCongestion {
  std::string id, name, user;  ///< untrusted text from the scheduler
  std::size_t hosts = 0;       ///< number of hosts that waited
  double host_hours = 0;       ///< sum of their waiting times, in hours
};

struct FabricReport {
  TimeWindow window;        ///< the requested window, limited to the time that the history covers
  double monitored_h = 0;   ///< hours for which there are counters
  std::size_t cables = 0;   ///< number of cables known in the window
  double availability = 1;  ///< mean availability of the cables, 0 .. 1
  std::vector<CableAvailability> interrupted;  ///< worst first
  std::vector<CableFaults> faulty;             ///< worst first
  std::vector<JobCongestion> congested;        ///< in descending order of host hours
  std::vector<RerouteRecord> reroutes;         ///< newest first
};

/// Throws Error(unreadable_input) as HistoryReader does, and if the window contains no sweep.
/// O(samples, verdicts and jobs in the window).
FabricReport read_fabric_report(const std::filesystem::path& database, TimeWindow window);

/// The report as a self-contained HTML page. Each table has at most 50 rows and states how many
/// rows are omitted.
std::string report_html(const FabricReport& report);

}  // namespace pssp
