// Runs are independent. They are ordered by seed, then by variant, so that after an interruption
// the first seeds have all variants. Each process simulates a share; then all have all outcomes,
// and make the same decisions.

#include "tools/simulate_fabric/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/workers.h"
#include "congestion/parameter_text.h"
#include "simulator/report/losses.h"
#include "simulator/run/outcome_words.h"
#include "simulator/traffic/glob.h"
#include "simulator/values.h"
#include "tools/kit/interrupt.h"
#include "tools/kit/program_name.h"
#include "tools/kit/progress_line.h"
#include "tools/kit/report.h"
#include "tools/simulate_fabric/series_ports.h"
#include "tools/simulation/run_time.h"
#include "tools/simulation/several_processes.h"

namespace pssp {
namespace {

constexpr unsigned most_seeds_for_precision = 64;

/// The progress of all runs together; can be updated by several threads.
class SharedProgress {
 public:
  SharedProgress(bool wanted, std::size_t runs) : runs_(runs), parts_(runs) {
    if (wanted) line_ = std::make_unique<ProgressLine>(name_as_called("simulate_fabric"));
  }

  void update(std::size_t run, double part) {
    if (line_ == nullptr) return;
    constexpr double steps = 1000;
    const std::scoped_lock lock(mutex_);
    sum_ += part - parts_[run];
    parts_[run] = part;
    line_->update(static_cast<std::uint64_t>(sum_ * steps),
                  static_cast<std::uint64_t>(static_cast<double>(runs_) * steps));
  }

 private:
  std::size_t runs_;
  std::vector<double> parts_;
  double sum_ = 0;
  std::mutex mutex_;
  std::unique_ptr<ProgressLine> line_;
};

Outcome run_one(const SimulateOptions& options, const Simulation& simulation,
                const Variant& variant, std::size_t seed, const StopSignal& stop,
                const std::function<void(double)>& progress) {
  const SimulatedTables& tables = simulation.tables_of(variant);
  const Traffic& traffic = simulation.traffic[seed].traffic;
  const bool has_levels = simulation.input.levels && variant.tables == 0;
  RunRequest request;
  request.seed = simulation.seeds[seed];
  request.most_events = options.most_events;
  request.most_bytes = options.most_bytes;
  request.stop = &stop;
  request.later = simulation.later->for_run();
  for (const SeriesPort& port : series_ports(options, tables.fabric, simulation.model)) {
    request.sampled_ports.push_back(port.port);
  }
  request.progress = [&](SimulatedTime now, std::uint64_t) {
    progress(static_cast<double>(now) / static_cast<double>(traffic.duration));
  };
  return simulate(tables.fabric, tables.tables, has_levels ? &*simulation.input.levels : nullptr,
                  traffic, simulation.model, variant.congestion ? &*variant.congestion : nullptr,
                  request);
}

/// Derives the results of a run from its outcome.
void describe(const SimulateOptions& options, const Simulation& simulation, const Variant& variant,
              std::size_t seed, SimulatedRun& run) {
  if (!run.began) return;
  const SimulatedTables& tables = simulation.tables_of(variant);
  const Traffic& traffic = simulation.traffic[seed].traffic;
  run.summary = summarize(tables.fabric, tables.tables, traffic, simulation.model, run.outcome);
  run.victims = find_victims(tables.fabric, tables.tables, traffic, simulation.model, run.outcome,
                             run.summary, options.victims);
}

/// Runs are numbered by seed, then by variant.
class NumberedRuns {
 public:
  NumberedRuns(Simulation& simulation, std::size_t first_seed)
      : simulation_(simulation), first_seed_(first_seed) {
    for (std::vector<SimulatedRun>& runs : simulation.runs) runs.resize(simulation.seeds.size());
  }

  std::size_t count() const {
    return simulation_.variants.size() * (simulation_.seeds.size() - first_seed_);
  }
  const Variant& variant(std::size_t i) const {
    return simulation_.variants[i % simulation_.variants.size()];
  }
  std::size_t seed(std::size_t i) const { return first_seed_ + i / simulation_.variants.size(); }
  SimulatedRun& run(std::size_t i) const {
    return simulation_.runs[i % simulation_.variants.size()][seed(i)];
  }

