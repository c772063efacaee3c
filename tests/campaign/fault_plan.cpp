// The faults and how they are drawn.
//
// Each kind of fault has a weight for each theme of a campaign. A kind that does not apply now is
// drawn again: for example, if no cable is cut that could be repaired, or if a cut would isolate a
// subnet manager. At most about 1/20 of the cables are cut and 1/12 of the switches are off;
// otherwise, little would be left to route after a hundred events.
//
// Faults that matter only during a sweep (flaps, lossy switches) use the step `sweep`, which
// returns when a sweep has begun. The lasting effects of faults are only in the Cabling and in
// opensm.conf, so a campaign can begin at any event.

#include "tests/campaign/fault_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace pssp::campaign {

namespace {

// Additional lines of opensm.conf, separated by '|', which opensm reads, and must survive, on
// SIGHUP. "missing-file" removes the file.
constexpr std::string_view no_sweep_on_trap = "sweep_on_trap FALSE";
constexpr std::array<std::string_view, 13> configurations = {
    "",
    "max_wire_smps 1",
    "max_op_vls 2",
    "qos TRUE",
    "routing_engine minhop",
    "event_plugin_options no_such_option=1",
    "no_such_key 7|another one|= = =",
    no_sweep_on_trap,
    "reassign_lids TRUE",
    "max_op_vls 5|scatter_ports 8|port_shifting TRUE",
    "disable_multicast TRUE|part_enforce off",
    "qos TRUE|qos_max_vls 1|qos_sl2vl 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
    "missing-file",
};

/// Invalid options, with which the engines of the plugin must route nevertheless.
constexpr std::array bad_option_sets = {
    "no_such_option=1",
    "credit_loop_check",
    "credit_loop_check=perhaps",
    "max_extra_hops=-1",
    "options_file=/no/such/file",
    "options_file=/dev",
    "pssp.nonsense=1",
    "=",
    "congestion_control=/no/such/file",
};

Step send(const std::string& command) { return "send\t" + command; }
Step pause(unsigned milliseconds) { return fmt::format("pause\t{}", milliseconds); }

std::vector<Step> send_all(const std::vector<std::string>& commands) {
  std::vector<Step> steps;
  steps.reserve(commands.size());
  for (const std::string& command : commands) steps.push_back(send(command));
  return steps;
}

Step configure(std::size_t configuration) {
  return fmt::format("configure\t{}", configurations[configuration]);
}

}  // namespace

FaultPlan::FaultPlan(const Fabric& fabric, std::vector<std::uint32_t> managers, std::uint64_t seed,
                     FaultTheme theme)
    : original_(fabric),
      cabling_(fabric),
      managers_(std::move(managers)),
      theme_(theme),
      random_(seed, 0) {
  const std::vector<bool> island = cabling_.island_of(managers_.front());
  adapters_ = static_cast<std::size_t>(std::count(
      island.begin() + static_cast<std::ptrdiff_t>(fabric.switch_count()), island.end(), true));
}

Fault FaultPlan::next() {
  // One weight per theme. A new kind of fault gets weight 0 in an existing theme, so that the seeds
  // of the theme still give the same faults.
  struct Kind {
    Fault (FaultPlan::*draw)();
    std::array<unsigned, 2> weight;
  };
  static constexpr std::array kinds = {
      Kind{&FaultPlan::cut, {14, 8}},
      Kind{&FaultPlan::repair, {13, 7}},
      Kind{&FaultPlan::cut_several, {5, 1}},
      Kind{&FaultPlan::repair_all, {2, 1}},
      Kind{&FaultPlan::switch_off, {9, 1}},
      Kind{&FaultPlan::switch_on, {9, 1}},
      Kind{&FaultPlan::switch_restart, {5, 0}},
      Kind{&FaultPlan::host_moves, {8, 1}},
      Kind{&FaultPlan::hosts_swap, {4, 0}},
      Kind{&FaultPlan::link_flaps, {9, 0}},
      Kind{&FaultPlan::manager_flaps, {3, 2}},
      Kind{&FaultPlan::lossy_switch, {4, 0}},
      Kind{&FaultPlan::lid_stolen, {3, 0}},
      Kind{&FaultPlan::takeover, {3, 20}},
      Kind{&FaultPlan::handover, {3, 16}},
      Kind{&FaultPlan::split, {2, 4}},
      Kind{&FaultPlan::reconfigure, {6, 0}},
      Kind{&FaultPlan::bad_options, {2, 0}},
      Kind{&FaultPlan::restart_in_place, {0, 22}},
      Kind{&FaultPlan::start_together, {0, 16}},
  };
  const auto theme = static_cast<std::size_t>(theme_);
  unsigned total = 0;
  for (const Kind& kind : kinds) total += kind.weight[theme];
  constexpr int patience = 10'000;
  for (int tries = 0; tries < patience; ++tries) {
    unsigned ticket = random_.below(total);
    const Kind* kind = kinds.data();
    while (ticket >= kind->weight[theme]) ticket -= (kind++)->weight[theme];
    Fault fault = (this->*kind->draw)();
    if (!fault.kind.empty()) return fault;
  }
  throw Error(
      ErrorKind::unsuitable_topology,
      "no fault found that keeps the managers and more than half of the adapters connected");
}

