// A time is never guessed: neither files nor their dates specify when counters were read, so two
// files require --interval, and one file requires the pause in its command.

#include "tools/monitor_fabric/saved_sweeps.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/wall_clock.h"
#include "monitor/discovery/saved_counters.h"
#include "monitor/live/fabric_session.h"

namespace pssp {
namespace {

/// As if all ports had answered at this time.
SnapshotPointer snapshot_at(SavedCounters& saved, std::int64_t ns) {
  Snapshot snapshot = std::move(saved.totals);
  snapshot.time_ms = wall_clock_ms();
  snapshot.begin_ns = ns;
  for (std::size_t p = 0; p < snapshot.status.size(); ++p) {
    if (snapshot.status[p] == PortStatus::read) snapshot.read_ns[p] = ns;
  }
  return std::make_shared<const Snapshot>(std::move(snapshot));
}

SavedCounters read_labelled(const std::string& file, const NodeNameMap& labels) {
  SavedCounters saved = read_saved_counters(file);
  label_nodes(labels, *saved.map);
  return saved;
}

std::uint64_t to_ns(double seconds) { return static_cast<std::uint64_t>(seconds * 1e9); }

}  // namespace

ComparedSweeps read_saved_sweeps(const std::vector<std::string>& files,
                                 std::optional<double> interval_s, bool wants_totals,
                                 const NodeNameMap& labels) {
  if (files.size() > 1 && wants_totals) {
    throw Error(ErrorKind::usage, "--totals reads one file; give only the newer one");
  }
  SavedCounters last = read_labelled(files.back(), labels);
  ComparedSweeps result;
  TwoSweeps& sweeps = result.sweeps;
  sweeps.remarks = last.remarks;
  if (files.size() > 1) {
    if (!interval_s) {
      throw Error(ErrorKind::usage,
                  "--from with two files needs --interval S, the seconds between "
                  "them");
    }
    SavedCounters first = read_labelled(files.front(), labels);
    sweeps.remarks.insert(sweeps.remarks.begin(), first.remarks.begin(), first.remarks.end());
    sweeps.before = snapshot_at(first, 1);
    sweeps.after = snapshot_at(last, static_cast<std::int64_t>(to_ns(*interval_s)) + 1);
    sweeps.differences = differences(*sweeps.before, *sweeps.after);
    result.has_differences = true;
    return result;
  }
  const std::optional<double> seconds = interval_s ? interval_s : last.pause_s;
  result.has_differences = !wants_totals && !last.between.empty() && seconds;
  if (result.has_differences) {
    sweeps.differences = std::move(last.between);
    for (PortDifference& each : sweeps.differences) {
      if (each.known != 0) each.ns = to_ns(*seconds);
    }
  } else if (!wants_totals) {
    sweeps.remarks.push_back(fmt::format(
        "{}: rates are unknown, so totals are compared with thresholds: {}", files.back(),
        last.between.empty()
            ? "there is no section PM_DELTA; ibdiagnet --pm_pause_time 60 writes it"
            : "specify the seconds of section PM_DELTA with --interval S"));
  }
  sweeps.after = snapshot_at(last, 1);
  sweeps.before = sweeps.after;
  return result;
}

}  // namespace pssp
