// Do tables wander when links come and go? A fabric loses links, switches and hosts and gets them
// back, for as many events as wanted; what the tables are worth meanwhile, and when all is back.
//
//   drift [--engine NAME] [--events N] [--most N] [--switches P] [--hosts P] [--seed S]
//         [--way home,chained,anew] [--series FILE] SPEC
//
// SPEC is what make_topo takes, or a topology file. An event is a link that is lost or comes back,
// each as likely where both can be, and the like of a switch without hosts and of a host, of so
// many losses in a hundred; up to --most are missing at once. Last, what is missing comes back one
// by one. Ways: `home` mends the engine's tables of the whole fabric as the plugin does
// (mended()), `chained` those of the event before (reroute_stably()), `anew` asks the engine each
// time. FILE gets a line of tab-separated values for each way and event: way, event, how many are
// missing, S, entries. Prints a line for each way: entries of
// switches that an event changes, mean and largest, and the same for the blocks of 64 that opensm
// writes; S and the estimated bandwidth, with most missing, mean of ten moments, and at the end;
// shifts at the end; entries that are not where they
// were; events after which the routes could deadlock on one lane. drift.sh does all of it, and
// OpenSM's.

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/formats/topology_file.h"
#include "fabric/paths/hop_distances.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/bandwidth_estimate.h"
#include "routing/portfolio/portfolio.h"
#include "routing/repair/home.h"
#include "routing/repair/longest_detour.h"
#include "routing/repair/stable_rerouting.h"
#include "routing/repair/table_transfer.h"
#include "routing/verify/verify.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"
#include "topologies/registry.h"
#include "topologies/survivors.h"

namespace {

using namespace pssp;

struct Arguments {
  std::string engine = "best";
  unsigned events = 200;
  unsigned most = 6;
  unsigned switches = 0, hosts = 0;
  std::string series;  // file; empty: none
  std::uint64_t seed = 1;
  std::vector<std::string> ways{"home", "chained"};
  StableOptions stable{.keep_long_management_ways = true};
  std::string spec;
};

Fabric load(const std::string& spec) {
  if (!std::filesystem::exists(spec)) return make_fabric(spec);
  FabricBuilder builder = std::move(read_topology(spec).builder);
  if (!builder.has_lids()) builder.assign_lids();
  return std::move(builder).build();
}

/// What is missing of a fabric.
struct Damage {
  std::vector<ChannelId> links;
  std::vector<SwitchId> switches;
  std::vector<EndPortId> hosts;

  std::size_t size() const { return links.size() + switches.size() + hosts.size(); }
};

Fabric left_of(const Fabric& whole, const Damage& damage) {
  return survivors(whole, damage.switches, damage.links, damage.hosts);
}

/// Whether all switches that are left reach each other.
bool is_joined(const Fabric& fabric) {
  HopDistances search(fabric);
  search.search(SwitchId(0));
  return search.order().size() == fabric.switch_count();
}

/// A course of events, the same for all ways.
class Course {
 public:
  Course(const Fabric& whole, const Arguments& arguments)
      : whole_(whole), arguments_(arguments), random_(arguments.seed) {
    const auto endpoints = whole.endpoints_per_switch();
    for (std::uint32_t s = 0; s < whole.switch_count(); ++s) {
      if (endpoints[s] == 0) bare_.emplace_back(s);
    }
  }

  std::vector<Damage> run() {
    std::vector<Damage> course;
    for (unsigned i = 0; i < arguments_.events; ++i) {
      const bool can_lose = now_.size() < arguments_.most;
      const bool can_gain = now_.size() != 0;
      if (can_lose && (!can_gain || random_() % 2 == 0)) {
        lose();
      } else {
        gain();
      }
      course.push_back(now_);
    }
    while (now_.size() != 0) {
      gain();
      course.push_back(now_);
    }
    return course;
  }

 private:
  void lose() {
    while (true) {
      Damage next = now_;
      const std::uint64_t drawn = random_() % 100;
      if (!bare_.empty() && drawn < arguments_.switches) {
        next.switches.push_back(bare_[random_() % bare_.size()]);
      } else if (drawn >= 100 - arguments_.hosts) {
        next.hosts.push_back(whole_.endpoints()[random_() % whole_.endpoints().size()]);
      } else {
        next.links.emplace_back(static_cast<std::uint32_t>(random_() % whole_.channel_count()));
      }
      if (!is_new(next) || !is_joined(left_of(whole_, next))) continue;
      now_ = std::move(next);
      return;
    }
  }

  bool is_new(const Damage& next) const {
    std::set<std::uint32_t> cables, switches, hosts;
    for (const ChannelId c : next.links) {
      cables.insert(std::min(c.value(), whole_.channel_reverse()[c.value()]));
    }
    for (const SwitchId s : next.switches) switches.insert(s.value());
    for (const EndPortId e : next.hosts) hosts.insert(e.value());
    return cables.size() == next.links.size() && switches.size() == next.switches.size() &&
           hosts.size() == next.hosts.size();
  }

  void gain() {
    std::size_t which = random_() % now_.size();
    const auto give_back = [&](auto& lost) {
      lost.erase(lost.begin() + static_cast<std::ptrdiff_t>(which));
    };
    if (which < now_.links.size()) return give_back(now_.links);
    which -= now_.links.size();
    if (which < now_.switches.size()) return give_back(now_.switches);
    which -= now_.switches.size();
    give_back(now_.hosts);
  }

