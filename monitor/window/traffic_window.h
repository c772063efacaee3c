#pragma once

// A period of the history in the form that analyses need: the fabric, the forwarding tables in
// force, the jobs, and what hosts and channels counted in each sweep:
//
//   const TrafficWindowPointer window = read_traffic_window("history.db", options);
//   const Attribution attribution(window->observed);                // monitor/analysis
//   const ChannelShares shares = attribution.shares_of(channel);    // shares.jobs[i].job: jobs[..]
//
// Channels, switches and end ports have the numbers of `*window->observed.fabric`. The fabric, the
// tables and the jobs live as long as the window.

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
  /// If there are more sweeps, adjacent ones are added up, which limits time and memory. At least
  /// 1.
  std::size_t most_sweeps = 60;
  /// Nothing: the finest level that still covers the whole window.
  std::optional<HistoryLevel> level;
  /// Jobs to use instead of those in the database. `node_names` is the rule by which their
  /// nodes are found; empty: the first word of descriptions.
  std::shared_ptr<const JobList> jobs;
  std::string node_names;
  /// Names of nodes that serve several jobs, such as storage and login nodes; same rule.
  std::vector<std::string> shared_hosts;
};

/// A job that ran in the window, or that was requested.
struct WindowJob {
  StoredJob stored;
  std::optional<JobSpan> span;         ///< as far as known; nothing: the job never ran
  std::vector<std::uint32_t> nodes;    ///< indices into FabricMap::nodes, ascending
  std::vector<std::string> not_found;  ///< names that match no adapter; untrusted text
};

struct TrafficWindow {
  TrafficWindow() = default;
  TrafficWindow(const TrafficWindow&) = delete;  // `observed` points to `tables`
  TrafficWindow& operator=(const TrafficWindow&) = delete;

  std::shared_ptr<const FabricMap> map;  ///< including `fabric`
  ForwardingTables tables;
  TableVersion tables_version;
  ObservedTraffic observed;
  /// by index of observed.jobs: jobs with hosts in this fabric
  std::vector<WindowJob> jobs;
  std::optional<JobSourceState> job_source;  ///< nothing if the caller provided the jobs

  HistoryLevel level = HistoryLevel::raw;
  std::vector<std::int64_t> time_ms;  ///< end of each sweep in `observed`, in ms since 1970
  std::vector<double> seconds;        ///< duration of each sweep
  /// By port of the map: share of the window in which the port had data but no credits; below 0:
  /// unknown.
  std::vector<double> waiting_share;
  /// For AttributionOptions: largest time between readings of two ports, as a fraction of a sweep.
  double reading_skew = 0;
  /// Limitations of the result, such as changed tables or added-up sweeps, as printable sentences.
  std::vector<std::string> remarks;

  double total_seconds() const noexcept;
  /// What the bytes that leave a port towards its cable measure: a channel for a switch port, the
  /// sender for a host port. Nothing if the port has no cable, or if the other end is not part of
  /// the fabric.
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

/// Opens its own two connections, so it can be called from any thread. If routes between hosts
/// changed in the window, the result starts after the last change, and a remark says so. Throws
/// Error(unreadable_input) as HistoryReader does. Also throws it if the history has no sweep in the
/// window, no tables (written by an older program or with tables_interval_s = 0), or a map that is
/// not a valid Fabric. Throws Error(usage) as NodeNameRule does, and Stopped. O(samples in the
/// window + entries of the tables).
TrafficWindowPointer read_traffic_window(const std::filesystem::path& database,
                                         const WindowOptions& options, const StopSignal& stop = {});

}  // namespace pssp
