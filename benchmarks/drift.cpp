// Measures how tables change over many events in which a fabric loses links, switches and hosts and
// gets them back: the changed entries, and the quality of the tables during the faults and at the
// end.
//
//   drift [--engine NAME] [--events N] [--most N] [--switches P] [--leafs P] [--hosts P]
//         [--names N] [--manager HOST] [--seed S] [--method baseline,chained,scratch]
//         [--simulated NAME=FOLDER] [--lids-of DUMP] [--series FILE] SPEC
//   drift .. --course FILE SPEC
//
// SPEC is a specification of pssp make-topo or a topology file; --lids-of gives the file the LIDs
// of a dump of tables. In an event, a link, a switch without hosts, a leaf with all its hosts, or
// a host is lost or comes back. Losses and returns are equally likely if both are possible. The
// options --switches, --leafs and --hosts give percentages of the losses; all other losses are
// links. At most --most of these objects are missing at the same time. The host --manager and its
// leaf always stay. Each of --names hosts has the name of its adapter until an event of its own.
// The last events restore all that is missing, one object at a time.
//
// Methods: `baseline` repairs the engine's tables of the complete fabric as the plugin does
// (repaired()), `chained` repairs the tables of the previous event (reroute_stably()), and
// `scratch` calls the engine after each event. --simulated adds tables of another program:
// FOLDER/0.lft before the first event, FOLDER/1.lft after it, and so on. --course only writes the
// events as commands for the console of ibsim, from which such tables can be made.
//
// FILE of --series gets one line of tab-separated values per method and event: method, event,
// number of missing objects, S, entries. The program prints one line per method, with the columns:
//
//   entries, largest     entries of switches that an event changes: mean and maximum
//   blocks               mean number of blocks of 64 entries that opensm writes for an event
//   least                mean number of entries that must change if each entry is that of the
//                        baseline whenever a minimal path permits it
//   moved for nothing    mean number of flows between endpoints that an event moves although their
//                        old path still works and is no longer than the new one
//   S damaged, bandwidth S and estimated bandwidth, mean of ten states with many missing objects
//   S end, bandwidth     S and estimated bandwidth after the last event
//   shifts               slowdown of shifts after the last event
//   not as at the start  entries after the last event that differ from those at the start
//   credit loops         events after which the routes could deadlock on one lane
//   unusable             events after which the tables could not be used, which ends the program
//                        unless the tables are from --simulated
//
// drift.sh runs this program and the engines of OpenSM.

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "benchmarks/drift_course.h"
#include "fabric/formats/lft_matching.h"
#include "fabric/formats/topology_file.h"
#include "fabric/paths/hop_distances.h"
#include "fabric/tables/service_levels.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/bandwidth_estimate.h"
#include "routing/repair/baseline.h"
#include "routing/repair/longest_extra_hops.h"
#include "routing/repair/stable_rerouting.h"
#include "routing/repair/table_transfer.h"
#include "routing/structured_suite/structured_suite.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"
#include "topologies/registry.h"

namespace {

using namespace pssp;

struct Arguments {
  std::string engine = "best";
  CourseOptions course;
  std::string series;    // file; empty: none
  std::string commands;  // file for the events; empty: none
  std::string lids_of;   // dump of tables; empty: the LIDs of SPEC
  std::vector<std::string> methods{"baseline", "chained"};
  std::vector<std::string> simulated;  // NAME=FOLDER
  StableOptions stable{.keep_long_management_paths = true};
  std::string spec;
};

Fabric load(const std::string& spec, const std::string& lids_of) {
  if (!std::filesystem::exists(spec)) return make_fabric(spec);
  if (!lids_of.empty()) return match_tables(read_topology(spec), read_lft(lids_of)).fabric;
  FabricBuilder builder = std::move(read_topology(spec).builder);
  if (!builder.has_lids()) builder.assign_lids();
  return std::move(builder).build();
}

struct Quality {
  double slowdown = 0, shifts = 0, bandwidth = 0;
};

Quality evaluate(const Fabric& fabric, const ForwardingTables& tables) {
  const StructuredSuite structured_suite(fabric, order_hosts(fabric, HostOrderRule::name), false,
                                         StructuredSuite::Extent::summary);
  const SuiteTimes times = structured_suite.measure(tables);
  const PatternTime* const shifts = times.find("shifts");
  return {times.structured_slowdown, shifts == nullptr ? 0 : shifts->slowdown,
          estimate_bandwidth(fabric, tables).mean};
}

/// The entries and blocks that must be written to switches that exist before and after the event.
struct SwitchUpdates {
  std::uint64_t entries = 0, blocks = 0;
};

SwitchUpdates switch_updates(const Fabric& before, const ForwardingTables& old, const Fabric& now,
                             const ForwardingTables& made) {
  constexpr std::size_t of_block = 64;
  const ForwardingTables was = transfer_tables(before, old, now);
  SwitchUpdates all;
  for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
    if (!before.find_switch(now.switch_at(SwitchId(s)).guid)) continue;
    std::set<std::size_t> blocks;
    for (const Lid lid : now.lids()) {
      if (was.at(SwitchId(s), lid) == made.at(SwitchId(s), lid)) continue;
      ++all.entries;
      blocks.insert(lid / of_block);
    }
    all.blocks += blocks.size();
  }
  return all;
}