template <class Predicate>
std::vector<std::size_t> FaultPlan::cables_that(Predicate wanted) const {
  std::vector<std::size_t> found;
  for (std::size_t c = 0; c < cabling_.cables().size(); ++c) {
    if (wanted(c)) found.push_back(c);
  }
  return found;
}

bool FaultPlan::is_manager(std::uint32_t node) const {
  return std::ranges::find(managers_, node) != managers_.end();
}

std::vector<std::size_t> FaultPlan::movable_hosts() const {
  return cables_that([&](std::size_t c) {
    return cabling_.is_host(c) && cabling_.is_up(c) && !is_manager(cabling_.cables()[c].a.node);
  });
}

// Without traps, opensm misses a link that comes back during a sweep, because it clears the change
// flags of the switches at the end of the discovery. This happens with any engine; the next change
// corrects it.
bool FaultPlan::sweeps_on_traps() const {
  return configurations[configuration_] != no_sweep_on_trap;
}

bool FaultPlan::accept(Cabling changed, std::vector<Step>& steps) {
  const std::vector<bool> island = changed.island_of(managers_.front());
  const auto first_adapter = static_cast<std::ptrdiff_t>(changed.switch_count());
  const auto left =
      static_cast<std::size_t>(std::count(island.begin() + first_adapter, island.end(), true));
  if (!island[managers_.back()] || 2 * left <= adapters_) return false;
  for (Step& step : send_all(changed.commands_from(cabling_))) steps.push_back(std::move(step));
  cabling_ = std::move(changed);
  return true;
}

// ---- links ----

Fault FaultPlan::cut() {
  const auto candidates = cables_that(
      [&](std::size_t c) { return cabling_.is_up(c) && !is_manager(cabling_.cables()[c].a.node); });
  if (candidates.empty() || 20 * cabling_.cut_count() > cabling_.cables().size()) return {};
  const std::size_t cable = candidates[pick(candidates.size())];
  Fault fault{"cut", cabling_.label(cable), {}};
  Cabling changed = cabling_;
  changed.set_cut(cable, true);
  return accept(std::move(changed), fault.steps) ? fault : Fault{};
}

Fault FaultPlan::repair() {
  const auto candidates = cables_that([&](std::size_t c) { return cabling_.cables()[c].cut; });
  if (candidates.empty()) return {};
  const std::size_t cable = candidates[pick(candidates.size())];
  Fault fault{"repair", cabling_.label(cable), {}};
  Cabling changed = cabling_;
  changed.set_cut(cable, false);
  return accept(std::move(changed), fault.steps) ? fault : Fault{};
}

Fault FaultPlan::cut_several() {
  const auto candidates =
      cables_that([&](std::size_t c) { return cabling_.is_up(c) && cabling_.joins_switches(c); });
  const std::size_t count = 2 + pick(5);
  if (candidates.size() < 4 * count || 20 * cabling_.cut_count() > cabling_.cables().size()) {
    return {};
  }
  Fault fault{"cut-several", fmt::format("{} links", count), {}};
  Cabling changed = cabling_;
  for (std::size_t i = 0; i < count; ++i)
    changed.set_cut(candidates[pick(candidates.size())], true);
  return accept(std::move(changed), fault.steps) ? fault : Fault{};
}

