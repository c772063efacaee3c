#pragma once

// What operators ask of a week: which links were down, which cables are worst, which jobs waited,
// and what the subnet manager rerouted.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "monitor/counters/reroute_record.h"
#include "monitor/counters/verdict_record.h"
#include "monitor/store/history_reader.h"

namespace pssp {

/// A cable that was not up all the time. Names come from the fabric; clean them before showing.
struct CableAvailability {
  std::string cable;
  double available = 0;  ///< share of the monitored time in which an end was read, 0 .. 1
};

struct CableFaults {
  std::string cable;  ///< as in CableAvailability
  Level level = Level::watch;
  std::vector<std::string> kinds;  ///< VerdictRecord::what, without repetition
  std::size_t faults = 0;          ///< verdicts of the worst level
  double hours = 0;                ///< with such a verdict, of both ends together
  std::string last;                ///< reason of the newest one
};

/// A job whose hosts waited for credits.
struct JobCongestion {
  std::string id, name, user;  ///< from the scheduler; clean them before showing
  std::size_t hosts = 0;       ///< that waited
  double host_hours = 0;       ///< that they waited
};

struct FabricReport {
  TimeWindow window;        ///< as asked for, without the time before the history
  double monitored_h = 0;   ///< hours with counters
  std::size_t cables = 0;   ///< known in the window
  double availability = 1;  ///< mean over the cables, 0 .. 1
  std::vector<CableAvailability> interrupted;  ///< the worst first
  std::vector<CableFaults> faulty;             ///< the worst first
  std::vector<JobCongestion> congested;        ///< the most host hours first
  std::vector<RerouteRecord> reroutes;         ///< newest first
};

/// Throws Error(unreadable_input) as HistoryReader, and where the window has no sweep. O(samples,
/// verdicts and jobs of the window).
FabricReport read_fabric_report(const std::filesystem::path& database, TimeWindow window);

/// One HTML file that loads nothing else. Each table has at most 50 rows, and the number of those
/// that are left out.
std::string report_html(const FabricReport& report);

}  // namespace pssp
