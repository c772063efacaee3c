// Before the search, each traffic is simulated once without congestion control: this determines its
// roots, from which the search starts, and the time per run, from which a time budget becomes a
// number of runs. From then on, the clock only ends a search that takes half as long again as
// permitted.

#include "tools/tune_cc/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/version.h"
#include "base/workers.h"
#include "congestion/opensm_options.h"
#include "congestion/parameter_text.h"
#include "congestion/profiles.h"
#include "fabric/fabric_digest.h"
#include "simulator/scenarios/parameter_change.h"
#include "tools/kit/interrupt.h"
#include "tools/kit/program_name.h"
#include "tools/kit/progress_line.h"
#include "tools/kit/report.h"
#include "tools/simulation/congestion_set.h"
#include "tools/simulation/run_time.h"
#include "tools/simulation/several_processes.h"

namespace pssp {
namespace {

using Clock = std::chrono::steady_clock;
using Changes = std::vector<std::pair<std::string, std::string>>;

std::string digits(const DigestValue& digest) { return fmt::format("{:016x}", digest[0]); }

std::string identity_of(const TuneOptions& options, const Tuning& tuning) {
  const SimulatedTables& first = tuning.input.tables.front();
  Digest tables;
  tables.add_all(first.tables.entries());
  if (tuning.input.levels) tables.add_all(tuning.input.levels->entries());
  tables.add_all(std::span<const std::uint8_t>(tuning.input.sl_to_vl));
  Digest traffics;
  for (const TrafficSource& each : tuning.input.traffic) {
    traffics.add_text(each.text.value_or(each.name));
  }
  Digest search;
  search.add_text(options.command);
  search.add_text(options.budget);
  search.add_text(congestion_parameters_text(tuning.base));
  search.add_text(version());
  return fmt::format("fabric {}, tables {}, traffic {}, search {}", digits(digest_of(first.fabric)),
                     digits(tables.value()), digits(traffics.value()), digits(search.value()));
}

/// Adapts the base to the limits of OpenSM or the adapters, and reports the changes.
void fit_base(const TuneOptions& options, Tuning& tuning) {
  CongestionParameters& base = tuning.base;
  std::size_t most_entries = cc_limits::most_entries;
  if (options.capacity) {
    most_entries = std::min<std::size_t>(
        most_entries, std::size_t{*options.capacity} * cc_limits::entries_per_block);
  }
  if (options.opensm) most_entries = std::min(most_entries, opensm_most_table_entries);
  if (base.table.entries.size() > most_entries) {
    base = with_changes(base, Changes{{"table.ccti_limit", std::to_string(most_entries - 1)}});
    tuning.warnings.push_back(fmt::format(
        "CCTI_Limit of the base is reduced to {}, the largest value that fits", most_entries - 1));
  }
  if (options.capacity) {
    base = with_changes(base, Changes{{"table.capacity", std::to_string(*options.capacity)}});
  }
  const PortSelection& mask = base.switches.victim_mask;
  if (options.opensm && !mask.is_uniform() && !(mask.host_facing && mask.switch_facing)) {
    base.switches.victim_mask = {};
    tuning.warnings.emplace_back(
        "the base is used without its Victim_Mask: the mask differs between switches, and OpenSM "
        "sends the same mask to all");
  }
}

/// Checks that all corners of each axis make a valid set; otherwise throws a usage error with the
/// wrong one.
void check_axes(const TuneOptions& options, const Tuning& tuning) {
  for (const TuningAxis& axis : tuning.space.axes) {
    std::vector<std::string> values = axis.values;
    if (values.empty()) values = {axis.value_at(0), axis.value_at(1)};
    for (const std::string& value : values) {
      if (value.find_first_of(",\n\r") != std::string::npos) {
        throw Error(ErrorKind::usage,
                    fmt::format("--vary {}: a value contains a comma or a line end", axis.name));
      }
      const CongestionParameters set = with_changes(tuning.base, Changes{{axis.name, value}});
      if (options.opensm && set.table.entries.size() > opensm_most_table_entries) {
        throw Error(
            ErrorKind::usage,
            fmt::format(
                "--vary {}: {} gives {} table entries; expected at most 128, the limit of OpenSM",
                axis.name, value, set.table.entries.size()));
      }
    }
  }
}

/// Generates the traffic of each seed on demand.
class Player {
 public:
  Player(const TuneOptions& options, const Tuning& tuning) : options_(options), tuning_(tuning) {}

