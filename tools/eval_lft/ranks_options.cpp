#include "tools/eval_lft/ranks_options.h"

#include <fmt/core.h>

#include <map>
#include <utility>

#include "base/error.h"
#include "evaluator/hosts/node_ordering_file.h"
#include "tools/kit/progress_line.h"

// Options of ORCS keep their names, with hyphens; ORCS's spellings with underscores are accepted,
// too.

namespace pssp {
namespace {

const std::map<std::string, HostSelection> host_selections{
    {"random", HostSelection::random},
    {"linear_bfs", HostSelection::linear_bfs},
    {"guid_asc", HostSelection::guid_ascending},
    {"guid_desc", HostSelection::guid_descending},
    // The names in ORCS.
    {"rand", HostSelection::random},
    {"guid_order_asc", HostSelection::guid_ascending},
    {"guid_order_desc", HostSelection::guid_descending}};

HostSelection host_selection(const char* option, const std::string& name) {
  const auto found = host_selections.find(name);
  if (found != host_selections.end()) return found->second;
  throw Error(
      ErrorKind::usage,
      fmt::format("{} '{}': expected random, linear_bfs, guid_asc or guid_desc", option, name));
}

}  // namespace

void RanksOptions::add_options(QuestionLine& line) {
  const char* const group = pattern_group;
  const Position pattern{
      {Question::pattern, Question::compare_patterns, Question::adaptive_pattern, Question::print},
      belongs_to_patterns};
  const Position ranks{{Question::pattern, Question::compare_patterns, Question::adaptive_pattern,
                        Question::print, Question::application},
                       belongs_to_patterns};
  line.option(pattern, group, "-p,--ptrn", spec.pattern,
              "Pattern, NAME or NAME:ARGUMENT; --list shows all")
      .mentions();
  line.option(pattern, group, "--first-ptrn,--frstptrn", spec.first,
              "ptrnvsptrn: pattern of the first ranks")
      .mentions();
  line.option(pattern, group, "--second-ptrn,--secptrn", spec.second,
              "ptrnvsptrn: pattern of the other ranks")
      .mentions();
  line.option(pattern, group, "-z,--part-commsize,--part_commsize", spec.ranks_of_first,
              "ptrnvsptrn: ranks of the first pattern");
  line.option(ranks, group, "-s,--commsize", spec.ranks, "Number of ranks (default: one per host)");
  line.option(ranks, group, "--num-runs,--num_runs", runs,
              "Number of runs, each with other hosts for the ranks")
      .range(1, 100'000'000)
      .show_default();
  line.option(pattern, group, "-l,--ptrn-level,--ptrn_level", chosen_level,
              "Simulate only this phase of the pattern")
      .range(0, 1'000'000'000);
  line.option(ranks, group, "--subset", selection_name_,
              "Selection of hosts: random (default), linear_bfs, guid_asc or guid_desc");
  line.option(ranks, group, "--part-subset,--part_subset", first_selection_name_,
              "ptrnvsptrn: selection of hosts for the first pattern, as for --subset, or none");
  line.option(ranks, group, "--node-ordering-file,--node_ordering_file", node_ordering,
              "File of hosts that get the first ranks in every run")
      .reads();
  line.flag(ranks, group, "-d,--no-shuffle,--do_not_shuffle", keep_order_,
            "Use the same hosts for the ranks in every run");
  line.flag(ranks, group, "--no-host-links", leave_out_host_links_,
            "Ignore congestion on the links of hosts");
}

void RanksOptions::take() {
  shuffle = !keep_order_;
  if (leave_out_host_links_) host_links = HostLinks::left_out;
  if (!selection_name_.empty()) selection = host_selection("--subset", selection_name_);
  if (first_selection_name_.empty() || first_selection_name_ == "none") return;
  selection_of_first = host_selection("--part-subset", first_selection_name_);
}

HostMappingOptions RanksOptions::choice_of_hosts() const {
  HostMappingOptions hosts;
  hosts.selection = selection;
  hosts.shuffle = shuffle;
  hosts.selection_of_first = selection_of_first;
  return hosts;
}

std::string RanksOptions::hosts_text() const { return to_text(choice_of_hosts(), node_ordering); }

std::string RanksOptions::pattern_text() const {
  if (spec.first.empty() && spec.second.empty()) return spec.pattern;
  return fmt::format("{} {} {} ({} ranks in the first)", spec.pattern, spec.first, spec.second,
                     spec.ranks_of_first);
}

void PreparedPattern::add_to(Digest& digest, std::uint64_t seed) const {
  digest.add(pattern->level_count());
  std::vector<std::uint32_t> hosts;
  mapping.draw(seed, 0, hosts);
  for (const std::uint32_t host : hosts) digest.add(host);
}

PreparedPattern RanksOptions::prepare(const Fabric& fabric, const PatternSpec& pattern_spec) const {
  HostMappingOptions hosts = choice_of_hosts();
  hosts.ranks = pattern_spec.ranks;
  hosts.ranks_of_first = pattern_spec.ranks_of_first;
  std::vector<std::string> warnings;
  if (!node_ordering.empty()) {
    NodeOrdering ordering = read_node_ordering(node_ordering, fabric);
    hosts.fixed_first = std::move(ordering.hosts);
    warnings = std::move(ordering.warnings);
  }
  HostMapping mapping(fabric, hosts);
  PatternSpec request = pattern_spec;
  request.ranks = mapping.ranks();
  std::unique_ptr<Pattern> pattern = make_pattern(request);
  require_level(*pattern, level());
  return {std::move(pattern), std::move(mapping), std::move(warnings)};
}

SimulationOptions RanksOptions::simulation(const Common& common) const {
  return {.runs = runs, .seed = common.seed, .level = level(), .host_links = host_links};
}

Digest RanksOptions::digest() const {
  Digest digest;
  for (const std::string& text : {spec.pattern, spec.first, spec.second}) digest.add_text(text);
  digest.add(spec.ranks);
  digest.add(spec.ranks_of_first);
  digest.add(runs);
  digest.add(chosen_level ? *chosen_level + std::uint64_t{1} : 0);
  digest.add(static_cast<std::uint64_t>(selection));
  digest.add(selection_of_first ? static_cast<std::uint64_t>(*selection_of_first) + 1 : 0);
  digest.add(shuffle ? 1 : 0);
  digest.add(static_cast<std::uint64_t>(host_links));
  return digest;
}

/// Shares the runs among all processes; each returns the result of all runs.
template <class Routes>
SimulationResult simulate_together(const Routes& routes, const PreparedPattern& prepared,
                                   SimulationOptions options, const Processes& processes) {
  const Share share = processes.share(options.runs);
  options.first_run += share.first;
  options.runs = share.count;
  ProgressLine progress("runs");
  SimulationResult result = simulate(routes, *prepared.pattern, prepared.mapping, options,
                                     [&](std::uint64_t done, std::uint64_t all) {
                                       if (processes.is_first()) progress.update(done, all);
                                     });
  result.runs = processes.gather(result.runs);
  processes.add_up(result.histogram);
  if (options.cables) {
    result.cables.channels.resize(routes.channel_count());
    result.cables.sent.resize(routes.endpoint_count());
    result.cables.received.resize(routes.endpoint_count());
    processes.add_up(result.cables.channels);
    processes.add_up(result.cables.sent);
    processes.add_up(result.cables.received);
  }
  return result;
}

template SimulationResult simulate_together(const RouteStore&, const PreparedPattern&,
                                            SimulationOptions, const Processes&);
template SimulationResult simulate_together(const StripedRoutes&, const PreparedPattern&,
                                            SimulationOptions, const Processes&);
template SimulationResult simulate_together(const AdaptiveRoutes&, const PreparedPattern&,
                                            SimulationOptions, const Processes&);

}  // namespace pssp