Fault FaultPlan::repair_all() {
  if (cabling_.cut_count() == 0) return {};
  Fault fault{"repair-all", fmt::format("{} links", cabling_.cut_count()), {}};
  Cabling changed = cabling_;
  for (std::size_t c = 0; c < changed.cables().size(); ++c) changed.set_cut(c, false);
  return accept(std::move(changed), fault.steps) ? fault : Fault{};
}

// One to three links go down and up several times while opensm sweeps, and are up at the end. The
// last sweep is necessary: from the tenth trap of a switch on, opensm considers the switch noisy
// and ignores its traps for a while. Then it misses a link that comes back during a discovery, as
// without traps.
Fault FaultPlan::link_flaps() {
  if (!sweeps_on_traps()) return {};
  const auto candidates = cables_that(
      [&](std::size_t c) { return cabling_.is_up(c) && !is_manager(cabling_.cables()[c].a.node); });
  if (candidates.empty()) return {};
  Fault fault{"link-flaps", "", {"sweep"}};
  std::vector<std::size_t> links;
  for (std::size_t i = 1 + pick(3); i > 0; --i) {
    const std::size_t link = candidates[pick(candidates.size())];
    if (std::ranges::find(links, link) != links.end()) continue;
    links.push_back(link);
    fault.what += (fault.what.empty() ? "" : ", ") + cabling_.label(link);
  }
  for (std::size_t round = 2 + pick(8); round > 0; --round) {
    for (const std::size_t link : links) fault.steps.push_back(send(cabling_.unlink_command(link)));
    if (pick(2) == 0) fault.steps.push_back(pause(static_cast<unsigned>(pick(60))));
    for (const std::size_t link : links) fault.steps.push_back(send(cabling_.link_command(link)));
    if (pick(3) == 0) fault.steps.emplace_back("sweep");
  }
  fault.steps.emplace_back("sweep");
  return fault;
}

// ---- switches ----

Fault FaultPlan::switch_off() {
  if (12 * cabling_.dark_count() > cabling_.switch_count()) return {};
  const auto node = static_cast<std::uint32_t>(pick(cabling_.switch_count()));
  if (cabling_.is_dark(node)) return {};
  Cabling changed = cabling_;
  changed.set_dark(node, true);
  std::vector<Step> unlinks;
  if (!accept(std::move(changed), unlinks)) return {};
  // Clear is a power loss: the switch also loses its LID and its port states.
  return {"switch-off",
          cabling_.name(node),
          {send("Clear " + fmt::format("\"{}\"", cabling_.name(node)))}};
}

Fault FaultPlan::switch_on() {
  std::vector<std::uint32_t> dark;
  for (std::uint32_t s = 0; s < cabling_.switch_count(); ++s) {
    if (cabling_.is_dark(s)) dark.push_back(s);
  }
  if (dark.empty()) return {};
  const std::uint32_t node = dark[pick(dark.size())];
  Fault fault{"switch-on", cabling_.name(node), {}};
  Cabling changed = cabling_;
  changed.set_dark(node, false);
  return accept(std::move(changed), fault.steps) ? fault : Fault{};
}

// The switch goes off and comes back before opensm sweeps a second time.
Fault FaultPlan::switch_restart() {
  if (!sweeps_on_traps()) return {};
  const auto node = static_cast<std::uint32_t>(pick(cabling_.switch_count()));
  Cabling off = cabling_;
  off.set_dark(node, true);
  if (cabling_.is_dark(node) || !off.island_of(managers_.front())[managers_.back()]) return {};
  Fault fault{"switch-restart", cabling_.name(node), {}};
  if (pick(2) == 0) fault.steps.emplace_back("sweep");
  fault.steps.push_back(send(fmt::format("Clear \"{}\"", cabling_.name(node))));
  if (pick(2) == 0) fault.steps.push_back(pause(static_cast<unsigned>(pick(400))));
  for (Step& step : send_all(cabling_.commands_from(off))) fault.steps.push_back(std::move(step));
  return fault;
}

// The switch drops nearly a third of its management packets during two sweeps.
Fault FaultPlan::lossy_switch() {
  const auto node = static_cast<std::uint32_t>(pick(cabling_.switch_count()));
  if (cabling_.is_dark(node)) return {};
  const std::string& name = cabling_.name(node);
  return {"lossy-switch",
          name,
          {send(fmt::format("Error \"{}\" 30", name)), "sweep", pause(1000), "sweep", pause(500),
           send(fmt::format("Error \"{}\" 0", name)), "sweep"}};
}