 private:
  Simulation& simulation_;
  std::size_t first_seed_;
};

/// Each process has the runs of its share; afterwards all have all.
void exchange_runs(const NumberedRuns& runs, const Share& own, const Processes& processes) {
  std::vector<std::uint64_t> words;
  for (std::size_t i = own.first; i < own.first + own.count; ++i) {
    words.push_back(runs.run(i).began ? 1 : 0);
    if (runs.run(i).began) add_words(runs.run(i).outcome, words);
  }
  const std::vector<std::uint64_t> all = processes.gather(words);
  std::span<const std::uint64_t> rest(all);
  for (std::size_t i = 0; i < runs.count(); ++i) {
    runs.run(i).began = rest.front() != 0;
    rest = rest.subspan(1);
    if (runs.run(i).began) runs.run(i).outcome = take_outcome(rest);
  }
}

/// Predicts the time before the first run. Congestion control in some runs makes little difference.
void foretell_time(const SimulateOptions& options, const Simulation& simulation,
                   Processes& processes) {
  double threads = 0;
  for (const unsigned each :
       processes.gather(std::vector<unsigned>{workers_or_all(options.threads)})) {
    threads += each;
  }
  const RunTime time = processes.together([&] {
    if (!options.progress || Report::is_quiet() || !processes.is_first()) return RunTime{};
    const Variant& variant = simulation.variants.front();
    return expect_run_time(simulation.input, simulation.tables_of(variant),
                           simulation.traffic.front().traffic, simulation.model,
                           variant.congestion ? &*variant.congestion : nullptr);
  });
  const std::string text =
      run_time_text(time, simulation.variants.size() * simulation.seeds.size(), threads);
  if (!text.empty()) Report("simulate_fabric").print_line(text);
}

/// Runs the seeds from `first` on, which have no runs yet.
void run_seeds(const SimulateOptions& options, std::size_t first, Simulation& simulation,
               Processes& processes) {
  const NumberedRuns runs(simulation, first);
  const Share own = processes.share(runs.count());
  SharedProgress progress(options.progress && processes.is_first(), own.count);
  const StopSignal stop([] { return interrupted(); });
  const unsigned workers = workers_or_all(options.threads);
  const bool was_interrupted = processes.together([&] {
    run_tasks(workers, own.count, [&](std::size_t k) {
      if (interrupted()) return;
      const std::size_t i = own.first + k;
      runs.run(i).outcome = run_one(options, simulation, runs.variant(i), runs.seed(i), stop,
                                    [&](double part) { progress.update(k, part); });
      runs.run(i).began = true;
      progress.update(k, 1);
    });
    return interrupted();
  });
  if (processes.count() > 1) exchange_runs(runs, own, processes);
  simulation.interrupted =
      std::ranges::count(processes.gather(std::vector<char>{was_interrupted}), 1) != 0;
  // All processes need the precision, because each decides whether to continue.
  if (!processes.is_first() && options.precision == 0) return;
  run_tasks(workers, runs.count(), [&](std::size_t i) {
    describe(options, simulation, runs.variant(i), runs.seed(i), runs.run(i));
  });
}

/// A pattern, which runs until it is done, waits for repeated packets; other traffic has a fixed
/// time.
void require_changes_within(const SimulateOptions& options, const Simulation& simulation,
                            Traffic& traffic) {
  const std::vector<LaterState>& states = simulation.later->states.states;
  if (states.empty()) return;
  if (!options.times.duration && (options.bisect || !options.pattern.empty())) {
    traffic.duration += end_of_recovery(simulation.later->states);
  }
  if (states.back().time < traffic.duration) return;
  throw Error(ErrorKind::usage,
              fmt::format("--then {}: the run ends at {}; expected changes before its end (--time)",
                          time_text(states.back().time), time_text(traffic.duration)));
}

void add_seeds(const SimulateOptions& options, std::size_t count, Simulation& simulation) {
  for (std::size_t i = 0; i < count; ++i) {
    simulation.seeds.push_back(options.seed + simulation.seeds.size());
    TrafficFile traffic = traffic_for(options, simulation.input, simulation.seeds.back());
    require_changes_within(options, simulation, traffic.traffic);
    simulation.traffic.push_back(std::move(traffic));
  }
}

/// Input that must be equal in all processes.
Digest digest_of_variants(const SimulateOptions& options, const Simulation& simulation) {
  Digest digest;
  for (const Variant& variant : simulation.variants) {
    digest.add(variant.tables);
    digest.add_text(variant.congestion ? congestion_parameters_text(*variant.congestion) : "off");
  }
  digest.add(digest_of(simulation.later->states));
  digest.add(options.seed);
  digest.add(options.seeds);
  digest.add_real(options.precision);
  return digest;
}

/// Detects an empty series before the simulation.
void require_series(const SimulateOptions& options, const Simulation& simulation) {
  if (options.series.empty() || options.select == SimulateOptions().select) return;
  const Fabric& fabric = simulation.input.tables.front().fabric;
  if (!series_ports(options, fabric, simulation.model).empty()) return;
  const auto name = [&](std::uint32_t rank) -> const std::string& {
    return fabric.end_port(fabric.endpoints()[rank]).name;
  };
  for (const StaticFlow& flow : simulation.traffic.front().traffic.flows) {
    const std::string label = flow.label.empty() ? fmt::format("{} -> {}", name(flow.hosts.source),
                                                               name(flow.hosts.destination))
                                                 : flow.label;
    if (is_in_series(options, "flows") && fits_glob(label, options.select)) return;
  }
  throw Error(ErrorKind::usage,
              fmt::format("--select '{}' matches no name in --series-of; expected names as in the "
                          "report, with * for any text and ? for one character",
                          excerpt(options.select)));
}

bool is_precise(const Simulation& simulation, double precision) {
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    const MeanEstimate estimate = mean_of(simulation.figures(v));
    if (estimate.values < 2) return false;
    if (estimate.upper_95 - estimate.mean > precision * estimate.mean) return false;
  }
  return true;
}

}  // namespace