std::uint64_t differing(const ForwardingTables& a, const ForwardingTables& b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < a.entries().size(); ++i) count += a.entries()[i] != b.entries()[i];
  return count;
}

/// The entries of the baseline that tables of minimal paths cannot have on this fabric. Entries for
/// LIDs that are not endpoints may be non-minimal, so they are lost only if their port is dead.
std::set<std::uint64_t> lost_entries(const Baseline& baseline, const Fabric& now) {
  std::set<std::uint64_t> lost;
  const ForwardingTables in_baseline = transfer_tables(baseline.fabric, baseline.tables, now);
  HopDistances search(now);
  for (const Lid lid : now.lids()) {
    const Delivery delivery = now.delivery(lid);
    if (!delivery.at.valid()) continue;
    search.search(delivery.at);
    for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
      if (s == delivery.at.value()) continue;
      const PortTarget target = now.behind(SwitchId(s), in_baseline.at(SwitchId(s), lid));
      const bool is_dead = target.kind != PortTarget::Kind::channel;
      if (is_dead || (now.is_endpoint_lid(lid) && !search.is_next_hop(s, target.index))) {
        constexpr std::uint64_t lids = 1U << 16U;
        lost.insert(baseline.fabric.find_switch(now.switch_at(SwitchId(s)).guid)->value() * lids +
                    lid);
      }
    }
  }
  return lost;
}

std::uint64_t differing(const std::set<std::uint64_t>& a, const std::set<std::uint64_t>& b) {
  const auto only = [](const auto& in, const auto& not_in) {
    return std::ranges::count_if(in, [&](std::uint64_t each) { return !not_in.contains(each); });
  };
  return static_cast<std::uint64_t>(only(a, b) + only(b, a));
}

/// Flows that take another path although their old path exists and is no longer than the new one.
std::uint64_t moved_for_nothing(const Fabric& now, const ForwardingTables& was,
                                const ForwardingTables& made) {
  // For one switch and LID: the lengths of the old and the new path, whether the old path is
  // complete, and whether the new path differs from it.
  struct PathChoice {
    std::uint32_t old_hops = 0;
    std::uint32_t hops = 0;
    bool is_whole = true;
    bool is_other = false;
  };
  std::uint64_t moved = 0;
  const auto next = [&](const ForwardingTables& tables, std::uint32_t s, Lid lid) {
    const PortTarget target = now.behind(SwitchId(s), tables.at(SwitchId(s), lid));
    return target.kind == PortTarget::Kind::channel
               ? std::optional(now.channel_head()[target.index])
               : std::nullopt;
  };
  for (const EndPortId e : now.endpoints()) {
    const Lid lid = now.end_port(e).lid;
    const SwitchId root = now.end_port(e).attached;
    for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
      const std::uint32_t flows = now.endpoints_per_switch()[s];
      if (flows == 0 || s == root.value()) continue;
      PathChoice path;
      std::uint32_t at = s;
      for (std::optional<std::uint32_t> to; at != root.value(); at = *to, ++path.hops) {
        path.is_other |= was.at(SwitchId(at), lid) != made.at(SwitchId(at), lid);
        to = next(made, at, lid);
        if (!to || path.hops > now.switch_count()) break;
      }
      at = s;
      for (std::optional<std::uint32_t> to; at != root.value(); at = *to, ++path.old_hops) {
        to = next(was, at, lid);
        path.is_whole &= to && path.old_hops <= path.hops;
        if (!path.is_whole) break;
      }
      if (path.is_other && path.is_whole && path.old_hops <= path.hops) moved += flows;
    }
  }
  return moved;
}

