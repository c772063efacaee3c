#pragma once

// What a search knows: the figures of each trial, a set of parameters with one traffic and one
// seed. A trial is simulated once, whoever asks for it, and may come from an earlier search.

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

/// Of one run, in the measured time.
struct TrialFigures {
  double throughput = 0;      ///< bytes/s of all hosts
  double instability = 0;     ///< standard deviation of its samples / throughput
  double worst_part = 1;      ///< smallest part of its fair share that a flow got; 1 without flows
  double p99_ns = 0;          ///< latency
  double completion_ns = 0;   ///< of what ends; 0: it did not, or nothing ends
  double victims_share = -1;  ///< mean share of the link of those called victims; -1: none
  double hurt = 0;            ///< flows below half of their fair share
  bool ended_early = false;   ///< by a deadlock or a limit

  bool operator==(const TrialFigures&) const = default;
};

TrialFigures figures_of(const Traffic& traffic, const Outcome& outcome, const RunSummary& summary);

/// A set of parameters that is tried.
struct TuningCell {
  std::string name;  ///< "off", "base", or the changes, "CCTI_Timer=249.856us Marking_Rate=1"
  std::vector<std::pair<std::string, std::string>> changes;  ///< of the base
  TuningPoint point;                                         ///< empty of off and base

  bool is_off() const { return name == "off"; }
};

TuningCell off_cell();
TuningCell base_cell();
TuningCell cell_at(const ParameterSpace& space, TuningPoint point);

/// Cell, traffic, seed.
using TrialKey = std::tuple<std::string, std::size_t, std::uint64_t>;
using TrialTable = std::map<TrialKey, TrialFigures>;

/// What a file of trials has.
struct KeptTrials {
  TrialTable table;
  std::size_t runs = 0;  ///< that the search was planned with
};

/// The trials as comma-separated values, below lines that say which search they belong to.
std::string trials_text(const TrialTable& table, std::size_t runs, std::string_view identity);
/// Throws Error(unreadable_input) with name:line, Error(mismatch) where the identity is another
/// one.
KeptTrials parse_trials(std::string_view text, std::string_view name, std::string_view identity);

/// Plays one trial. Called from several threads at a time.
using TrialPlayer = std::function<TrialFigures(const TuningCell& cell, std::size_t traffic,
                                               std::uint64_t seed, const StopSignal& stop)>;

/// Plays the trials of a batch from number `first` on, `count` of them.
using TrialRange =
    std::function<std::vector<TrialFigures>(std::uint64_t first, std::uint64_t count)>;

class Trials {
 public:
  struct Grant {
    unsigned workers = 1;
    StopSignal stop;
    /// Told after each batch, each ten seconds in it, and when it is interrupted; may be empty.
    std::function<void(const TrialTable&)> keep;
    /// Told after each trial how many have been asked for so far; may be empty.
    std::function<void(std::size_t)> progress;
    /// Where several processes make the same search: plays a share of the `count` trials of a batch
    /// here, gets the figures of the others, and returns those of all, in order. Empty: all are
    /// simulated here.
    std::function<std::vector<TrialFigures>(std::uint64_t count, const TrialRange& simulate_run)>
        share;
  };

  Trials(TrialTable known, TrialPlayer player, std::size_t traffics, Grant grant)
      : table_(std::move(known)),
        player_(std::move(player)),
        traffics_(traffics),
        grant_(std::move(grant)) {}

  /// Each cell with each traffic and each seed. What is known is not simulated again, but counts.
  /// Throws Stopped, and what the player throws; what was finished is kept.
  void simulate_run(const std::vector<TuningCell>& cells, const std::vector<std::uint64_t>& seeds);

  const TrialFigures& figures(const std::string& cell, std::size_t traffic,
                              std::uint64_t seed) const {
    return table_.at({cell, traffic, seed});
  }
  bool has(const std::string& cell, std::uint64_t seed) const {
    return table_.contains({cell, 0, seed}) && asked_.contains({cell, 0, seed});
  }
  std::size_t traffics() const noexcept { return traffics_; }
  /// Trials that were asked for, each once; those that were known among them.
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
