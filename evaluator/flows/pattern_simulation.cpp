#include "evaluator/flows/pattern_simulation.h"

#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "evaluator/flows/dependency_delay.h"
#include "evaluator/flows/flow_paths.h"

// A run draws the hosts of the ranks, then processes the levels of the pattern: the flows of a
// level are added to the links, then each flow looks up the fullest link on its path. The pattern
// writes a level that is larger than a block of the FlowWriter twice, first for adding, then for
// looking up.
//
// Threads share the runs. Sums that are not integers are computed within one run, in the order of
// its flows, so the result does not depend on the assignment of runs to threads.
//
// Random numbers: the mapping of run r uses stream 2r, and level l uses stream 2r + 1 of its own
// seed. So a level can be simulated alone with the same flows.

namespace pssp {
namespace {

/// Counts congestions of flows. Integers (all values, if all links are equal) are counted without a
/// search.
class CongestionHistogram {
 public:
  void add(double congestion) {
    if (congestion < static_cast<double>(whole_.size())) {
      const auto index = static_cast<std::size_t>(congestion);
      if (static_cast<double>(index) == congestion) {
        ++whole_[index];
        return;
      }
    }
    ++other_[congestion];
  }

  void add_to(std::map<double, std::uint64_t>& histogram) const {
    for (std::size_t i = 0; i < whole_.size(); ++i) {
      if (whole_[i] != 0) histogram[static_cast<double>(i)] += whole_[i];
    }
    for (const auto& [congestion, flows] : other_) histogram[congestion] += flows;
  }

 private:
  std::vector<std::uint64_t> whole_ = std::vector<std::uint64_t>(1024);
  std::map<double, std::uint64_t> other_;
};

void add_all(std::span<const std::uint32_t> loads, std::vector<std::uint64_t>& sums) {
  sums.resize(loads.size());
  for (std::size_t i = 0; i < loads.size(); ++i) sums[i] += loads[i];
}

void add_all(const std::vector<std::uint64_t>& part, std::vector<std::uint64_t>& sums) {
  sums.resize(std::max(part.size(), sums.size()));
  for (std::size_t i = 0; i < part.size(); ++i) sums[i] += part[i];
}

/// Flows to one LID of each host on the links.
class WholeFlows {
 public:
  WholeFlows(const RouteStore& routes, HostLinks host_links)
      : paths_(routes), loads_(routes, host_links) {}

  void begin_level(std::uint64_t /*seed*/, std::uint64_t /*run*/, std::uint32_t /*level*/) {
    loads_.clear();
  }
  void collect(std::span<const Flow> flows) { paths_.collect(flows); }
  void add() { loads_.add(paths_); }
  void congestion(std::span<double> result) const { loads_.congestion(paths_, result); }
  void add_cables(CableLoads& cables) const {
    add_all(loads_.channels(), cables.channels);
    add_all(loads_.sent(), cables.sent);
    add_all(loads_.received(), cables.received);
  }

 private:
  FlowPaths paths_;
  LinkLoads loads_;
};

/// Striped flows; simulate() rejects requests for cable loads, which need whole flows.
class StripedFlows : public StripedLoads {
 public:
  using StripedLoads::StripedLoads;
  void begin_level(std::uint64_t /*seed*/, std::uint64_t /*run*/, std::uint32_t /*level*/) {
    clear();
  }
  static void add_cables(CableLoads& /*cables*/) {}
};

/// Flows without tables; cable loads are rejected, too.
class AdaptiveFlows {
 public:
  AdaptiveFlows(const AdaptiveRoutes& routes, HostLinks host_links) : loads_(routes, host_links) {}

  void begin_level(std::uint64_t seed, std::uint64_t run, std::uint32_t level) {
    loads_.begin_level(seed, run, level);
  }
  void collect(std::span<const Flow> flows) { flows_ = flows; }
  void add() { loads_.add(flows_); }
  void congestion(std::span<double> result) { loads_.congestion(flows_, result); }
  static void add_cables(CableLoads& /*cables*/) {}

 private:
  AdaptiveLoads loads_;
  std::span<const Flow> flows_;
};

/// Scores runs one after the other; keeps the sums over runs. One object per thread.
template <class Traffic>
class RunScorer {
 public:
  template <class Routes>
  RunScorer(const Routes& routes, const Pattern& pattern, const HostMapping& mapping,
            const SimulationOptions& options)
      : pattern_(pattern),
        mapping_(mapping),
        options_(options),
        loads_(routes, options.host_links),
        delay_(pattern.observed_ranks()),
        flows_([this](std::span<const Flow> block) { take(block); }) {}

  RunScorer(const RunScorer&) = delete;  // flows_ holds its address
  RunScorer& operator=(const RunScorer&) = delete;

  RunResult score(std::uint64_t run) {
    mapping_.draw(options_.seed, run, hosts_);
    result_ = {};
    delay_.clear();
    const auto first = static_cast<std::uint32_t>(std::max(options_.level, 0));
    const std::uint32_t end = options_.level < 0 ? pattern_.level_count() : first + 1;
    for (std::uint32_t level = first; level < end; ++level) score_level(run, level);
    result_.delay = delay_.longest();
    return result_;
  }

  void add_to(SimulationResult& result) const {
    histogram_.add_to(result.histogram);
    if (!options_.cables) return;
    add_all(cables_.channels, result.cables.channels);
    add_all(cables_.sent, result.cables.sent);
    add_all(cables_.received, result.cables.received);
  }

 private:
  enum class Sweep : std::uint8_t { fill, look_up };