  const Fabric& whole_;
  const Arguments& arguments_;
  std::mt19937_64 random_;
  std::vector<SwitchId> bare_;
  Damage now_;
};

struct Quality {
  double slowdown = 0, shifts = 0, bandwidth = 0;
};

Quality judge(const Fabric& fabric, const ForwardingTables& tables) {
  const Portfolio portfolio(fabric, order_hosts(fabric, HostOrderRule::name), false,
                            Portfolio::Extent::summary);
  const PortfolioTimes times = portfolio.measure(tables);
  const PatternTime* const shifts = times.find("shifts");
  return {times.structured_slowdown, shifts == nullptr ? 0 : shifts->slowdown,
          estimate_bandwidth(fabric, tables).mean};
}

/// What switches that were there before and after had to be told.
struct Told {
  std::uint64_t entries = 0, blocks = 0;
};

Told told(const Fabric& before, const ForwardingTables& old, const Fabric& now,
          const ForwardingTables& made) {
  constexpr std::size_t of_block = 64;
  const ForwardingTables was = transfer_tables(before, old, now);
  Told all;
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

class Drift {
 public:
  Drift(const Fabric& whole, ForwardingTables home, Arguments arguments)
      : home_(make_home(survivors(whole, {}, {}), std::move(home))),
        arguments_(std::move(arguments)) {
    arguments_.stable.max_detour = longest_detour(home_.fabric, home_.tables);
  }

  void run(const std::string& way, const std::vector<Damage>& course) {
    Fabric fabric = survivors(home_.fabric, {}, {});
    ForwardingTables tables = home_.tables;
    std::uint64_t entries = 0, largest = 0, blocks = 0;
    Quality damaged;
    unsigned moments = 0, with_loops = 0;
    const auto most = std::ranges::max_element(course, {}, &Damage::size)->size();
    for (std::size_t i = 0; i < course.size(); ++i) {
      Fabric now = left_of(home_.fabric, course[i]);
      ForwardingTables made = next(way, fabric, tables, now);
      const VerifyReport found = verify(now, made);
      if (!found.usable()) {
        throw Error(ErrorKind::verification_failed, fmt::format("{}: event {}", way, i + 1));
      }
      with_loops += found.has_credit_loop() ? 1 : 0;
      const Told change = told(fabric, tables, now, made);
      entries += change.entries;
      blocks += change.blocks;
      largest = std::max(largest, change.entries);
      if (!arguments_.series.empty()) {
        series_ += fmt::format("{}\t{}\t{}\t{:.4f}\t{}\n", way, i + 1, course[i].size(),
                               judge(now, made).slowdown, change.entries);
      }
      if (moments < 10 && 3 * course[i].size() >= 2 * most &&
          i >= (moments + 1) * course.size() / 12) {
        const Quality quality = judge(now, made);
        damaged.slowdown += quality.slowdown;
        damaged.bandwidth += quality.bandwidth;
        ++moments;
      }
      fabric = std::move(now);
      tables = std::move(made);
    }
    const Quality end = judge(fabric, tables);
    const auto each = [&](std::uint64_t sum) {
      return static_cast<double>(sum) / static_cast<double>(course.size());
    };
    fmt::print("{}\t{}\t{}\t{:.1f}\t{}\t{:.1f}\t{:.3f}\t{:.4f}\t{:.3f}\t{:.4f}\t{:.2f}\t{}\t{}\n",
               arguments_.spec, arguments_.engine, way, each(entries), largest, each(blocks),
               damaged.slowdown / moments, damaged.bandwidth / moments, end.slowdown, end.bandwidth,
               end.shifts, differing(tables, home_.tables), with_loops);
    static_cast<void>(std::fflush(stdout));
  }

  const std::string& series() const { return series_; }

 private:
  ForwardingTables next(const std::string& way, const Fabric& before,
                        const ForwardingTables& tables, const Fabric& now) const {
    if (way == "anew") return make_engine(arguments_.engine, {})->route(now).tables;
    const ForwardingTables in_force = transfer_tables(before, tables, now);
    if (way == "chained") return reroute_stably(now, in_force, arguments_.stable).tables;
    return mended(home_, now, &in_force, arguments_.stable, {}).tables;
  }

  Home home_;
  Arguments arguments_;
  std::string series_;
};

int run(int argc, char** argv) {
  Arguments arguments;
  bool header = true;
  CommandLine line("drift", "What tables are worth after many events.");
  line.option("--engine", arguments.engine, "Engine of the whole fabric").show_default();
  line.option("--events", arguments.events, "Events").range(1, 100'000).show_default();
  line.option("--most", arguments.most, "Links missing at once").range(1, 1000).show_default();
  line.option("--switches", arguments.switches, "Per cent of losses that are switches")
      .range(0, 100)
      .show_default();
  line.option("--hosts", arguments.hosts, "Per cent of losses that are hosts")
      .range(0, 100)
      .show_default();
  line.option("--series", arguments.series, "File for S and entries of each event").writes();
  line.option("--seed", arguments.seed, "Of the events").show_default();
  line.option("--way", arguments.ways, "home, chained, anew").separated_by(',');
  line.option("--gain", arguments.stable.least_gain, "As stable.least_gain").range(0, 100);
  line.flag("!--no-header", header, "Leave the names of the columns out");
  line.option("SPEC", arguments.spec, "Fabric").required();
  if (!line.parse(argc, argv)) return 0;
  const Fabric whole = load(arguments.spec);
  const std::vector<Damage> course = Course(whole, arguments).run();
  Drift drift(whole, make_engine(arguments.engine, {})->route(whole).tables, arguments);
  if (header) {
    fmt::print(
        "fabric\tengine\tway\tentries\tlargest\tblocks\tS damaged\tbandwidth\tS end\tbandwidth\t"
        "shifts\tnot as at the start\tcredit loops\n");
  }
  for (const std::string& way : arguments.ways) drift.run(way, course);
  if (!arguments.series.empty()) write_file(arguments.series, drift.series());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("drift", [&] { return run(argc, argv); });
}
