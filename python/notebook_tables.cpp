// The libraries do all computations. Defaults, the order of the steps and error messages are those
// of route_lft and eval_lft, and the same functions write the reports. Loads and slowdowns are
// cached, because notebooks read them repeatedly.
//
// Bisections and runs check the stop signal when they report progress; engines and patterns of
// structured traffic check it themselves.

#include "python/notebook_tables.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "base/printable.h"
#include "base/workers.h"
#include "evaluator/metrics/run_quantities.h"
#include "evaluator/paths/node_directory.h"
#include "evaluator/paths/path.h"
#include "evaluator/patterns/registry.h"
#include "evaluator/scoring/comparison.h"
#include "evaluator/scoring/evaluation.h"
#include "fabric/fabric_digest.h"
#include "fabric/formats/lft_writer.h"
#include "fabric/input/fabric_input.h"
#include "fabric/tables/channel_loads.h"
#include "routing/engines/engine.h"
#include "tools/eval_lft/json/report_json.h"
#include "tools/simulate_application/answer/answer.h"

namespace pssp {
namespace {

/// A progress function that stops the runs on request.
Progress ending_with(const StopSignal& stop) {
  return [&stop](std::uint64_t, std::uint64_t) { stop.check("runs"); };
}

EvaluationOptions evaluation_options(const RunsWanted& wanted) {
  EvaluationOptions options;
  options.bisections.seed = wanted.seed;
  options.bisections.patterns = wanted.runs.value_or(options.bisections.patterns);
  return options;
}

/// The default of eval_lft --num-runs.
constexpr std::uint64_t runs_of_a_pattern = 1000;

HostOrderRule host_order_rule(const std::string& name) {
  if (name == "name") return HostOrderRule::name;
  if (name == "guid") return HostOrderRule::guid;
  if (name == "leaf") return HostOrderRule::leaf;
  throw Error(ErrorKind::usage, "host_order '" + excerpt(name) + "': expected name, guid or leaf");
}

ApplicationQuestion application_question(const ApplicationWanted& wanted) {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw Error(ErrorKind::usage, "application(): " + what);
  };
  require(wanted.application.empty() != wanted.goal.empty(),
          "expected exactly one of application and goal");
  require(wanted.order == "switch" || wanted.order == "random",
          "order '" + excerpt(wanted.order) + "': expected switch or random");
  require(wanted.sharing == "equal" || wanted.sharing == "max-min",
          "sharing '" + excerpt(wanted.sharing) + "': expected equal or max-min");
  require(wanted.ranks <= most_ranks, "ranks: expected at most " + std::to_string(most_ranks));
  require(wanted.seeds >= 1 && wanted.seeds <= most_seeds,
          "seeds: expected 1 .. " + std::to_string(most_seeds));
  require(wanted.precision >= 0 && wanted.precision < 1,
          "until_precision: expected a share, as in 0.01; 0: exactly `seeds` orders");
  require(wanted.order == "random" || (wanted.seeds == 1 && wanted.precision == 0),
          "seeds and until_precision apply only to random orders; pass order='random'");
  ApplicationQuestion question;
  question.application = wanted.application;
  question.goal = wanted.goal;
  question.ranks = wanted.ranks;
  question.order = wanted.order;
  question.seed = wanted.seed;
  question.seeds = wanted.seeds;
  question.precision = wanted.precision;
  question.sharing = wanted.sharing == "equal" ? LinkSharing::equal : LinkSharing::max_min;
  return question;
}

/// The fabric with the LIDs of the tables. Returns `fabric` itself if the LIDs are the same, so
/// that both share their arrays.
std::shared_ptr<NotebookFabric> fabric_of_tables(const std::shared_ptr<NotebookFabric>& fabric,
                                                 Fabric found) {
  if (digest_of(found) == digest_of(fabric->fabric())) return fabric;
  return std::make_shared<NotebookFabric>(fabric->name(), fabric->topology(), std::move(found),
                                          fabric->warnings());
}

}  // namespace

NotebookTables::NotebookTables(std::shared_ptr<NotebookFabric> fabric, ForwardingTables tables,
                               std::string name, std::vector<std::string> warnings,
                               bool are_of_file)
    : fabric_(std::move(fabric)),
      tables_(std::move(tables)),
      name_(std::move(name)),
      warnings_(std::move(warnings)),
      are_of_file_(are_of_file) {}

