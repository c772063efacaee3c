#pragma once

// The events of drift.cpp: what is missing from a fabric after each event, and the commands with
// which ibsim simulates the same events.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fabric/fabric.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/topology_file.h"
#include "fabric/paths/hop_distances.h"
#include "topologies/survivors.h"

namespace pssp {

/// The missing parts of a fabric, and the hosts that have no name of their own yet.
struct CourseState {
  std::vector<ChannelId> links;
  std::vector<SwitchId> switches;
  std::vector<EndPortId> hosts;
  std::vector<EndPortId> unnamed;

  std::size_t size() const { return links.size() + switches.size() + hosts.size(); }
};

/// The number and the mix of the events. At most `most` objects are missing at the same time.
struct CourseOptions {
  unsigned events = 200;
  unsigned most = 6;
  /// Percentages of the losses: switches without hosts, switches with all their hosts, and hosts.
  /// All other losses are links.
  unsigned switches = 0, leaves = 0, hosts = 0;
  unsigned names = 0;   ///< hosts with the name of their adapter until an event of their own
  std::string manager;  ///< a host that always stays, with its switch; empty: none
  std::uint64_t seed = 1;
};

/// The fabric in which these hosts have the name of their adapter, as a node has after boot until
/// its driver sets the node description.
inline Fabric with_late_names(Fabric fabric, const std::vector<EndPortId>& unnamed) {
  if (unnamed.empty()) return fabric;
  std::string text = to_net_file(fabric);
  for (const EndPortId e : unnamed) {
    const std::string own = fmt::format("# \"{}\"", fabric.end_port(e).description);
    const std::size_t place = text.find(own);
    if (place != std::string::npos) text.replace(place, own.size(), "# \"MT4129 ConnectX7\"");
  }
  FabricBuilder builder = std::move(parse_topology(text, "late names").builder);
  return std::move(builder).build();
}

inline Fabric left_of(const Fabric& whole, const CourseState& damage) {
  return with_late_names(survivors(whole, damage.switches, damage.links, damage.hosts),
                         damage.unnamed);
}

/// Draws the events. The result depends only on the fabric and the options.
class Course {
 public:
  /// Both must outlive the object.
  Course(const Fabric& whole, const CourseOptions& options)
      : whole_(whole), options_(options), random_(options.seed) {
    const auto endpoints = whole.endpoints_per_switch();
    for (std::uint32_t s = 0; s < whole.switch_count(); ++s) {
      (endpoints[s] == 0 ? bare_ : leaves_).emplace_back(s);
    }
    keep_manager();
    const auto hosts = whole.endpoints();
    for (std::size_t i = 0; i < std::min<std::size_t>(options.names, hosts.size()); ++i) {
      now_.unnamed.push_back(hosts[i * hosts.size() / options.names]);
    }
  }

  /// The state before the first event.
  CourseState start() const { return now_; }

  /// What is missing after each event. The last events restore the missing objects one by one.
  std::vector<CourseState> run() {
    const std::size_t every = now_.unnamed.empty() ? 0 : options_.events / now_.unnamed.size();
    std::vector<CourseState> course;
    for (unsigned i = 0; i < options_.events; ++i) {
      const bool can_lose = now_.size() < options_.most;
      const bool can_gain = now_.size() != 0;
      if (every != 0 && i % every == 0 && !now_.unnamed.empty()) {
        now_.unnamed.pop_back();
      } else if (can_lose && (!can_gain || random_() % 2 == 0)) {
        lose();
      } else {
        gain();
      }
      course.push_back(now_);
    }
    now_.unnamed.clear();
    while (now_.size() != 0) {
      gain();
      course.push_back(now_);
    }
    return course;
  }

 private:
  /// The host of the subnet manager and its switch must stay, because the subnet manager could not
  /// see the rest of the fabric otherwise.
  void keep_manager() {
    if (options_.manager.empty()) return;
    const auto is_manager = [&](EndPortId e) {
      return whole_.end_port(e).name == options_.manager;
    };
    const auto found = std::ranges::find_if(whole_.endpoints(), is_manager);
    if (found == whole_.endpoints().end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("manager {}: expected the name of a host", options_.manager));
    }
    manager_ = *found;
    std::erase(leaves_, whole_.end_port(manager_).attached);
  }

  void lose() {
    while (true) {
      CourseState next = now_;
      const std::uint64_t drawn = random_() % 100;
      if (!bare_.empty() && drawn < options_.switches) {
        next.switches.push_back(bare_[random_() % bare_.size()]);
      } else if (!leaves_.empty() && drawn - options_.switches < options_.leaves) {
        next.switches.push_back(leaves_[random_() % leaves_.size()]);
      } else if (drawn >= 100 - options_.hosts) {
        next.hosts.push_back(whole_.endpoints()[random_() % whole_.endpoints().size()]);
        if (next.hosts.back() == manager_) continue;
      } else {
        next.links.emplace_back(static_cast<std::uint32_t>(random_() % whole_.channel_count()));
      }
      if (!is_new(next) || !is_joined(next)) continue;
      now_ = std::move(next);
      return;
    }
  }

  bool is_new(const CourseState& next) const {
    std::set<std::uint32_t> cables, switches, hosts;
    for (const ChannelId c : next.links) {
      cables.insert(std::min(c.value(), whole_.channel_reverse()[c.value()]));
    }
    for (const SwitchId s : next.switches) switches.insert(s.value());
    for (const EndPortId e : next.hosts) hosts.insert(e.value());
    return cables.size() == next.links.size() && switches.size() == next.switches.size() &&
           hosts.size() == next.hosts.size();
  }

  /// Whether the remaining switches can reach each other.
  bool is_joined(const CourseState& next) const {
    const Fabric left = survivors(whole_, next.switches, next.links, next.hosts);
    HopDistances search(left);
    search.search(SwitchId(0));
    return search.order().size() == left.switch_count();
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
  const CourseOptions& options_;
  std::mt19937_64 random_;
  std::vector<SwitchId> bare_, leaves_;
  EndPortId manager_;
  CourseState now_;
};

/// The events as commands for the console of ibsim, one line each, with the names of the file. Each
/// line first restores what has come back and then removes all that is missing again, because a
/// restored node also brings back cables that must stay missing.
inline std::string console_commands(const Fabric& whole, const std::vector<CourseState>& course) {
  const auto port_of = [](const std::string& name, PortNumber port) {
    return fmt::format("\"{}\"[{}]", name, port);
  };
  const auto targets = [&](const CourseState& damage) {
    std::vector<std::string> all;
    for (const ChannelId c : damage.links) {
      const SwitchId tail(whole.channel_tail()[c.value()]);
      all.push_back(port_of(whole.switch_at(tail).name, whole.channel_out_port()[c.value()]));
    }
    for (const SwitchId s : damage.switches) {
      all.push_back(fmt::format("\"{}\"", whole.switch_at(s).name));
    }
    for (const EndPortId e : damage.hosts) {
      all.push_back(port_of(whole.end_port(e).name, whole.end_port(e).port));
    }
    return all;
  };
  std::string text;
  std::vector<std::string> before;
  for (const CourseState& each : course) {
    const std::vector<std::string> now = targets(each);
    std::string line;
    for (const std::string& target : before) {
      if (std::ranges::find(now, target) == now.end()) line += "ReLink " + target + ';';
    }
    for (const std::string& target : now) line += "Unlink " + target + ';';
    text += line + '\n';
    before = now;
  }
  return text;
}

}  // namespace pssp
