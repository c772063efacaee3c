#include "tools/eval_lft/eval_lft_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tools/kit/tool_main.h"

// Options that ORCS has keep its names, with the hyphens that are usual today; its own spellings
// with underscores are accepted too.

namespace pssp {
namespace {

const std::map<std::string, HostSelection> host_selections{
    {"random", HostSelection::random},
    {"linear_bfs", HostSelection::linear_bfs},
    {"guid_asc", HostSelection::guid_ascending},
    {"guid_desc", HostSelection::guid_descending},
    // As ORCS calls them.
    {"rand", HostSelection::random},
    {"guid_order_asc", HostSelection::guid_ascending},
    {"guid_order_desc", HostSelection::guid_descending}};

/// What is read as text and needs a second look.
struct RawArguments {
  std::vector<std::string> metrics;
  bool skip_credit_loops = false;
  bool end_ports_only = false;
  bool keep_order = false;
  bool leave_out_host_links = false;
  bool print_pattern = false;
  bool list = false;
  double precision = 0;
  std::string selection, first_selection;
};

HostSelection host_selection(const char* option, const std::string& name) {
  const auto found = host_selections.find(name);
  if (found != host_selections.end()) return found->second;
  throw Error(ErrorKind::usage,
              fmt::format("{}: '{}' is no way to choose hosts; there are random, linear_bfs, "
                          "guid_asc and guid_desc",
                          option, name));
}

void add_inputs(CLI::App& app, EvalOptions& options) {
  app.add_option("files", options.files,
                 "Tables and topology (routing.lft topo.osm), or one file that has both (dot); the "
                 "kinds are recognised; - is standard input")
      ->required()
      ->expected(1, 2)
      ->type_name("FILE");
  app.add_flag("--aggregation-nodes", options.builder.aggregation_nodes_are_endpoints,
               "Count aggregation nodes (SHARP) among the hosts");
  app.add_option("-j,--threads", options.threads, "Threads of a process (default: all cores)")
      ->check(CLI::Range(1, 4096));
}

void add_report(CLI::App& app, EvalOptions& options, RawArguments& raw) {
  const std::string group = "The report on the tables";
  EvaluationOptions& evaluation = options.evaluation;
  app.add_option("-n,--patterns", evaluation.bisections.patterns, "Random bisections")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str()
      ->group(group);
  app.add_option("--precision", raw.precision,
                 "As many bisections as it takes: 95 % interval of the bandwidth no wider than "
                 "-/+ this; -n is then the largest number (default 10^8)")
      ->check(CLI::Range(1e-7, 1.0))
      ->group(group);
  app.add_option("--compare", options.compared,
                 "Further tables of this fabric (several times for several): one table of all, "
                 "each against the first, under the same traffic")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--top", evaluation.busiest_channels, "Busiest channels and worst hosts to list")
      ->capture_default_str()
      ->group(group);
  app.add_option("--worst-pairs", evaluation.worst_pairs, "Worst-off pairs to show with their path")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str()
      ->group(group);
  app.add_option("--examples", evaluation.verify.max_examples,
                 "Examples to list of each kind of defect")
      ->capture_default_str()
      ->group(group);
  CLI::Option* const skip = app.add_flag("--no-credit-loops", raw.skip_credit_loops,
                                         "Do not search for credit loops (saves time)")
                                ->group(group);
  CLI::Option* const require = app.add_flag("--require-acyclic", options.require_acyclic,
                                            "Exit code 7 for a credit loop, too")
                                   ->excludes(skip)
                                   ->group(group);
  app.add_flag("--lanes", evaluation.lanes.search,
               "Where there is a credit loop, search for the number of virtual lanes that the "
               "routes need (may take seconds)")
      ->excludes(skip)
      ->group(group);
  app.add_option("--service-levels", options.service_levels,
                 "File of service levels, as route_lft --layers writes it: prove that no virtual "
                 "lane can deadlock")
      ->excludes(require)
      ->group(group);
  app.add_flag("--end-ports-only", raw.end_ports_only,
               "Virtual lanes: leave out the routes to and from the management ports of switches")
      ->group(group);
}

void add_paths(CLI::App& app, EvalOptions& options) {
  const std::string group = "Paths instead of the report";
  app.add_option(
         "--path", options.path,
         "SOURCE DESTINATION, each by name, description, GUID or LID: the path link by link")
      ->expected(2)
      ->group(group);
  app.add_option("--pairs", options.pairs, "Likewise for a file of such pairs, one a line")
      ->group(group);
}

void add_pattern(CLI::App& app, EvalOptions& options, RawArguments& raw) {
  const std::string group = "Simulation of a pattern instead of the report (as in ORCS)";
  PatternOptions& pattern = options.pattern;
  app.add_option("-p,--ptrn", pattern.request.pattern,
                 "Pattern, NAME or NAME:ARGUMENT; --list names all")
      ->group(group);
  app.add_option("--first-ptrn,--frstptrn", pattern.request.first,
                 "ptrnvsptrn: pattern of the first ranks")
      ->group(group);
  app.add_option("--second-ptrn,--secptrn", pattern.request.second,
                 "ptrnvsptrn: pattern of the other ranks")
      ->group(group);
  app.add_option("-z,--part-commsize,--part_commsize", pattern.request.ranks_of_first,
                 "ptrnvsptrn: ranks of the first pattern")
      ->group(group);
  app.add_option("-s,--commsize", pattern.request.ranks, "Ranks (default: one for each host)")
      ->group(group);
  app.add_option("--num-runs,--num_runs", pattern.runs, "Runs, each with other hosts for the ranks")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str()
      ->group(group);
  app.add_option("-l,--ptrn-level,--ptrn_level", pattern.level, "Only this level of the pattern")
      ->check(CLI::Range(0, 1'000'000'000))
      ->group(group);
  app.add_option("--metric", raw.metrics,
                 "What to report, several times if wanted; --list names "
                 "all (default: hist_max_cong and hist_acc_band)")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--subset", raw.selection,
                 "How hosts are chosen: random (default), linear_bfs, guid_asc, guid_desc")
      ->group(group);
  app.add_option("--part-subset,--part_subset", raw.first_selection,
                 "ptrnvsptrn: how the first pattern chooses among them, or none")
      ->group(group);
  app.add_option("--node-ordering-file,--node_ordering_file", pattern.node_ordering,
                 "File of hosts that keep the first ranks")
      ->group(group);
  app.add_flag("-d,--no-shuffle,--do_not_shuffle", raw.keep_order,
               "The same hosts for the ranks in every run")
      ->group(group);
  app.add_flag("--no-host-links", raw.leave_out_host_links, "Links of hosts are never congested")
      ->group(group);
  app.add_option("--bin-width", pattern.bin_width, "Bins of hist_acc_band")
      ->capture_default_str()
      ->group(group);
  app.add_flag("--printptrn", raw.print_pattern,
               "Print the pattern of the first run, do not simulate")
      ->group(group);
  app.add_option("--application", options.application,
                 "Time of an application at full bandwidth, from shares of its time and bandwidths "
                 "or patterns: 27.4%:neighbor:6,4.6%:tree")
      ->group(group);
}

void add_outputs(CLI::App& app, EvalOptions& options, RawArguments& raw) {
  const std::string group = "Answers";
  app.add_option("--seed", options.evaluation.bisections.seed, "Seed of all that is random")
      ->capture_default_str()
      ->group(group);
  app.add_flag("--json", options.json, "One JSON object instead of text")->group(group);
  app.add_option("-o,--output", options.output, "File for the answer; - is standard output")
      ->capture_default_str()
      ->group(group);
  app.add_option("--csv", options.csv, "File with a line for each run or bisection")->group(group);
  app.add_option("--host-csv", options.host_csv, "File with a line for each host: its bandwidth")
      ->group(group);
  app.add_option("--plot", options.plot, "Histogram as a picture: FILE.svg or FILE.png")
      ->group(group);
  app.add_option("--map", options.map,
                 "The fabric, its channels coloured by load: FILE.svg, FILE.png or FILE.dot")
      ->group(group);
  app.add_option("--cable-graph", options.cable_graph,
                 "File for the graph of metric get_cable_cong (dot)")
      ->group(group);
  app.add_flag("--list", raw.list, "List the patterns and metrics")->group(group);
}

void print_list() {
  fmt::print("Patterns (--ptrn):\n");
  for (const PatternDescription& pattern : pattern_registry()) {
    const std::string name = pattern.argument.empty()
                                 ? std::string(pattern.name)
                                 : fmt::format("{}:{}", pattern.name, pattern.argument);
    fmt::print("  {:<26} {}\n", name, pattern.summary);
  }
  fmt::print("\nMetrics (--metric):\n");
  for (const MetricDescription& metric : metric_registry()) {
    fmt::print("  {:<26} {}\n", metric.name, metric.summary);
  }
}

EvalOptions::Task task_of(const CLI::App& app, const EvalOptions& options,
                          const RawArguments& raw) {
  using Task = EvalOptions::Task;
  const bool paths = !options.path.empty() || !options.pairs.empty();
  const bool pattern = app.count("--ptrn") != 0;
  const bool application = !options.application.empty();
  if ((paths ? 1 : 0) + (pattern ? 1 : 0) + (application ? 1 : 0) > 1) {
    throw Error(ErrorKind::usage,
                "--path and --pairs, --ptrn, and --application ask for different things; take one "
                "of them");
  }
  if (raw.print_pattern && !pattern) {
    throw Error(ErrorKind::usage, "--printptrn prints the pattern that --ptrn names");
  }
  if (paths) return Task::paths;
  if (application) return Task::application;
  if (pattern) return raw.print_pattern ? Task::print : Task::simulate;
  return options.compared.empty() ? Task::score : Task::compare;
}

void take_pattern(const RawArguments& raw, PatternOptions& pattern) {
  pattern.shuffle = !raw.keep_order;
  if (raw.leave_out_host_links) pattern.host_links = HostLinks::left_out;
  for (const std::string& name : raw.metrics) pattern.metrics.push_back(metric_by_name(name));
  if (pattern.metrics.empty()) pattern.metrics = {Metric::hist_max_cong, Metric::hist_acc_band};
  if (!raw.selection.empty()) pattern.selection = host_selection("--subset", raw.selection);
  if (raw.first_selection.empty() || raw.first_selection == "none") return;
  pattern.selection_of_first = host_selection("--part-subset", raw.first_selection);
}

void require_one_standard_input(const EvalOptions& options) {
  std::vector<std::string> inputs(options.files);
  inputs.insert(inputs.end(), options.compared.begin(), options.compared.end());
  inputs.insert(inputs.end(),
                {options.service_levels, options.pairs, options.pattern.node_ordering});
  if (std::ranges::count(inputs, "-") > 1) {
    throw Error(ErrorKind::usage,
                "only one of the files can come from standard input; name the others");
  }
}

/// Options that would be passed over in silence are refused.
void refuse_useless(const CLI::App& app, const EvalOptions& options) {
  using Task = EvalOptions::Task;
  const auto refuse = [&](bool useless, const char* option, const char* reason) {
    if (useless && app.count(option) != 0) {
      throw Error(ErrorKind::usage, fmt::format("{} {}", option, reason));
    }
  };
  const bool simulates = options.task == Task::simulate;
  const bool pattern =
      simulates || options.task == Task::print || options.task == Task::application;
  const bool scores = options.task == Task::score || options.task == Task::compare;
  for (const char* option : {"--metric", "--printptrn", "--first-ptrn", "--second-ptrn",
                             "--part-commsize", "--ptrn-level", "--bin-width", "--cable-graph"}) {
    refuse(!simulates && options.task != Task::print, option,
           "belongs to the simulation of a pattern: name one with --ptrn");
  }
  for (const char* option : {"--commsize", "--num-runs", "--subset", "--part-subset",
                             "--node-ordering-file", "--no-shuffle", "--no-host-links"}) {
    refuse(!pattern, option, "belongs to the simulation of a pattern: name one with --ptrn");
  }
  for (const char* option : {"--patterns", "--precision"}) {
    refuse(!scores, option,
           "is for the report on the tables; the runs of a pattern are --num-runs");
  }
  for (const char* option : {"--host-csv", "--service-levels"}) {
    refuse(options.task != Task::score, option, "is for the report on one set of tables");
  }
  for (const char* option : {"--lanes", "--end-ports-only"}) {
    refuse(!scores && !(simulates && !options.compared.empty()), option,
           "is for the report on tables or their comparison");
  }
  refuse(app.count("--no-credit-loops") != 0 && options.service_levels.empty(), "--end-ports-only",
         "is about virtual lanes: leave --no-credit-loops out, or add --service-levels");
  for (const char* option : {"--plot", "--csv"}) {
    refuse(!scores && !simulates, option, "needs runs or bisections; there are none here");
  }
  refuse(options.task != Task::score && !simulates, "--map",
         "shows the load of one set of tables, from the report or from a pattern");
  refuse(!scores && !simulates, "--compare",
         "compares the report or the simulation of a pattern; neither was asked for");
}

}  // namespace

std::optional<EvalOptions> parse_eval_options(int argc, char** argv) {
  EvalOptions options;
  RawArguments raw;
  CLI::App app(
      "Scores the forwarding tables of an InfiniBand fabric: reachability, loops, effective "
      "bisection bandwidth, edge forwarding index, hops, fairness; simulates any communication "
      "pattern on them.\n\neval_lft [OPTIONS] routing.lft topo.osm");
  app.set_version_flag("--version", "eval_lft " PSSP_VERSION);
  add_inputs(app, options);
  add_report(app, options, raw);
  add_outputs(app, options, raw);
  add_paths(app, options);
  add_pattern(app, options, raw);
  // --list needs no files.
  for (int i = 1; i < argc; ++i) raw.list = raw.list || std::string_view(argv[i]) == "--list";
  if (raw.list) {
    print_list();
    return std::nullopt;
  }
  if (!parse_command_line(app, argc, argv)) return std::nullopt;

  require_one_standard_input(options);
  EvaluationOptions& evaluation = options.evaluation;
  evaluation.worst_hosts = evaluation.busiest_channels;
  evaluation.verify.credit_loops = !raw.skip_credit_loops;
  evaluation.lanes.switch_ports = !raw.end_ports_only;
  if (app.count("--precision") != 0) {
    evaluation.precision.emplace();
    evaluation.precision->half_width = raw.precision;
    if (app.count("--patterns") != 0) {
      evaluation.precision->most = evaluation.bisections.patterns;
      evaluation.precision->least =
          std::min(evaluation.precision->least, evaluation.precision->most);
    }
  }
  take_pattern(raw, options.pattern);
  options.task = task_of(app, options, raw);
  refuse_useless(app, options);
  return options;
}

}  // namespace pssp
