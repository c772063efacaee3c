#pragma once

// A time of the history as analysis takes it: the fabric as it was, the forwarding tables in force,
// the jobs that ran, and what hosts and channels counted in each sweep. For whoever asks whose
// traffic it was, or what other tables would have made of it:
//
//   WindowOptions options;
//   options.window = {since_ms, until_ms};
//   const TrafficWindowPointer window = read_traffic_window("history.db", options);
//   const Attribution attribution(window->observed);                // monitor/analysis
//   const ChannelShares shares = attribution.shares_of(channel);    // shares.jobs[i].job: jobs[..]
//   const TrafficMatrix matrix = attribution.traffic();             // for advice
//
// Channels, switches and end ports are numbered as in `*window->observed.fabric`; it, the tables
// and the jobs live as long as the window does.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/stop_signal.h"
#include "monitor/analysis/observed_traffic.h"
#include "monitor/counters/fabric_map.h"
#include "monitor/jobs/job.h"
#include "monitor/jobs/job_span.h"
#include "monitor/store/history_reader.h"
#include "monitor/store/state_reader.h"

namespace pssp {

struct WindowOptions {
  TimeWindow window;
  /// Where there are more sweeps neighbours are added up, so that time and memory stay small. 1 ..
  std::size_t most_sweeps = 60;
  /// Nothing: the finest that is still there for all of the window.
  std::optional<HistoryLevel> level;
  /// Jobs instead of those of the database, with the rule by which their nodes are found (empty:
  /// the first word of descriptions).
  std::shared_ptr<const JobList> jobs;
  std::string node_name_rule;
  /// Names of nodes that serve several jobs: storage, login. By the same rule.
  std::vector<std::string> shared_hosts;
};

/// A job that ran in the window, or was asked for.
struct WindowJob {
  StoredJob stored;
  std::optional<JobSpan> span;         ///< as far as known; none: it never ran
  std::vector<std::uint32_t> nodes;    ///< indices into FabricMap::nodes, ascending
  std::vector<std::string> not_found;  ///< names that match no adapter; hostile
};

struct TrafficWindow {
  TrafficWindow() = default;
  TrafficWindow(const TrafficWindow&) = delete;  // `observed` points into it
  TrafficWindow& operator=(const TrafficWindow&) = delete;

  std::shared_ptr<const FabricMap> map;  ///< with `fabric`
  ForwardingTables tables;
  TableVersion tables_version;
  ObservedTraffic observed;
  std::vector<WindowJob> jobs;               ///< by index of observed.jobs: those with hosts here
  std::optional<JobSourceState> job_source;  ///< none with a list of the caller's

  HistoryLevel level = HistoryLevel::raw;
  std::vector<std::int64_t> time_ms;  ///< of each of observed.sweeps
  std::vector<double> seconds;        ///< that each of them covers
  /// By port of the map: share of the time in which it wanted to send and could not, of all the
  /// window; below 0: unknown.
  std::vector<double> waiting_share;
  /// For AttributionOptions: readings of different ports may be apart by so much of a sweep.
  double reading_skew = 0;
  /// What a reader must know: tables that changed, sweeps that were added up. Sentences that may be
  /// shown.
  std::vector<std::string> remarks;

  double total_seconds() const noexcept;
  /// Bytes that left a port of the map towards its cable: the channel of a switch's port, or the
  /// sender of a host's. Nothing where it has no cable, or its other end is no part of the fabric.
  struct Position {
    enum class Kind : std::uint8_t { channel, from_host, to_host };
    Kind kind = Kind::channel;
    std::uint32_t index = 0;  ///< ChannelId or EndPortId
  };
  std::optional<Position> place_of(std::uint32_t map_port) const;
  /// The port of the map that a channel leaves.
  std::uint32_t port_of(ChannelId channel) const;
};

using TrafficWindowPointer = std::shared_ptr<const TrafficWindow>;

/// Reads with two connections of its own: from any thread. Where tables changed in the window, so
/// that routes between hosts are others, it begins when the last of them were read, and a remark
/// says so. Throws Error(unreadable_input) as HistoryReader, and where the history has no sweep of
/// that time, no tables (of an older program, tables_interval_s = 0), or a map that is no
/// fabric; Error(usage) as NodeNameRule; Stopped. O(samples of the window + entries of the tables).
TrafficWindowPointer read_traffic_window(const std::filesystem::path& database,
                                         const WindowOptions& options, const StopSignal& stop = {});

}  // namespace pssp