// ---- hosts ----

Fault FaultPlan::host_moves() {
  const auto hosts = movable_hosts();
  const std::vector<Plug> free = cabling_.free_ports();
  if (hosts.empty() || free.empty()) return {};
  const std::size_t host = hosts[pick(hosts.size())];
  Fault fault{"host-moves", cabling_.label(host), {}};
  Cabling changed = cabling_;
  changed.plug(host, free[pick(free.size())]);
  if (!accept(std::move(changed), fault.steps)) return {};
  fault.what += " to " + cabling_.quoted(cabling_.cables()[host].b);
  std::erase(fault.what, '"');
  return fault;
}

Fault FaultPlan::hosts_swap() {
  const auto hosts = movable_hosts();
  if (hosts.size() < 2) return {};
  const std::size_t one = hosts[pick(hosts.size())];
  const std::size_t other = hosts[pick(hosts.size())];
  if (one == other) return {};
  Fault fault{"hosts-swap", cabling_.label(one) + ", " + cabling_.label(other), {}};
  Cabling changed = cabling_;
  changed.plug(one, cabling_.cables()[other].b);
  changed.plug(other, cabling_.cables()[one].b);
  return accept(std::move(changed), fault.steps) ? fault : Fault{};
}

// A host comes up with the LID of another host.
Fault FaultPlan::lid_stolen() {
  const auto hosts = movable_hosts();
  if (hosts.size() < 2) return {};
  const Cable& thief = cabling_.cables()[hosts[pick(hosts.size())]];
  const Cable& owner = cabling_.cables()[hosts[pick(hosts.size())]];
  if (thief.a == owner.a) return {};
  return {"lid-stolen",
          fmt::format("{} takes the LID of {}", cabling_.name(thief.a.node),
                      cabling_.name(owner.a.node)),
          {fmt::format("steal\t{}\t{}", cabling_.quoted(thief.a), cabling_.name(owner.a.node))}};
}

// ---- subnet managers ----

Fault FaultPlan::manager_flaps() {
  const std::size_t manager = pick(managers_.size());
  const auto port =
      cables_that([&](std::size_t c) { return cabling_.cables()[c].a.node == managers_[manager]; });
  Fault fault{"manager-flaps", cabling_.label(port.front()), {}};
  if (pick(2) == 0) fault.steps.emplace_back("sweep");
  for (std::size_t round = 1 + pick(3); round > 0; --round) {
    fault.steps.push_back(send(cabling_.unlink_command(port.front())));
    fault.steps.push_back(pause(static_cast<unsigned>(50 + pick(1500))));
    fault.steps.push_back(send(cabling_.link_command(port.front())));
    fault.steps.push_back(pause(static_cast<unsigned>(pick(300))));
  }
  fault.steps.push_back(fmt::format("mark-manager\t{}", manager + 1));
  return fault;
}

// The master ends, by SIGTERM or SIGKILL, and starts again after the standby has taken over.
Fault FaultPlan::takeover() {
  const bool politely = pick(2) == 0;
  const std::string signal = politely ? "TERM" : "KILL";
  configuration_ = 0;
  Fault fault{"takeover", "master gets SIG" + signal, {"stop-master\t" + signal}};
  if (managers_.size() > 1) fault.steps.emplace_back("settle");
  fault.steps.emplace_back("start-managers");
  return fault;
}

// The master gets the lower priority, so that it hands over to the standby.
Fault FaultPlan::handover() {
  if (managers_.size() < 2) return {};
  configuration_ = 0;
  return {"handover", "master gets the lower priority", {"prefer-standby"}};
}

// The switch of one manager loses its links to all other switches until both managers are masters.
Fault FaultPlan::split() {
  if (managers_.size() < 2) return {};
  const auto manager_cables =
      cables_that([&](std::size_t c) { return cabling_.cables()[c].a.node == managers_.back(); });
  const std::uint32_t leaf = cabling_.cables()[manager_cables.front()].b.node;
  Cabling apart = cabling_;
  for (std::size_t c = 0; c < cabling_.cables().size(); ++c) {
    const Cable& cable = cabling_.cables()[c];
    if (cabling_.joins_switches(c) && (cable.a.node == leaf || cable.b.node == leaf)) {
      apart.set_cut(c, true);
    }
  }
  if (apart.island_of(managers_.front())[managers_.back()]) return {};
  configuration_ = 0;
  Fault fault{"split", cabling_.name(leaf) + " and its hosts", {"poll-often"}};
  for (Step& step : send_all(apart.commands_from(cabling_))) fault.steps.push_back(std::move(step));
  fault.steps.emplace_back("both-masters");
  fault.steps.emplace_back("poll-rarely");
  for (Step& step : send_all(cabling_.commands_from(apart))) fault.steps.push_back(std::move(step));
  return fault;
}