std::shared_ptr<NotebookTables> NotebookTables::route(const std::shared_ptr<NotebookFabric>& fabric,
                                                      const std::string& engine,
                                                      const EngineOptions& options,
                                                      unsigned workers, const StopSignal& stop) {
  options.require_known();
  const auto maker = make_engine(engine, options);
  Routing routing = maker->route(fabric->fabric(),
                                 {.accept = {}, .workers = workers_or_all(workers), .stop = stop});
  require_writable(pssp::verify(fabric->fabric(), routing.tables, {.credit_loops = false}));
  return std::make_shared<NotebookTables>(fabric, std::move(routing.tables), engine,
                                          std::move(routing.notes.warnings), false);
}

std::shared_ptr<NotebookTables> NotebookTables::read(const std::shared_ptr<NotebookFabric>& fabric,
                                                     const std::filesystem::path& path) {
  FabricSources sources = read_fabric_sources({&path, 1});
  require_tables(sources.tables.has_value(), path.string());
  sources.topology = fabric->topology();
  FabricInput input = to_fabric_input(std::move(sources));
  return std::make_shared<NotebookTables>(fabric_of_tables(fabric, std::move(input.fabric)),
                                          *std::move(input.tables), path.string(),
                                          std::move(input.warnings), true);
}

std::span<const std::uint32_t> NotebookTables::loads() const {
  const std::scoped_lock lock(remembering_);
  if (!loads_) {
    const std::vector<std::uint64_t> counted = channel_loads(fabric_->fabric(), tables_);
    std::vector<std::uint32_t> loads;
    loads.reserve(counted.size());
    for (const std::uint64_t load : counted) loads.push_back(static_cast<std::uint32_t>(load));
    loads_ = std::move(loads);
  }
  return *loads_;
}

VerifyReport NotebookTables::verify() const { return pssp::verify(fabric_->fabric(), tables_); }

void NotebookTables::write(const std::filesystem::path& path) const {
  const Fabric& fabric = fabric_->fabric();
  require_writable(pssp::verify(fabric, tables_, {.credit_loops = false}));
  write_file(path.string(),
             [&](const ContentSink& sink) { write_lft_dump(fabric, tables_, sink); });
}

SimulationReport NotebookTables::simulate_pattern(const RunsWanted& wanted,
                                                  const StopSignal& stop) const {
  const Fabric& fabric = fabric_->fabric();
  HostMappingOptions hosts;
  hosts.ranks = wanted.ranks;
  const HostMapping mapping(fabric, hosts);
  PatternSpec request;
  request.pattern = wanted.pattern;
  request.ranks = mapping.ranks();
  const std::unique_ptr<Pattern> pattern = make_pattern(request);
  SimulationOptions options;
  options.runs = wanted.runs.value_or(runs_of_a_pattern);
  options.seed = wanted.seed;
  SimulationReport report = report_without_result(wanted.pattern, fabric, *pattern, mapping,
                                                  options, metrics_by_name(wanted.metrics));
  report.hosts_of_ranks = to_text(hosts);
  report.result =
      simulate(RouteStore(fabric, tables_), *pattern, mapping, options, ending_with(stop));
  return report;
}

std::vector<double> NotebookTables::bisections(const RunsWanted& wanted,
                                               const StopSignal& stop) const {
  return bisection_bandwidths(RouteStore(fabric_->fabric(), tables_),
                              evaluation_options(wanted).bisections, ending_with(stop));
}

std::string NotebookTables::evaluation(const RunsWanted& wanted, const StopSignal& stop) const {
  const std::vector<std::string>& warnings = readers_warnings();
  if (!wanted.pattern.empty()) return to_json_report(simulate_pattern(wanted, stop), warnings);
  EvaluationOptions options = evaluation_options(wanted);
  options.ceiling_effort = CeilingOptions{}.effort;
  const Evaluation evaluation =
      evaluate(fabric_->fabric(), tables_, options, {}, ending_with(stop));
  return to_json_report(fabric_->fabric(), tables_, evaluation, warnings);
}