/// The changes and the quality of the tables of one method, summed over the events.
struct Account {
  std::uint64_t entries = 0, largest = 0, blocks = 0, least = 0, moved = 0;
  std::set<std::uint64_t> lost;  ///< lost_entries() after the last event
  Quality damaged;
  unsigned states = 0, with_loops = 0, unusable = 0;
};

Baseline baseline_by(const std::string& engine, Fabric fabric) {
  ForwardingTables tables = make_engine(engine, {})->route(fabric).tables;
  return make_baseline(std::move(fabric), std::move(tables));
}

class Drift {
 public:
  Drift(const Fabric& whole, const CourseState& start, Arguments arguments)
      : baseline_(baseline_by(arguments.engine, left_of(whole, start))),
        whole_(whole),
        arguments_(std::move(arguments)) {
    // As in the plugin, repairs may use the extra hops of a baseline without an order.
    if (baseline_.preference.empty()) {
      arguments_.stable.max_extra_hops = longest_extra_hops(baseline_.fabric, baseline_.tables);
    }
  }

  /// Runs a method of this program, or reads the tables from `folder` if it is not empty.
  void run(const std::string& method, const std::string& folder,
           const std::vector<CourseState>& course) {
    Fabric fabric = survivors(baseline_.fabric, {}, {});
    ForwardingTables tables = folder.empty() ? baseline_.tables : read(folder, 0, fabric);
    const ForwardingTables first = tables;
    Account account;
    const auto most = std::ranges::max_element(course, {}, &CourseState::size)->size();
    for (std::size_t i = 0; i < course.size(); ++i) {
      Fabric now = left_of(whole_, course[i]);
      ForwardingTables made =
          folder.empty() ? next(method, fabric, tables, now) : read(folder, i + 1, now);
      if (is_usable(now, made, account)) {
        const std::uint64_t entries = count_changes(fabric, tables, now, made, account);
        const bool is_snapshot = account.states < 10 && 3 * course[i].size() >= 2 * most &&
                                 i >= (account.states + 1) * course.size() / 12;
        const bool is_in_series = !arguments_.series.empty();
        if (is_snapshot || is_in_series) {
          const Quality quality = evaluate(now, made);
          if (is_snapshot) add_state(quality, account);
          if (is_in_series) {
            series_ += fmt::format("{}\t{}\t{}\t{:.4f}\t{}\n", method, i + 1, course[i].size(),
                                   quality.slowdown, entries);
          }
        }
      } else if (folder.empty()) {
        throw Error(ErrorKind::verification_failed, fmt::format("{}: event {}", method, i + 1));
      }
      fabric = std::move(now);
      tables = std::move(made);
    }
    print(method, account, course.size(), evaluate(fabric, tables), differing(tables, first));
  }

  const std::string& series() const { return series_; }

 private:
  /// Adds the changes of an event to the account. Returns the number of changed entries.
  std::uint64_t count_changes(const Fabric& before, const ForwardingTables& old, const Fabric& now,
                              const ForwardingTables& made, Account& account) const {
    const SwitchUpdates change = switch_updates(before, old, now, made);
    account.entries += change.entries;
    account.blocks += change.blocks;
    account.largest = std::max(account.largest, change.entries);
    account.moved += moved_for_nothing(now, transfer_tables(before, old, now), made);
    std::set<std::uint64_t> lost = lost_entries(baseline_, now);
    account.least += differing(account.lost, lost);
    account.lost = std::move(lost);
    return change.entries;
  }

  static void add_state(const Quality& quality, Account& account) {
    account.damaged.slowdown += quality.slowdown;
    account.damaged.bandwidth += quality.bandwidth;
    ++account.states;
  }

  static bool is_usable(const Fabric& now, const ForwardingTables& made, Account& account) {
    const VerifyReport found = verify(now, made, {.credit_loops = false});
    account.with_loops += verify_lanes(now, made, level_zero(made)).is_deadlock_free() ? 0 : 1;
    account.unusable += found.usable() ? 0 : 1;
    return found.usable();
  }

  static ForwardingTables read(const std::string& folder, std::size_t event, const Fabric& now) {
    return transfer_tables(read_lft(fmt::format("{}/{}.lft", folder, event)), now);
  }

