#pragma once

// The reports of simulate_application.

#include <optional>
#include <string>
#include <vector>

#include "applications/measure/critical_path.h"
#include "applications/replay/replay_record.h"
#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"
#include "simulator/measure/batch_means.h"
#include "simulator/report/losses.h"

namespace pssp {

struct JobTime {
  ReplayTime together = 0, alone = 0;  ///< from its start
  /// By job: the share of the delays of its messages that each job caused (SharedLinks::held_up());
  /// all 0 without delays.
  std::vector<double> held_up_by{};
};

/// A message of the critical path.
struct PathMessage {
  std::uint32_t from = 0, to = 0;  ///< ranks
  std::uint64_t bytes = 0;
  ReplayTime entered = 0, left = 0, alone = 0;  ///< OperationRecord
};
struct PathReport {
  std::uint32_t last_rank = 0;
  std::vector<ReplayTime> parts;  ///< by PathPart
  std::vector<PathMessage> messages;
};
PathReport path_report(const Schedule& schedule, const ReplayRecord& record,
                       const CriticalPath& path);

struct TablesTime {
  std::string tables;  ///< file; empty: no tables
  ReplayResult result;
  std::vector<JobTime> jobs{};  ///< empty: a single application
  std::optional<PathReport> path{};
  std::optional<std::uint64_t> events{};  ///< for packets
  std::uint64_t packets = 0;              ///< arrived packets; 0: another network
  std::uint64_t overtaken = 0;            ///< of these, PacketNetwork::overtaken()
  std::uint64_t notifications = 0;        ///< PacketNetwork::notifications()
  LossCounts losses{};                    ///< for packets, if the fabric changes
  std::uint64_t seed = 0;                 ///< of the order
  std::optional<ReplayTime> crossbar{};   ///< on the same hosts; none without links
};

struct ApplicationReport {
  std::string application;  ///< as specified
  std::string network, order;
  std::string adaptive = "none";         ///< ApplicationQuestion
  std::vector<ChangeSummary> changes{};  ///< of the fabric
  std::string congestion = "off";        ///< ApplicationQuestion::congestion_set
  std::uint64_t seed = 0;
  std::uint32_t ranks = 0;
  std::uint64_t messages = 0;
  double bytes = 0;
  MessageCosts costs{};
  LinkSharing sharing = LinkSharing::equal;
  std::size_t seeds = 1;
  std::vector<ReplayTime> spread{};  ///< over all minimal paths, by seed, if requested
  std::vector<std::string> jobs{};   ///< as specified
  std::vector<TablesTime> runs{};    ///< all tables for one seed, then for the next

  std::size_t tables() const { return runs.size() / seeds; }
};

/// For one set of tables, over seeds.
struct SeedMeans {
  MeanEstimate time;      ///< picoseconds
  MeanEstimate ratio;     ///< relative to the crossbar, seed by seed
  MeanEstimate to_first;  ///< relative to the first tables, seed by seed: .1 is 10 % longer
};
SeedMeans means_of(const ApplicationReport& report, std::size_t tables);
/// Whether the 95 % interval of each mean time is within +- `precision` of it.
bool is_precise(const ApplicationReport& report, double precision);

/// One line per set of tables.
std::string to_text(const ApplicationReport& report);
/// The same with the end of each rank.
std::string to_json(const ApplicationReport& report);
/// One line per set of tables and seed: CSV.
std::string runs_csv(const ApplicationReport& report);
/// One line per set of tables, seed and rank: CSV.
std::string per_rank_csv(const ApplicationReport& report);

}  // namespace pssp
