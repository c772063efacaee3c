#pragma once

// The answers of simulate_application.

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
  /// By each job: the share of what its messages were held up (SharedLinks::held_up()); all 0 where
  /// none was.
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
  std::vector<JobTime> jobs{};  ///< none: a single application
  std::optional<PathReport> path{};
  std::optional<std::uint64_t> events{};  ///< of packets
  std::uint64_t packets = 0;              ///< that arrived; 0: of another network
  std::uint64_t overtaken = 0;            ///< of these, PacketNetwork::overtaken()
  std::uint64_t notifications = 0;        ///< PacketNetwork::notifications()
  LossCounts losses{};                    ///< of packets, where the fabric changes
  std::uint64_t seed = 0;                 ///< of the order
  std::optional<ReplayTime> crossbar{};   ///< on the same hosts; none without links
};

struct ApplicationReport {
  std::string application;  ///< as it was asked for
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
  std::vector<ReplayTime> spread{};  ///< over all minimal paths, of each seed, where asked for
  std::vector<std::string> jobs{};   ///< as they were asked for
  std::vector<TablesTime> runs{};    ///< of a seed all tables, then of the next seed

  std::size_t tables() const { return runs.size() / seeds; }
};

/// Of one of the tables, over seeds.
struct SeedMeans {
  MeanEstimate time;      ///< picoseconds
  MeanEstimate ratio;     ///< to the crossbar, seed by seed
  MeanEstimate to_first;  ///< to the first tables, seed by seed: .1 is a tenth longer
};
SeedMeans means_of(const ApplicationReport& report, std::size_t tables);
/// Whether the 95 % interval of each mean time is within +- `precision` of it.
bool is_precise(const ApplicationReport& report, double precision);

/// A line for each of the tables.
std::string to_text(const ApplicationReport& report);
/// The same with the end of each rank.
std::string to_json(const ApplicationReport& report);
/// A line for each of the tables and each seed: CSV.
std::string runs_csv(const ApplicationReport& report);
/// A line for each of the tables, each seed and each rank: CSV.
std::string per_rank_csv(const ApplicationReport& report);

}  // namespace pssp
