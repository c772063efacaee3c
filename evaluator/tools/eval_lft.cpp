// eval_lft: how good are the forwarding tables of a fabric? See docs/eval_lft.md.

#include <fmt/core.h>
#include <tbb/global_control.h>

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "evaluator/report/evaluation.h"
#include "evaluator/report/json_report.h"
#include "evaluator/report/text_report.h"
#include "evaluator/tools/progress_line.h"
#include "routing/formats/lft_file.h"
#include "routing/formats/lft_matching.h"
#include "routing/formats/topology_file.h"
#include "routing/support/error.h"
#include "routing/support/file_io.h"
#include "routing/support/tool_main.h"

namespace {

using namespace pssp;

struct Arguments {
  std::string tables, topology;
  std::string output = "-";
  EvaluationOptions evaluation;
  BuilderOptions builder;
  std::size_t threads = 0;  // 0: all cores
  bool json = false;
  bool skip_credit_loops = false;
  bool require_acyclic = false;
};

/// Nothing when --help or --version was answered.
std::optional<Arguments> parse_arguments(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "Scores the forwarding tables of an InfiniBand fabric: reachability, loops, effective "
      "bisection bandwidth, edge forwarding index, hops.");
  app.set_version_flag("--version", "eval_lft " PSSP_VERSION);
  app.add_option("routing.lft", arguments.tables,
                 "Tables: output of dump_fts, opensm-lfts.dump or opensm.fdbs; - is standard input")
      ->required();
  app.add_option("topo.osm", arguments.topology,
                 "Topology: output of ibnetdiscover or ibsim net file; - is standard input")
      ->required();
  app.add_option("-n,--patterns", arguments.evaluation.bisections.patterns, "Random bisections")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  app.add_option("--seed", arguments.evaluation.bisections.seed, "Seed of the random bisections")
      ->capture_default_str();
  app.add_option("-j,--threads", arguments.threads, "Threads (default: all cores)")
      ->check(CLI::Range(1, 4096));
  app.add_option("--top", arguments.evaluation.busiest_channels, "Busiest channels to list")
      ->capture_default_str();
  app.add_option("--examples", arguments.evaluation.verify.max_examples,
                 "Examples to list of each kind of defect")
      ->capture_default_str();
  app.add_flag("--aggregation-nodes", arguments.builder.aggregation_nodes_are_endpoints,
               "Count aggregation nodes (SHARP) among the hosts");
  CLI::Option* const skip = app.add_flag("--no-credit-loops", arguments.skip_credit_loops,
                                         "Do not search for credit loops (saves time)");
  app.add_flag("--require-acyclic", arguments.require_acyclic, "Exit code 7 for a credit loop, too")
      ->excludes(skip);
  app.add_flag("--json", arguments.json, "One JSON object instead of text");
  app.add_option("-o,--output", arguments.output, "File for the report; - is standard output")
      ->capture_default_str();
  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  if (arguments.tables == "-" && arguments.topology == "-") {
    throw Error(ErrorKind::usage,
                "only one of the two files can come from standard input; name the other one");
  }
  arguments.evaluation.verify.credit_loops = !arguments.skip_credit_loops;
  return arguments;
}

MatchedTables read_inputs(const Arguments& arguments) {
  TopologyFile topology = read_topology(arguments.topology);
  LftFile dump = read_lft(arguments.tables);
  std::vector<std::string> warnings = std::move(topology.warnings);
  warnings.insert(warnings.end(), dump.warnings.begin(), dump.warnings.end());
  MatchedTables matched = match_tables(std::move(topology), dump, arguments.builder);
  matched.warnings.insert(matched.warnings.begin(), warnings.begin(), warnings.end());
  return matched;
}

int run(const Arguments& arguments) {
  std::optional<tbb::global_control> limit;
  if (arguments.threads != 0) {
    limit.emplace(tbb::global_control::max_allowed_parallelism, arguments.threads);
  }
  const MatchedTables input = read_inputs(arguments);
  for (const std::string& warning : input.warnings) {
    fmt::print(stderr, "eval_lft: warning: {}\n", warning);
  }
  const Evaluation evaluation = [&] {
    ProgressLine progress("bisections");
    return evaluate(input.fabric, input.tables, arguments.evaluation,
                    [&](std::uint64_t done, std::uint64_t all) { progress.update(done, all); });
  }();
  write_file(arguments.output, arguments.json
                                   ? to_json_report(input.fabric, evaluation, input.warnings)
                                   : to_text_report(input.fabric, evaluation));
  if (!evaluation.verify.usable()) {
    throw Error(ErrorKind::verification_failed,
                "the tables are broken (the report says how): route the fabric anew");
  }
  if (arguments.require_acyclic && evaluation.verify.has_credit_loop()) {
    throw Error(ErrorKind::verification_failed,
                "the routes have a credit loop: take an engine without, or virtual lanes");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("eval_lft", [&] {
    const std::optional<Arguments> arguments = parse_arguments(argc, argv);
    return arguments ? run(*arguments) : 0;
  });
}
