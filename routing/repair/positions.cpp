// The baseline identifies switches by GUID and cables by port. This is too strict if hardware is
// replaced: a new switch has another GUID, and a cable may be reconnected to a neighboring port. It
// is also too strict for inferred hardware, whose GUIDs and ports are unknown. In all three cases
// one object is missing, another is new, and both have the same neighbors, so only a name has
// changed.
//
// Switches are matched by neighbors, not by ports, because ports of inferred hardware are guesses.
// Cables between the same two switches are matched by a common port first, then in order.

#include "routing/repair/positions.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include "base/no_index.h"

namespace pssp {
namespace {

/// GUIDs of the neighboring switches.
std::set<Guid> neighbours(const Fabric& fabric, std::uint32_t s) {
  std::set<Guid> found;
  for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
    found.insert(fabric.switch_at(SwitchId(fabric.channel_head()[c])).guid);
  }
  return found;
}

/// Switches that the other fabric lacks.
std::vector<std::uint32_t> not_in(const Fabric& fabric, const Fabric& other) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (!other.find_switch(fabric.switch_at(SwitchId(s)).guid)) found.push_back(s);
  }
  return found;
}

/// A cable between two positions, seen from the lower one, with its ports.
struct PlacedCable {
  std::uint32_t low, high;  // SwitchIds of the baseline fabric
  PortNumber low_port, high_port;
  std::uint32_t channel;  // from `low`, in the fabric that contains the cable

  std::pair<std::uint32_t, std::uint32_t> ends() const { return {low, high}; }
  bool shares_port(const PlacedCable& other) const {
    return low_port == other.low_port || high_port == other.high_port;
  }
  bool is_at_ports_of(const PlacedCable& other) const {
    return low_port == other.low_port && high_port == other.high_port;
  }
};

class PositionFinder {
 public:
  PositionFinder(const Fabric& meant, const Fabric& now)
      : meant_(meant), now_(now), positions_(own_positions(meant)) {
    positions_.is_meant.assign(now.channel_count(), 0);
  }

  Positions run() && {
    find_successors();
    find_cables();
    drop_ports_of_others();
    return std::move(positions_);
  }

 private:
  struct Likeness {
    std::size_t common;
    std::uint32_t gone, come;  // SwitchIds: of the baseline fabric, of the current fabric
  };

  void find_successors() {
    const std::vector<std::uint32_t> come = not_in(now_, meant_);
    if (come.empty()) return;
    std::vector<Likeness> alike;
    for (const std::uint32_t gone : not_in(meant_, now_)) {
      for (const std::uint32_t each : come) compare(gone, each, alike);
    }
    std::ranges::stable_sort(alike, [](const auto& a, const auto& b) {
      return std::tuple(b.common, a.gone, a.come) < std::tuple(a.common, b.gone, b.come);
    });
    std::set<std::uint32_t> gone_taken, come_taken;
    for (const Likeness& each : alike) {
      if (gone_taken.contains(each.gone) || come_taken.contains(each.come)) continue;
      gone_taken.insert(each.gone);
      come_taken.insert(each.come);
      positions_.holders[each.gone] = now_.switch_at(SwitchId(each.come)).guid;
    }
  }

  void compare(std::uint32_t gone, std::uint32_t come, std::vector<Likeness>& alike) const {
    const std::set<Guid> of_gone = neighbours(meant_, gone), of_come = neighbours(now_, come);
    const auto common = static_cast<std::size_t>(
        std::ranges::count_if(of_gone, [&](Guid each) { return of_come.contains(each); }));
    if (2 * common <= std::max(of_gone.size(), of_come.size())) return;
    alike.push_back({common, gone, come});
  }

