// Compares the cost of a change of the fabric for routing from scratch and for stable rerouting:
// the entries changed, and the bandwidth afterwards.
//
//   stable_rerouting ours [--engines A,B] [--patterns N] [--seed S] [--write DIR] SPEC
//   stable_rerouting theirs [--patterns N] NAME DAMAGE ENGINE BEFORE.net BEFORE.lft NOW.net NOW.lft
//
// `ours` damages a fabric (SPEC: a specification of pssp make-topo, or a topology file) in three
// ways: one dead link, one dead switch, ten dead links. It then repairs the ten links again. For
// each engine, it prints one line for routing from scratch ("whole") and one for stable rerouting.
// --write stores the fabrics in DIR as before.net, link.net, switch.net and links.net, with the
// same LIDs in all files, for routing by opensm. `theirs` compares two dumps of such runs of
// opensm, and also reroutes the first one stably. Values are separated by tabs; milliseconds are
// processor time. stable_rerouting.sh runs both.

#include "routing/repair/stable_rerouting.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "fabric/formats/lft_file.h"
#include "fabric/formats/lft_matching.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/topology_file.h"
#include "fabric/paths/distance_matrix.h"
#include "fabric/paths/hop_distances.h"
#include "fabric/tables/channel_loads.h"
#include "routing/engines/engine.h"
#include "routing/repair/longest_extra_hops.h"
#include "routing/repair/table_transfer.h"
#include "routing/verify/verify.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"
#include "topologies/registry.h"
#include "topologies/survivors.h"

namespace {

using namespace pssp;

struct Routed {
  Fabric fabric;
  ForwardingTables tables;
};

/// Counts of the entries that both fabrics have.
struct Comparison {
  std::uint64_t entries = 0;
  std::uint64_t dead = 0;  ///< with a port that is dead now
  /// Entries that were on a minimal path and no longer are, or whose port is dead now.
  std::uint64_t had_to = 0;
  std::uint64_t changed = 0;
};

Fabric load(const std::string& spec) {
  if (!std::filesystem::exists(spec)) return make_fabric(spec);
  FabricBuilder builder = std::move(read_topology(spec).builder);
  if (!builder.has_lids()) builder.assign_lids();
  return std::move(builder).build();
}

bool is_on_minimal_path(const Fabric& fabric, const DistanceMatrix& distances, SwitchId s, Lid lid,
                        PortNumber port) {
  const Delivery delivery = fabric.delivery(lid);
  if (delivery.at == s) return port == delivery.port;
  const PortTarget target = fabric.behind(s, port);
  const std::uint16_t* const to_root = distances.to(delivery.at);
  return target.kind == PortTarget::Kind::channel &&
         to_root[fabric.channel_head()[target.index]] < to_root[s.value()];
}

/// The current LID by old LID, because opensm may have assigned others.
std::vector<Lid> lids_now(const Fabric& before, const Fabric& now) {
  std::vector<Lid> lids(before.max_lid() + std::size_t{1}, no_lid);
  for (const Lid lid : before.lids()) {
    const LidOwner owner = before.owner(lid);
    if (owner.kind == LidOwner::Kind::switch_port0) {
      const Switch& was = before.switch_at(SwitchId(owner.index));
      const auto is = now.find_switch(was.guid);
      if (is) lids[lid] = static_cast<Lid>(now.switch_at(*is).lid + (lid - was.lid));
    } else {
      const EndPort& was = before.end_port(EndPortId(owner.index));
      const auto is = now.find_end_port(was.port_guid);
      if (is && now.end_port(*is).lid != no_lid)
        lids[lid] = static_cast<Lid>(now.end_port(*is).lid + (lid - was.lid));
    }
  }
  return lids;
}

Comparison compare(const Fabric& before, const ForwardingTables& old, const Fabric& now,
                   const ForwardingTables& made) {
  const DistanceMatrix distances_before(before);
  const DistanceMatrix distances_now(now);
  const std::vector<Lid> lid_now = lids_now(before, now);
  Comparison result;
  for (std::uint32_t s = 0; s < before.switch_count(); ++s) {
    const auto is = now.find_switch(before.switch_at(SwitchId(s)).guid);
    if (!is) continue;
    for (const Lid lid : before.lids()) {
      if (lid_now[lid] == no_lid || !now.delivery(lid_now[lid]).at.valid()) continue;
      const PortNumber port = old.at(SwitchId(s), lid);
      const PortNumber new_port = made.at(*is, lid_now[lid]);
      if (port == no_port || new_port == no_port) continue;
      ++result.entries;
      const bool is_dead = now.behind(*is, port).kind == PortTarget::Kind::none;
      const bool was_shortest =
          is_on_minimal_path(before, distances_before, SwitchId(s), lid, port);
      const bool is_shortest = is_on_minimal_path(now, distances_now, *is, lid_now[lid], port);
      if (is_dead) ++result.dead;
      if (is_dead || (was_shortest && !is_shortest)) ++result.had_to;
      if (port != new_port) ++result.changed;
    }
  }
  return result;
}

void print_header() {
  fmt::print(
      "fabric\tdamage\tengine\treroute\tentries\tdead port\thad to change\tchanged\t"
      "bandwidth before\tbandwidth\tindex\tms\n");
}

/// Throws Error(verification_failed) on tables that must not be used.
void print_row(const std::string& label, const char* reroute, const Comparison& comparison,
               double bandwidth_before, const Fabric& now, const ForwardingTables& tables,
               std::uint64_t patterns, std::optional<double> milliseconds) {
  const VerifyReport report = verify(now, tables, {.credit_loops = false});
  if (!report.usable()) {
    throw Error(ErrorKind::verification_failed,
                fmt::format("{}, {}: {} pairs unreachable, {} loops", label, reroute,
                            report.unreachable_pairs, report.forwarding_loops));
  }
  const double bandwidth =
      effective_bisection_bandwidth(RouteStore(now, tables), {.patterns = patterns}).mean;
  const double index = edge_forwarding_index(now, channel_loads(now, tables));
  fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{:.4f}\t{:.4f}\t{:g}\t{}\n", label, reroute,
             comparison.entries, comparison.dead, comparison.had_to, comparison.changed,
             bandwidth_before, bandwidth, index,
             milliseconds ? fmt::format("{:.1f}", *milliseconds) : "-");
  static_cast<void>(std::fflush(stdout));
}