bool Simulation::compares_flows() const {
  return !traffic.empty() && all_ends(traffic.front().traffic);
}

std::vector<double> Simulation::figures(std::size_t variant) const {
  const bool of_flows = compares_flows();
  std::vector<double> values;
  for (const SimulatedRun& run : runs[variant]) {
    if (!run.began) continue;
    values.push_back(of_flows ? run.summary.finite_flow_share.value_or(0)
                              : run.summary.throughput.mean);
  }
  return values;
}

Simulation run_simulation(const SimulateOptions& options, SimulationInput input,
                          Processes& processes) {
  const bool by_precision = options.precision > 0;
  Simulation simulation = processes.together([&] {
    Simulation prepared;
    prepared.input = std::move(input);
    prepared.later = std::make_unique<LaterInput>();
    read_later_states(options.later, prepared.first_state(), *prepared.later);
    if (processes.is_first()) {
      for (const FabricInput& each : prepared.later->inputs) {
        Report("simulate_fabric").warn(each.warnings);
      }
    }
    add_seeds(options, by_precision ? std::max(3U, options.seeds) : options.seeds, prepared);
    prepared.model = model_for(options, prepared.input, prepared.traffic.front());
    prepared.variants = make_variants(options, prepared.input, prepared.traffic.front());
    prepared.runs.resize(prepared.variants.size());
    require_series(options, prepared);
    return prepared;
  });
  require_same_simulation(processes, options, simulation.input, simulation.model,
                          digest_of_variants(options, simulation));
  note_interruptions();
  foretell_time(options, simulation, processes);
  run_seeds(options, 0, simulation, processes);
  while (by_precision && !simulation.interrupted && !is_precise(simulation, options.precision) &&
         simulation.seeds.size() < most_seeds_for_precision) {
    const std::size_t before = simulation.seeds.size();
    add_seeds(options, std::min<std::size_t>(before, most_seeds_for_precision - before),
              simulation);
    run_seeds(options, before, simulation, processes);
  }
  return simulation;
}

int exit_code_of(const Simulation& simulation) {
  constexpr int interrupted_by_user = 130;
  if (simulation.interrupted) return interrupted_by_user;
  for (const std::vector<SimulatedRun>& runs : simulation.runs) {
    for (const SimulatedRun& run : runs) {
      const RunEnd end = run.outcome.end;
      if (end == RunEnd::deadlock || end == RunEnd::most_events || end == RunEnd::most_bytes) {
        return static_cast<int>(ErrorKind::verification_failed);
      }
    }
  }
  return 0;
}

}  // namespace pssp