  /// Without congestion control if `set` is null. Also finds the roots unless `roots` is null.
  TrialFigures simulate_run(const CongestionParameters* set, std::size_t source, std::uint64_t seed,
                            const StopSignal& stop,
                            std::vector<CongestionRoot>* roots = nullptr) const {
    const SimulationInput& input = tuning_.input;
    const SimulatedTables& first = input.tables.front();
    const TrafficFile file = traffic_for(options_, input, seed, source);
    const Model model = model_for(options_, input, file);
    RunRequest request;
    request.seed = seed;
    request.most_events = options_.most_events;
    request.most_bytes = options_.most_bytes;
    request.stop = &stop;
    const Outcome outcome =
        simulate(first.fabric, first.tables, input.levels ? &*input.levels : nullptr, file.traffic,
                 model, set, request);
    if (outcome.end == RunEnd::stopped) throw Stopped("a run was interrupted");
    if (roots != nullptr) {
      *roots = find_roots(first.fabric, first.tables, file.traffic, model, outcome);
    }
    return figures_of(file.traffic, outcome,
                      summarize(first.fabric, first.tables, file.traffic, model, outcome));
  }

 private:
  const TuneOptions& options_;
  const Tuning& tuning_;
};

/// Simulates each traffic once without congestion control, in each process, because all of them
/// need the roots. Returns the seconds per run.
double explore(const TuneOptions& options, const Player& player, const StopSignal& stop,
               Tuning& tuning) {
  const std::size_t traffics = tuning.input.traffic.size();
  tuning.roots.resize(traffics);
  std::vector<TrialFigures> figures(traffics);
  std::vector<double> seconds(traffics);
  run_tasks(workers_or_all(options.threads), traffics, [&](std::size_t t) {
    const auto start = Clock::now();
    figures[t] = player.simulate_run(nullptr, t, options.seed, stop, &tuning.roots[t]);
    seconds[t] = std::chrono::duration<double>(Clock::now() - start).count();
  });
  double sum = 0;
  for (std::size_t t = 0; t < traffics; ++t) {
    tuning.trials[{"off", t, options.seed}] = figures[t];
    sum += seconds[t];
  }
  return sum / static_cast<double>(traffics);
}

void require_objective(const TuneOptions& options, const Tuning& tuning) {
  using Kind = TuningObjective::Kind;
  for (std::size_t t = 0; t < tuning.input.traffic.size(); ++t) {
    const Traffic traffic = traffic_for(options, tuning.input, options.seed, t).traffic;
    const bool has_flows =
        !traffic.flows.empty() || !traffic.rounds.empty() || !traffic.trace.empty();
    const Kind kind = options.objective.kind;
    if ((kind == Kind::worst_flow || kind == Kind::blend) && !has_flows) {
      throw Error(ErrorKind::usage,
                  fmt::format("--objective {}: {} has no flows, patterns or traces; expected "
                              "traffic with flows, or another objective",
                              options.objective_name, tuning.input.traffic[t].name));
    }
    if (kind == Kind::completion && !all_ends(traffic)) {
      throw Error(ErrorKind::usage,
                  fmt::format("--objective completion: {} contains unlimited traffic; expected "
                              "only flows with bytes, patterns or traces",
                              tuning.input.traffic[t].name));
    }
  }
}

/// `workers`: threads of all processes.
void plan_search(const TuneOptions& options, double seconds_of_run, double workers,
                 Tuning& tuning) {
  TuningPlan& plan = tuning.plan;
  plan.objective = options.objective;
  plan.weights = options.weights;
  plan.weights.resize(tuning.input.traffic.size(), 1);
  plan.seed = options.seed;
  plan.guard = options.guard;
  if (options.runs != 0) plan.runs = options.runs;
  if (plan.runs == 0) {
    // The rest is a reserve for runs that take longer than the first one.
    constexpr double part = 0.8;
    const double fit = part * options.seconds * workers / std::max(1e-6, seconds_of_run);
    constexpr double most = 1e6;
    plan.runs = std::max(least_runs(tuning.input.traffic.size()),
                         static_cast<std::size_t>(std::min(most, fit)));
  }
  std::vector<CongestionRoot> all;
  for (const auto& roots : tuning.roots) all.insert(all.end(), roots.begin(), roots.end());
  plan.start = starting_points(tuning.space, tuning.base, tuning.model, slowness_of(all));
}

/// Predicts the time of the first run from its beginning.
void predict_probe(const TuneOptions& options, Processes& processes, const Tuning& tuning) {
  const RunTime time = processes.together([&] {
    if (Report::is_quiet() || !options.progress || !processes.is_first()) return RunTime{};
    return expect_run_time(tuning.input, tuning.input.tables.front(), tuning.first_traffic.traffic,
                           tuning.model, nullptr);
  });
  const std::size_t first = tuning.input.traffic.size();
  const std::string text =
      run_time_text(time, std::max(first, options.runs + first), workers_or_all(options.threads));
  if (!text.empty()) Report("tune_cc").print_line(text);
}

/// Predicts the time of the other runs from the first.
void foretell_time(const TuneOptions& options, double seconds_of_run, double workers,
                   const Tuning& tuning) {
  constexpr Report report("tune_cc");
  constexpr double patience = 60;
  const std::size_t runs = tuning.plan.runs - std::min(tuning.plan.runs, tuning.trials.size());
  const double seconds = static_cast<double>(runs) * seconds_of_run / workers;
  if (options.seconds > 0 && seconds > 1.5 * options.seconds) {
    report.warn(fmt::format("--budget {}: a search needs at least {} runs, about {:.0f} s",
                            options.budget, tuning.plan.runs, std::ceil(seconds)));
  } else if (seconds > patience) {
    report.print_line(fmt::format("{} runs, about {:.0f} min", runs, std::ceil(seconds / 60)));
  }
}

void search(const TuneOptions& options, const Player& player, const StopSignal& stop,
            Clock::time_point start, Processes& processes, Tuning& tuning) {
  Trials::Grant grant;
  grant.workers = workers_or_all(options.threads);
  grant.stop = stop;
  if (processes.count() > 1) {
    grant.share = [&](std::uint64_t count, const TrialRange& simulate_here) {
      const Share own = processes.share(count);
      return processes.gather(
          processes.together([&] { return simulate_here(own.first, own.count); }));
    };
  }
  if (!options.resume.empty() && processes.is_first()) {
    grant.keep = [&](const TrialTable& table) {
      write_file(options.resume, trials_text(table, tuning.plan.runs, tuning.identity));
    };
  }
  std::unique_ptr<ProgressLine> line;
  if (options.progress && processes.is_first())
    line = std::make_unique<ProgressLine>(name_as_called("tune_cc"));
  grant.progress = [&](std::size_t done) {
    if (line) line->update(std::min(done, tuning.plan.runs), tuning.plan.runs);
  };
  if (options.seconds > 0) {
    constexpr double patience = 1.5;
    const auto end = start + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(patience * options.seconds));
    // Clocks differ, so that of the first process counts.
    tuning.plan.is_late = [end, &processes] {
      return processes.gather(std::vector<char>{Clock::now() >= end}).front() != 0;
    };
  }
  const TrialPlayer simulate_run = [&](const TuningCell& cell, std::size_t source,
                                       std::uint64_t seed, const StopSignal& signal) {
    if (cell.is_off()) return player.simulate_run(nullptr, source, seed, signal);
    const CongestionParameters set = tuning.set_of(cell);
    return player.simulate_run(&set, source, seed, signal);
  };
  Trials trials(tuning.trials, simulate_run, tuning.input.traffic.size(), std::move(grant));
  try {
    tuning.result = search_parameters(tuning.plan, tuning.space, trials);
  } catch (const Stopped&) {
    tuning.interrupted = true;
    tuning.result.runs = trials.count();
  }
  tuning.trials = trials.table();
}

}  // namespace