// The master ends and starts again before its standby notices.
Fault FaultPlan::restart_in_place() {
  const std::string signal = pick(3) == 0 ? "TERM" : "KILL";
  configuration_ = 0;
  return {
      "restart", "master gets SIG" + signal + " and starts again", {"restart-master\t" + signal}};
}

// Both managers end and then start at the same time, with equal priorities or with one of them
// preferred.
Fault FaultPlan::start_together() {
  if (managers_.size() < 2) return {};
  static constexpr std::array<std::string_view, 3> preferred{"neither manager", "the first manager",
                                                             "the second manager"};
  const std::size_t choice = pick(preferred.size());
  configuration_ = 0;
  return {"start-together",
          fmt::format("{} is preferred", preferred[choice]),
          {"stop-managers", fmt::format("start-together\t{}", choice)}};
}

Fault FaultPlan::reconfigure() {
  configuration_ = pick(configurations.size());
  const std::string text(configurations[configuration_]);
  return {"reconfigure", text.empty() ? "original opensm.conf" : text, {configure(configuration_)}};
}

Fault FaultPlan::bad_options() {
  const char* const options = bad_option_sets[pick(bad_option_sets.size())];
  configuration_ = 0;
  return {"bad-options",
          options,
          {"stop-managers", fmt::format("start-badly\t{}", options), "settle", "stop-managers",
           "start-managers"}};
}

// ---- the plan ----

Fault FaultPlan::restore() {
  Fault fault{"restore", state(), send_all(original_.commands_from(cabling_))};
  cabling_ = original_;
  configuration_ = 0;
  fault.steps.push_back(configure(configuration_));
  return fault;
}

Fault FaultPlan::resume() const {
  Fault fault{"resume", state(), send_all(cabling_.commands_from(original_))};
  fault.steps.push_back(configure(configuration_));
  return fault;
}

std::string FaultPlan::state() const {
  return fmt::format("{} cut, {} dark, {} moved, configuration {}", cabling_.cut_count(),
                     cabling_.dark_count(), cabling_.moved_count(original_), configuration_);
}

std::vector<std::uint32_t> choose_managers(const Fabric& fabric, const std::string& first,
                                           unsigned count) {
  const auto switches = static_cast<std::uint32_t>(fabric.switch_count());
  constexpr std::size_t longest_name_of_ibsim = 31;
  std::vector<std::uint32_t> managers;
  for (std::uint32_t e = 0; e < fabric.end_port_count() && managers.empty(); ++e) {
    const EndPort& end_port = fabric.end_port(EndPortId(e));
    if (end_port.name == first && end_port.port == 1 && end_port.attached.valid()) {
      managers.push_back(switches + e);
    }
  }
  if (managers.empty()) {
    throw Error(ErrorKind::usage,
                "adapter '" + first + "' does not exist, or its port 1 has no cable");
  }
  const std::vector<bool> island = Cabling(fabric).island_of(managers.front());
  const SwitchId manager_switch = fabric.end_port(EndPortId(managers.front() - switches)).attached;
  for (auto e = static_cast<std::uint32_t>(fabric.end_port_count());
       e-- > 0 && managers.size() < count;) {
    const EndPort& end_port = fabric.end_port(EndPortId(e));
    if (island[switches + e] && end_port.port == 1 && end_port.attached != manager_switch &&
        end_port.kind == EndPortKind::channel_adapter &&
        end_port.name.size() <= longest_name_of_ibsim) {
      managers.push_back(switches + e);
    }
  }
  if (managers.size() < count) {
    throw Error(ErrorKind::usage,
                "no suitable second adapter for a subnet manager on the island of '" + first + "'");
  }
  return managers;
}

}  // namespace pssp::campaign
