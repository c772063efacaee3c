// Runs are independent of each other. They are ordered by seed and then by variant, so that whoever
// interrupts has all variants for the first seeds.

#include "tools/simulate_fabric/runs.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/workers.h"
#include "tools/kit/interrupt.h"
#include "tools/kit/progress_line.h"

namespace pssp {
namespace {

constexpr unsigned most_seeds_for_precision = 64;

/// How far all runs are together; may be told from several threads.
class SharedProgress {
 public:
  SharedProgress(bool wanted, std::size_t runs) : runs_(runs), parts_(runs) {
    if (wanted) line_ = std::make_unique<ProgressLine>("simulate_fabric");
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

SimulatedRun run_one(const SimulateOptions& options, const Simulation& simulation,
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
  request.progress = [&](SimulatedTime now, std::uint64_t) {
    progress(static_cast<double>(now) / static_cast<double>(traffic.duration));
  };
  SimulatedRun run;
  run.began = true;
  run.outcome = simulate(
      tables.fabric, tables.tables, has_levels ? &*simulation.input.levels : nullptr, traffic,
      simulation.model, variant.congestion ? &*variant.congestion : nullptr, request);
  run.summary = summarize(tables.fabric, tables.tables, traffic, simulation.model, run.outcome);
  run.victims = find_victims(tables.fabric, tables.tables, traffic, simulation.model, run.outcome,
                             run.summary, options.victims);
  return run;
}

/// Runs the seeds from `first` on, which have no runs yet.
void run_seeds(const SimulateOptions& options, std::size_t first, Simulation& simulation) {
  const std::size_t variants = simulation.variants.size();
  const std::size_t seeds = simulation.seeds.size() - first;
  for (std::vector<SimulatedRun>& runs : simulation.runs) runs.resize(simulation.seeds.size());
  SharedProgress progress(options.progress && !options.quiet, variants * seeds);
  const StopSignal stop([] { return interrupted(); });
  const unsigned workers =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  run_tasks(workers, variants * seeds, [&](std::size_t i) {
    if (interrupted()) return;
    const std::size_t variant = i % variants;
    const std::size_t seed = first + i / variants;
    simulation.runs[variant][seed] =
        run_one(options, simulation, simulation.variants[variant], seed, stop,
                [&](double part) { progress.update(i, part); });
    progress.update(i, 1);
  });
  simulation.interrupted = interrupted();
}

void add_seeds(const SimulateOptions& options, std::size_t count, Simulation& simulation) {
  for (std::size_t i = 0; i < count; ++i) {
    simulation.seeds.push_back(options.seed + simulation.seeds.size());
    simulation.traffic.push_back(traffic_for(options, simulation.input, simulation.seeds.back()));
  }
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

Simulation run_simulation(const SimulateOptions& options, SimulationInput input) {
  Simulation simulation;
  simulation.input = std::move(input);
  const bool by_precision = options.precision > 0;
  add_seeds(options, by_precision ? std::max(3U, options.seeds) : options.seeds, simulation);
  simulation.model = model_for(options, simulation.input, simulation.traffic.front());
  simulation.variants = make_variants(options, simulation.input, simulation.traffic.front());
  simulation.runs.resize(simulation.variants.size());
  note_interruptions();
  run_seeds(options, 0, simulation);
  while (by_precision && !simulation.interrupted && !is_precise(simulation, options.precision) &&
         simulation.seeds.size() < most_seeds_for_precision) {
    const std::size_t before = simulation.seeds.size();
    add_seeds(options, std::min<std::size_t>(before, most_seeds_for_precision - before),
              simulation);
    run_seeds(options, before, simulation);
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