CongestionParameters Tuning::set_of(const TuningCell& cell) const {
  return with_changes(base, cell.changes);
}

CongestionParameters Tuning::chosen_set() const {
  if (!result.chosen) return load_congestion_parameters("off");
  return set_of(result.shortlist[*result.chosen].cell);
}

std::vector<Hold> Tuning::holds() const {
  const CongestionParameters set = chosen_set();
  std::vector<Hold> all;
  for (const auto& of_traffic : roots) {
    for (const CongestionRoot& root : of_traffic) {
      const auto hold =
          hold_at(root.port, root.contributors, root.packet_ns, root.level, model, set);
      if (hold) all.push_back(*hold);
    }
  }
  return all;
}

Tuning read_tuning(const TuneOptions& options) {
  Tuning tuning;
  tuning.input = read_simulation_input(options);
  add_warnings(options, tuning.input);
  if (tuning.input.tables.front().fabric.endpoints().size() < 2) {
    throw Error(ErrorKind::usage,
                fmt::format("{} has fewer than two hosts; traffic needs at least two",
                            tuning.input.tables.front().name));
  }
  tuning.warnings = tuning.input.tables.front().warnings;
  tuning.first_traffic = traffic_for(options, tuning.input, options.seed);
  tuning.model = model_for(options, tuning.input, tuning.first_traffic);
  tuning.base = with_changes(set_for(options.base, tuning.first_traffic), options.keep);
  fit_base(options, tuning);
  tuning.space.axes = options.vary;
  check_axes(options, tuning);
  require_objective(options, tuning);
  tuning.identity = identity_of(options, tuning);
  std::error_code ignored;
  if (!options.resume.empty() && std::filesystem::exists(options.resume, ignored)) {
    constexpr std::size_t largest = std::size_t{256} << 20;
    KeptTrials kept =
        parse_trials(read_file(options.resume, largest), options.resume, tuning.identity);
    tuning.trials = std::move(kept.table);
    tuning.plan.runs = kept.runs;
  }
  return tuning;
}

void search_tuning(const TuneOptions& options, Processes& processes, Tuning& tuning) {
  const auto start = Clock::now();
  Digest further;
  further.add_text(tuning.identity);
  further.add_text(trials_text(tuning.trials, tuning.plan.runs, {}));
  require_same_simulation(processes, options, tuning.input, tuning.model, further);
  note_interruptions();
  const StopSignal stop([] { return interrupted(); });
  const Player player(options, tuning);
  predict_probe(options, processes, tuning);
  try {
    const double seconds =
        processes.together([&] { return explore(options, player, stop, tuning); });
    double workers = 0;
    for (const unsigned each :
         processes.gather(std::vector<unsigned>{workers_or_all(options.threads)})) {
      workers += each;
    }
    plan_search(options, processes.gather(std::vector<double>{seconds}).front(), workers, tuning);
    if (!Report::is_quiet() && processes.is_first())
      foretell_time(options, seconds, workers, tuning);
  } catch (const Stopped&) {
    tuning.interrupted = true;
    return;
  }
  search(options, player, stop, start, processes, tuning);
}

}  // namespace pssp