std::string NotebookTables::structured_traffic(const std::string& host_order, bool all_phases,
                                               const RunsWanted& wanted,
                                               const StopSignal& stop) const {
  const Fabric& fabric = fabric_->fabric();
  OrderedHosts hosts = order_hosts(fabric, host_order_rule(host_order));
  const std::vector<double> bandwidths = bisections(wanted, stop);
  const StructuredTraffic traffic =
      pssp::structured_traffic(fabric, tables_, std::move(hosts), host_order,
                               {.only_if_cheap = false, .all_phases = all_phases, .lids = {}},
                               summarise(bandwidths, wanted.seed).mean, bandwidths.size());
  return dump_json(to_json(traffic));
}

std::string NotebookTables::path(const std::string& source, const std::string& destination) const {
  const Fabric& fabric = fabric_->fabric();
  const NodeDirectory nodes(fabric);
  const Path found = path_of(fabric, tables_, nodes.find(source), nodes.find(destination));
  const std::span<const std::uint32_t> counted = loads();
  const std::vector<std::uint64_t> wide(counted.begin(), counted.end());
  return dump_json(to_json(fabric, found, wide));
}

std::vector<double> NotebookTables::samples(const RunsWanted& wanted,
                                            const StopSignal& stop) const {
  if (wanted.pattern.empty()) return bisections(wanted, stop);
  const SimulationReport report = simulate_pattern(wanted, stop);
  std::vector<double> bandwidths;
  bandwidths.reserve(report.result.runs.size());
  for (const RunResult& run : report.result.runs)
    bandwidths.push_back(RunQuantity::bandwidth.of(run));
  return bandwidths;
}

ApplicationTimes NotebookTables::application(
    const ApplicationWanted& wanted, const std::vector<std::shared_ptr<NotebookTables>>& others,
    const StopSignal& stop) const {
  const ApplicationQuestion question = application_question(wanted);
  std::vector<NamedTables> all{{name_, &fabric_->fabric(), &tables_}};
  for (const std::shared_ptr<NotebookTables>& each : others)
    all.push_back({each->name(), &each->fabric()->fabric(), &each->tables()});
  ApplicationTimes times;
  AnswerListener listener;
  listener.warn = [&](const std::string& text) { times.warnings.push_back(text); };
  listener.stop = stop;
  times.report = to_json(answer(question, all, listener).report);
  return times;
}

const std::vector<std::pair<std::string, double>>& NotebookTables::slowdowns(
    const StopSignal& stop) const {
  const std::scoped_lock lock(remembering_);
  if (!slowdowns_) {
    const Fabric& fabric = fabric_->fabric();
    const StructuredSuite structured_suite(fabric, order_hosts(fabric, HostOrderRule::name));
    std::vector<std::pair<std::string, double>> found;
    for (const PatternTime& each : structured_suite.measure(tables_, stop).patterns)
      found.emplace_back(each.name, each.slowdown);
    slowdowns_ = std::move(found);
  }
  return *slowdowns_;
}

std::string compare(const std::vector<std::shared_ptr<NotebookTables>>& all,
                    const RunsWanted& wanted, const StopSignal& stop) {
  if (all.empty()) throw Error(ErrorKind::usage, "compare(): no tables; pass one or more");
  Comparison comparison;
  comparison.seed = wanted.seed;
  std::vector<std::vector<double>> bandwidths;
  std::vector<std::string> warnings;
  for (const std::shared_ptr<NotebookTables>& each : all) {
    const Fabric& fabric = each->fabric()->fabric();
    require_same_hosts(all.front()->name(), all.front()->fabric()->fabric(), each->name(), fabric);
    Evaluation evaluation =
        evaluate(fabric, each->tables(), evaluation_options(wanted), {}, ending_with(stop));
    comparison.tables.push_back(compared_tables(each->name(), evaluation));
    bandwidths.push_back(std::move(evaluation.bandwidths));
    const std::vector<std::string>& said = each->readers_warnings();
    warnings.insert(warnings.end(), said.begin(), said.end());
  }
  compare(comparison, bandwidths);
  return to_json_report(comparison, {}, warnings);
}

}  // namespace pssp