  void score_level(std::uint64_t run, std::uint32_t level) {
    const RandomGenerator random = level_random(options_.seed, run, level);
    loads_.begin_level(options_.seed, run, level);
    level_ = {};
    blocks_ = 0;
    sweep_ = Sweep::fill;
    write(level, random);
    if (blocks_ > 1) {
      sweep_ = Sweep::look_up;
      write(level, random);
    } else {
      look_up(flows_.block());
    }
    end_level();
  }

  void write(std::uint32_t level, const RandomGenerator& random) {
    flows_.clear();
    pattern_.write_level(level, random, flows_);
    take(flows_.block());
  }

  /// Processes a level or a part of it.
  void take(std::span<const Flow> ranks) {
    ++blocks_;
    endpoints_.resize(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      endpoints_[i] = {hosts_[ranks[i].source], hosts_[ranks[i].destination]};
    }
    loads_.collect(endpoints_);
    if (sweep_ == Sweep::fill) {
      loads_.add();
    } else {
      look_up(ranks);
    }
  }

  /// Requires collected paths of `ranks`, and all flows of the level on the links.
  void look_up(std::span<const Flow> ranks) {
    congestion_.resize(ranks.size());
    loads_.congestion(congestion_);
    for (const double congestion : congestion_) {
      if (options_.histogram) histogram_.add(congestion);
      if (std::isinf(congestion)) {
        ++result_.unrouted;
        continue;
      }
      result_.bandwidth_sum += 1.0 / congestion;
      level_.sum += congestion;
      level_.largest = std::max(level_.largest, congestion);
      ++level_.routed;
    }
    result_.flows += ranks.size();
    level_.flows += ranks.size();
    delay_.add(ranks, congestion_);
  }

  void end_level() {
    delay_.end_level();
    if (level_.flows != 0) ++result_.levels;
    if (level_.routed != 0 && level_.routed == level_.flows)
      result_.slowest_bandwidth_sum += 1 / level_.largest;
    if (level_.routed != 0) {
      result_.max_congestion_sum += level_.largest;
      result_.mean_congestion_sum += level_.sum / static_cast<double>(level_.routed);
    }
    if (options_.cables) loads_.add_cables(cables_);
  }

  /// The current level.
  struct Level {
    std::uint64_t flows = 0, routed = 0;
    double sum = 0, largest = 0;  // of the congestions
  };

  const Pattern& pattern_;
  const HostMapping& mapping_;
  const SimulationOptions& options_;
  Traffic loads_;
  DependencyDelay delay_;
  FlowWriter flows_;
  Sweep sweep_ = Sweep::fill;
  std::size_t blocks_ = 0;  // since the beginning of the level
  std::vector<std::uint32_t> hosts_;
  std::vector<Flow> endpoints_;
  std::vector<double> congestion_;
  Level level_;
  RunResult result_;
  CongestionHistogram histogram_;
  CableLoads cables_;
};

template <class Traffic, class Routes>
SimulationResult simulate_runs(const Routes& routes, const Pattern& pattern,
                               const HostMapping& mapping, const SimulationOptions& options,
                               const Progress& progress) {
  require_level(pattern, options.level);
  SimulationResult result;
  result.runs.resize(options.runs);
  tbb::enumerable_thread_specific<RunScorer<Traffic>> scorers(
      [&] { return RunScorer<Traffic>(routes, pattern, mapping, options); });
  ProgressCounter counter(progress, options.runs);
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, options.runs),
                    [&](const tbb::blocked_range<std::uint64_t>& runs) {
                      RunScorer<Traffic>& scorer = scorers.local();
                      for (std::uint64_t i = runs.begin(); i != runs.end(); ++i) {
                        result.runs[i] = scorer.score(options.first_run + i);
                        counter.add(1);
                      }
                    });
  for (const RunScorer<Traffic>& scorer : scorers) scorer.add_to(result);
  return result;
}

}  // namespace

RandomGenerator level_random(std::uint64_t seed, std::uint64_t run, std::uint32_t level) {
  constexpr std::uint64_t seed_distance = 0xD1B54A32D192ED03;  // any large odd number
  return {seed + (level + 1) * seed_distance, 2 * run + 1};
}

void require_level(const Pattern& pattern, int level) {
  if (level < 0 || static_cast<std::uint32_t>(level) < pattern.level_count()) return;
  throw Error(ErrorKind::usage,
              fmt::format("unknown level {}: the pattern has {}", level,
                          pattern.level_count() == 0
                              ? "no levels for this number of ranks"
                              : fmt::format("the levels 0 to {}", pattern.level_count() - 1)));
}

SimulationResult simulate(const RouteStore& routes, const Pattern& pattern,
                          const HostMapping& mapping, const SimulationOptions& options,
                          const Progress& progress) {
  return simulate_runs<WholeFlows>(routes, pattern, mapping, options, progress);
}

SimulationResult simulate(const StripedRoutes& routes, const Pattern& pattern,
                          const HostMapping& mapping, const SimulationOptions& options,
                          const Progress& progress) {
  if (options.cables) {
    throw Error(ErrorKind::usage,
                "flows on cables are counted only for base LIDs; leave out --lids");
  }
  return simulate_runs<StripedFlows>(routes, pattern, mapping, options, progress);
}

SimulationResult simulate(const AdaptiveRoutes& routes, const Pattern& pattern,
                          const HostMapping& mapping, const SimulationOptions& options,
                          const Progress& progress) {
  if (options.cables) {
    throw Error(ErrorKind::usage,
                "flows on cables are counted only for forwarding tables; leave out --adaptive");
  }
  return simulate_runs<AdaptiveFlows>(routes, pattern, mapping, options, progress);
}

}  // namespace pssp