  void find_cables() {
    std::map<Guid, std::uint32_t> place_of;
    for (std::uint32_t s = 0; s < positions_.holders.size(); ++s)
      place_of[positions_.holders[s]] = s;
    const auto place = [&](const Fabric& fabric, std::uint32_t s) {
      const auto found = place_of.find(fabric.switch_at(SwitchId(s)).guid);
      return found == place_of.end() ? no_index : found->second;
    };
    const auto own_position = [](const Fabric&, std::uint32_t s) { return s; };
    auto meant = cables(meant_, own_position), is = cables(now_, place);
    for (auto& [ends, come] : is) {
      std::vector<PlacedCable>& gone = meant[ends];
      match(gone, come, &PlacedCable::is_at_ports_of);
      match(gone, come, &PlacedCable::shares_port);
      match(gone, come, [](const PlacedCable&, const PlacedCable&) { return true; });
    }
    for (const auto& [ends, gone] : meant) left_.insert(left_.end(), gone.begin(), gone.end());
  }

  using Cables = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<PlacedCable>>;

  template <class PositionOf>
  static Cables cables(const Fabric& fabric, PositionOf place_of) {
    Cables found;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      const std::uint32_t from = place_of(fabric, fabric.channel_tail()[c]);
      const std::uint32_t to = place_of(fabric, fabric.channel_head()[c]);
      if (from == no_index || to == no_index || from > to) continue;
      const PlacedCable cable{from, to, fabric.channel_out_port()[c], fabric.channel_in_port()[c],
                              c};
      found[cable.ends()].push_back(cable);
    }
    return found;
  }

  /// Removes matching cables from both lists.
  template <class Together>
  void match(std::vector<PlacedCable>& gone, std::vector<PlacedCable>& come, Together together) {
    std::erase_if(come, [&](const PlacedCable& each) {
      const auto found = std::ranges::find_if(
          gone, [&](const PlacedCable& other) { return std::invoke(together, other, each); });
      if (found == gone.end()) return false;
      take(*found, each);
      gone.erase(found);
      return true;
    });
  }

  void take(const PlacedCable& gone, const PlacedCable& come) {
    positions_.ports[gone.low][gone.low_port] = come.low_port;
    positions_.ports[gone.high][gone.high_port] = come.high_port;
    positions_.is_meant[come.channel] = 1;
    positions_.is_meant[now_.channel_reverse()[come.channel]] = 1;
  }

  /// A missing cable keeps its ports unless another cable uses them now.
  void drop_ports_of_others() {
    std::vector<std::set<PortNumber>> taken(positions_.ports.size());
    for (std::size_t s = 0; s < taken.size(); ++s) {
      for (const auto& [before, port] : positions_.ports[s]) taken[s].insert(port);
    }
    const auto keep = [&](std::uint32_t s, PortNumber port) {
      positions_.ports[s][port] = taken[s].contains(port) ? no_port : port;
    };
    for (const PlacedCable& each : left_) {
      keep(each.low, each.low_port);
      keep(each.high, each.high_port);
    }
  }

  const Fabric& meant_;
  const Fabric& now_;
  Positions positions_;
  std::vector<PlacedCable> left_;  // cables that are still missing
};

}  // namespace

PortNumber Positions::port_now(std::uint32_t s, PortNumber port) const {
  const auto found = ports[s].find(port);
  return found == ports[s].end() ? port : found->second;
}

Positions own_positions(const Fabric& fabric) {
  Positions positions;
  for (const Switch& each : fabric.switches()) positions.holders.push_back(each.guid);
  positions.ports.resize(fabric.switch_count());
  positions.is_meant.assign(fabric.channel_count(), 1);
  return positions;
}

Positions find_positions(const Fabric& meant, const Fabric& now) {
  return PositionFinder(meant, now).run();
}

ForwardingTables with_ports_now(const Positions& positions, const ForwardingTables& tables) {
  ForwardingTables moved = tables;
  for (std::uint32_t s = 0; s < positions.ports.size(); ++s) {
    for (std::size_t lid = 0; lid < tables.width(); ++lid) {
      const auto each = static_cast<Lid>(lid);
      const PortNumber port = tables.at(SwitchId(s), each);
      if (port != no_port) moved.set(SwitchId(s), each, positions.port_now(s, port));
    }
  }
  return moved;
}

}  // namespace pssp