  void print(const std::string& method, const Account& account, std::size_t events,
             const Quality& end, std::uint64_t away) const {
    const auto each = [&](std::uint64_t sum) {
      return static_cast<double>(sum) / static_cast<double>(events);
    };
    fmt::print(
        "{}\t{}\t{}\t{:.1f}\t{}\t{:.1f}\t{:.1f}\t{:.0f}\t{:.3f}\t{:.4f}\t{:.3f}\t{:.4f}\t{:.2f}\t{}"
        "\t{}\t"
        "{}\n",
        arguments_.spec, arguments_.engine, method, each(account.entries), account.largest,
        each(account.blocks), each(account.least), each(account.moved),
        account.damaged.slowdown / account.states, account.damaged.bandwidth / account.states,
        end.slowdown, end.bandwidth, end.shifts, away, account.with_loops, account.unusable);
    static_cast<void>(std::fflush(stdout));
  }

  ForwardingTables next(const std::string& method, const Fabric& before,
                        const ForwardingTables& tables, const Fabric& now) const {
    if (method == "scratch") return make_engine(arguments_.engine, {})->route(now).tables;
    const ForwardingTables in_force = transfer_tables(before, tables, now);
    if (method == "chained") return reroute_stably(now, in_force, arguments_.stable).tables;
    return repaired(baseline_, now, &in_force, arguments_.stable, {}).tables;
  }

  Baseline baseline_;
  const Fabric& whole_;
  Arguments arguments_;
  std::string series_;
};

void read_options(CommandLine& line, Arguments& arguments) {
  line.option("--engine", arguments.engine, "Engine for the complete fabric").show_default();
  CourseOptions& course = arguments.course;
  line.option("--events", course.events, "Events").range(1, 100'000).show_default();
  line.option("--most", course.most, "Maximum number of parts missing at the same time")
      .range(1, 1000)
      .show_default();
  line.option("--switches", course.switches, "Percentage of losses that are switches without hosts")
      .range(0, 100)
      .show_default();
  line.option("--leafs", course.leaves, "Percentage of losses that are switches with hosts")
      .range(0, 100)
      .show_default();
  line.option("--hosts", course.hosts, "Percentage of losses that are hosts")
      .range(0, 100)
      .show_default();
  line.option("--names", course.names, "Number of hosts whose names arrive late").range(0, 100'000);
  line.option("--manager", course.manager, "Host that is never lost, nor its switch");
  line.option("--seed", course.seed, "Seed of the events").show_default();
  line.option("--series", arguments.series, "File for S and entries of each event").writes();
  line.option("--course", arguments.commands, "File for the events, as commands of ibsim").writes();
  line.option("--lids-of", arguments.lids_of, "Tables from which a topology file takes its LIDs");
  line.option("--method", arguments.methods, "baseline, chained, scratch").separated_by(',');
  line.option("--simulated", arguments.simulated, "NAME=FOLDER of tables").separated_by(',');
  line.option("--gain", arguments.stable.least_gain, "Same as the option stable.least_gain")
      .range(0, 100);
  line.option("SPEC", arguments.spec, "Fabric").required();
}

int run(int argc, char** argv) {
  Arguments arguments;
  bool header = true;
  CommandLine line("drift", "Quality of tables after many events.");
  read_options(line, arguments);
  line.flag("!--no-header", header, "Leave out the names of the columns");
  if (!line.parse(argc, argv)) return 0;
  const CourseOptions& shares = arguments.course;
  if (shares.switches + shares.leaves + shares.hosts > 100) {
    throw Error(ErrorKind::usage,
                "--switches, --leafs, --hosts: expected at most 100 percent together");
  }
  const Fabric whole = load(arguments.spec, arguments.lids_of);
  Course drawn(whole, arguments.course);
  const CourseState start = drawn.start();
  const std::vector<CourseState> course = drawn.run();
  if (!arguments.commands.empty()) {
    write_file(arguments.commands, console_commands(whole, course));
    return 0;
  }
  if (header) {
    fmt::print(
        "fabric\tengine\tmethod\tentries\tlargest\tblocks\tleast\tmoved for nothing\tS damaged\t"
        "bandwidth\tS end\tbandwidth\tshifts\tnot as at the start\tcredit loops\tunusable\n");
  }
  Drift drift(whole, start, arguments);
  for (const std::string& method : arguments.methods) drift.run(method, {}, course);
  for (const std::string& each : arguments.simulated) {
    const std::size_t sign = each.find('=');
    if (sign == std::string::npos) {
      throw Error(ErrorKind::usage, fmt::format("--simulated {}: expected NAME=FOLDER", each));
    }
    drift.run(each.substr(0, sign), each.substr(sign + 1), course);
  }
  if (!arguments.series.empty()) write_file(arguments.series, drift.series());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("drift", [&] { return run(argc, argv); });
}