double bandwidth_of(const Fabric& fabric, const ForwardingTables& tables, std::uint64_t patterns) {
  return effective_bisection_bandwidth(RouteStore(fabric, tables), {.patterns = patterns}).mean;
}

template <class Work>
double processor_time(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Reroutes the earlier tables stably for the current fabric, and prints the line.
ForwardingTables reroute_and_print(const std::string& label, const Routed& before,
                                   double bandwidth_before, const Fabric& now,
                                   std::uint64_t patterns) {
  const ForwardingTables previous = transfer_tables(before.fabric, before.tables, now);
  const StableOptions options{.max_extra_hops = longest_extra_hops(before.fabric, before.tables),
                              .keep_long_management_paths = true};
  StableRouting made;
  const double time = processor_time([&] { made = reroute_stably(now, previous, options); });
  print_row(label, "stable", compare(before.fabric, before.tables, now, made.tables),
            bandwidth_before, now, made.tables, patterns, time);
  return std::move(made.tables);
}

// ---- damage ----

bool is_whole(const Fabric& fabric) {
  HopDistances search(fabric);
  search.search(SwitchId(0));
  return search.order().size() == fabric.switch_count();
}

/// Removes `count` random links without splitting the fabric.
Fabric without_links(const Fabric& fabric, unsigned count, std::mt19937_64& random) {
  std::vector<ChannelId> dead;
  while (dead.size() < count) {
    dead.emplace_back(static_cast<std::uint32_t>(random() % fabric.channel_count()));
    if (!is_whole(survivors(fabric, {}, dead))) dead.pop_back();
  }
  return survivors(fabric, {}, dead);
}

/// Removes a random switch without splitting the fabric; a switch without endpoints if there is
/// one.
Fabric without_switch(const Fabric& fabric, std::mt19937_64& random) {
  const auto endpoints = fabric.endpoints_per_switch();
  const bool has_bare = std::find(endpoints.begin(), endpoints.end(), 0U) != endpoints.end();
  while (true) {
    const SwitchId dead(static_cast<std::uint32_t>(random() % fabric.switch_count()));
    if (has_bare && endpoints[dead.value()] != 0) continue;
    Fabric now = survivors(fabric, {&dead, 1}, {});
    if (is_whole(now)) return now;
  }
}

// ---- commands ----

struct Arguments {
  std::uint64_t patterns = 2000;
  std::uint64_t seed = 1;
  std::vector<std::string> engines{"pssp", "cassp"};
  std::string directory;
  std::vector<std::string> operands;
};

void run_ours(const Arguments& arguments) {
  const std::string& spec = arguments.operands.front();
  const std::string name = std::filesystem::path(spec).filename().string();
  std::mt19937_64 random(arguments.seed);
  const Fabric before = load(spec);
  const Fabric link = without_links(before, 1, random);
  const Fabric bare = without_switch(before, random);
  const Fabric links = without_links(before, 10, random);
  const std::pair<const char*, const Fabric*> damages[] = {
      {"link", &link}, {"switch", &bare}, {"links", &links}};
  if (!arguments.directory.empty()) {
    const std::filesystem::path directory(arguments.directory);
    std::filesystem::create_directories(directory);
    write_file(directory / "before.net", to_net_file(before));
    for (const auto& [damage, now] : damages)
      write_file(directory / (std::string(damage) + ".net"), to_net_file(*now));
  }
  for (const std::string& engine : arguments.engines) {
    const auto router = make_engine(engine, {});
    Routed old{survivors(before, {}, {}), router->route(before).tables};
    const double bandwidth = bandwidth_of(before, old.tables, arguments.patterns);
    ForwardingTables damaged;
    for (const auto& each : damages) {
      const Fabric& now = *each.second;
      const std::string label = fmt::format("{}\t{}\t{}", name, each.first, engine);
      ForwardingTables whole;
      const double time = processor_time([&] { whole = router->route(now).tables; });
      print_row(label, "whole", compare(before, old.tables, now, whole), bandwidth, now, whole,
                arguments.patterns, time);
      damaged = reroute_and_print(label, old, bandwidth, now, arguments.patterns);
    }
    const double left = bandwidth_of(links, damaged, arguments.patterns);
    reroute_and_print(fmt::format("{}\trepaired\t{}", name, engine),
                      {survivors(links, {}, {}), std::move(damaged)}, left, before,
                      arguments.patterns);
  }
}

Routed read_run(const std::string& topology, const std::string& dump) {
  MatchedTables matched = match_tables(read_topology(topology), read_lft(dump));
  return {std::move(matched.fabric), std::move(matched.tables)};
}

void run_theirs(const Arguments& arguments) {
  const auto& operand = arguments.operands;
  const std::string label = fmt::format("{}\t{}\t{}", operand[0], operand[1], operand[2]);
  const Routed before = read_run(operand[3], operand[4]);
  const Routed now = read_run(operand[5], operand[6]);
  const double bandwidth = bandwidth_of(before.fabric, before.tables, arguments.patterns);
  print_row(label, "whole", compare(before.fabric, before.tables, now.fabric, now.tables),
            bandwidth, now.fabric, now.tables, arguments.patterns, std::nullopt);
  reroute_and_print(label, before, bandwidth, now.fabric, arguments.patterns);
}

int run(int argc, char** argv) {
  Arguments arguments;
  bool header = true;
  CommandLine line("stable_rerouting",
                   "Entries changed and bandwidth after a change of the fabric.");
  line.require_command();
  CommandLine& ours = line.command("ours", "Engines of this project on a damaged fabric");
  ours.option("--engines", arguments.engines, "Engines").separated_by(',');
  ours.option("--seed", arguments.seed, "Seed of the damage").show_default();
  ours.option("--write", arguments.directory, "Folder for the fabrics");
  ours.option("SPEC", arguments.operands, "Fabric").required().values(1, 1);
  CommandLine& theirs = line.command("theirs", "Dumps of two runs of opensm");
  theirs.option("RUN", arguments.operands, "NAME DAMAGE ENGINE and the four files")
      .required()
      .values(7, 7);
  for (CommandLine* const command : {&ours, &theirs}) {
    command->option("--patterns", arguments.patterns, "Random bisections").show_default();
    command->flag("!--no-header", header, "Leave out the names of the columns");
  }
  if (!line.parse(argc, argv)) return 0;
  if (header) print_header();
  if (ours.chosen()) run_ours(arguments);
  if (theirs.chosen()) run_theirs(arguments);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("stable_rerouting", [&] { return run(argc, argv); });
}
