#pragma once

// The figures of all trials of a search: a trial is a parameter set with one traffic and one seed.
// A trial is simulated only once, and can come from an earlier search.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/stop_signal.h"
#include "simulator/report/run_summary.h"
#include "simulator/tuning/parameter_space.h"

namespace pssp {

/// Figures of one run in the measured time.
struct TrialFigures {
  double throughput = 0;      ///< bytes/s of all hosts
  double instability = 0;     ///< standard deviation of its samples / throughput
  double worst_part = 1;      ///< smallest rate / fair share of a flow; 1 without flows
  double p99_ns = 0;          ///< latency
  double completion_ns = 0;   ///< of finite traffic; 0: did not end, or endless
  double victims_share = -1;  ///< mean share of the link of victims; -1: none
  double hurt = 0;            ///< number of flows below half of their fair share
  bool ended_early = false;   ///< by a deadlock or a limit

  bool operator==(const TrialFigures&) const = default;
};

TrialFigures figures_of(const Traffic& traffic, const Outcome& outcome, const RunSummary& summary);

/// A parameter set under test.
struct TuningCell {
  std::string name;  ///< "off", "base", or the changes, "CCTI_Timer=249.856us Marking_Rate=1"
  std::vector<std::pair<std::string, std::string>> changes;  ///< relative to the base
  TuningPoint point;                                         ///< empty for off and base

  bool is_off() const { return name == "off"; }
};

TuningCell off_cell();
TuningCell base_cell();
TuningCell cell_at(const ParameterSpace& space, TuningPoint point);

/// Cell, traffic, seed.
using TrialKey = std::tuple<std::string, std::size_t, std::uint64_t>;
using TrialTable = std::map<TrialKey, TrialFigures>;

/// The content of a file of trials.
struct KeptTrials {
  TrialTable table;
  std::size_t runs = 0;  ///< number of runs for which the search was planned
};

/// The trials as comma-separated values, after lines that identify the search.
std::string trials_text(const TrialTable& table, std::size_t runs, std::string_view identity);
/// Throws Error(unreadable_input) with name:line, and Error(mismatch) if the identity differs.
KeptTrials parse_trials(std::string_view text, std::string_view name, std::string_view identity);

/// Simulates one trial. Called from several threads at a time.
using TrialPlayer = std::function<TrialFigures(const TuningCell& cell, std::size_t traffic,
                                               std::uint64_t seed, const StopSignal& stop)>;

/// Simulates `count` trials of a batch, beginning with number `first`.
using TrialRange =
    std::function<std::vector<TrialFigures>(std::uint64_t first, std::uint64_t count)>;

class Trials {
 public:
  struct Grant {
    unsigned workers = 1;
    StopSignal stop;
    /// Called after each batch, every ten seconds within it, and on an interruption; may be empty.
    std::function<void(const TrialTable&)> keep;
    /// Called after each trial with the number of trials requested so far; may be empty.
    std::function<void(std::size_t)> progress;
    /// If several processes make the same search: simulates a share of the `count` trials of a
    /// batch here, gets the figures of the others, and returns all in order. Empty: all are
    /// simulated here.
    std::function<std::vector<TrialFigures>(std::uint64_t count, const TrialRange& simulate_run)>
        share;
  };

  Trials(TrialTable known, TrialPlayer player, std::size_t traffics, Grant grant)
      : table_(std::move(known)),
        player_(std::move(player)),
        traffics_(traffics),
        grant_(std::move(grant)) {}

  /// Simulates each cell with each traffic and each seed. Known trials are not simulated again, but
  /// count. Throws Stopped and the errors of the player; finished trials are stored.
  void simulate_run(const std::vector<TuningCell>& cells, const std::vector<std::uint64_t>& seeds);

  const TrialFigures& figures(const std::string& cell, std::size_t traffic,
                              std::uint64_t seed) const {
    return table_.at({cell, traffic, seed});
  }
  bool has(const std::string& cell, std::uint64_t seed) const {
    return table_.contains({cell, 0, seed}) && asked_.contains({cell, 0, seed});
  }
  std::size_t traffics() const noexcept { return traffics_; }
  /// Number of distinct trials requested, including known ones.
  std::size_t count() const noexcept { return asked_.size(); }
  const TrialTable& table() const noexcept { return table_; }

 private:
  struct Task {
    const TuningCell* cell;
    TrialKey key;
  };
  std::vector<TrialFigures> simulate_some(std::span<const Task> tasks, std::size_t asked_before);

  TrialTable table_;
  std::set<TrialKey> asked_;
  TrialPlayer player_;
  std::size_t traffics_;
  Grant grant_;
};

}  // namespace pssp
