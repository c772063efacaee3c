#include "fabric/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/printable.h"

namespace pssp {
namespace {

std::string name_and_description(const std::string& name, const std::string& description) {
  if (description.empty() || description == name) return printable(name);
  return printable(fmt::format("{} ({})", name, description));
}

double relative_cost(std::uint32_t reference_capacity, LinkRate rate) {
  if (reference_capacity == 0 || !rate.stated()) return 1.0;
  return static_cast<double>(reference_capacity) / rate.capacity();
}

}  // namespace

void Fabric::index_channels() {
  channel_reverse_.resize(channel_count());
  channel_cost_.resize(channel_count());
  for (std::uint32_t c = 0; c < channel_count(); ++c) {
    channel_reverse_[c] = behind(SwitchId(channel_head_[c]), channel_in_port_[c]).index;
    channel_cost_[c] = relative_cost(reference_capacity_, channel_rate_[c]);
  }
}

void Fabric::index_endpoints() {
  const auto has_lid = [](const auto& node) { return node.lid != no_lid; };
  const bool with_lids = std::any_of(switches_.begin(), switches_.end(), has_lid) ||
                         std::any_of(end_ports_.begin(), end_ports_.end(), has_lid);
  endpoints_per_switch_.assign(switch_count(), 0);
  senders_per_switch_.assign(switch_count(), 0);
  end_port_cost_.resize(end_port_count());
  for (std::uint32_t e = 0; e < end_port_count(); ++e) {
    const EndPort& port = end_ports_[e];
    end_port_cost_[e] = relative_cost(reference_capacity_, port.rate);
    const bool has_role = std::exchange(is_endpoint_[e], 0) != 0;
    if (!port.attached.valid()) continue;
    const bool can_send = has_lid(port) || !with_lids;
    if (can_send) ++senders_per_switch_[port.attached.value()];
    if (!has_role) continue;
    if (!can_send) {
      ++endpoints_without_lid_;
      continue;
    }
    is_endpoint_[e] = 1;
    endpoints_.emplace_back(e);
    ++endpoints_per_switch_[port.attached.value()];
  }
}

void Fabric::index_lids() {
  const auto last_of = [](const auto& node) {
    return node.lid == no_lid ? 0U : node.lid + (1U << node.lmc) - 1;
  };
  unsigned last = no_lid;
  for (const Switch& each : switches_) last = std::max(last, last_of(each));
  for (const EndPort& each : end_ports_) last = std::max(last, last_of(each));
  max_lid_ = static_cast<Lid>(last);
  owners_.assign(std::size_t{last} + 1, {});
  deliveries_.assign(std::size_t{last} + 1, {});
  const auto own = [&](const auto& node, LidOwner owner, Delivery delivery) {
    if (node.lid == no_lid) return;
    for (unsigned lid = node.lid; lid <= last_of(node); ++lid) {
      owners_[lid] = owner;
      deliveries_[lid] = delivery;
    }
  };
  for (std::uint32_t s = 0; s < switch_count(); ++s) {
    own(switches_[s], {LidOwner::Kind::switch_port0, s}, {SwitchId(s), management_port});
  }
  for (std::uint32_t e = 0; e < end_port_count(); ++e) {
    own(end_ports_[e], {LidOwner::Kind::end_port, e},
        {end_ports_[e].attached, end_ports_[e].switch_port});
  }
  for (unsigned lid = first_unicast_lid; lid <= last; ++lid) {
    if (owners_[lid].kind != LidOwner::Kind::none) lids_.push_back(static_cast<Lid>(lid));
  }
}

std::optional<SwitchId> Fabric::find_switch(Guid guid) const {
  const auto found = switch_by_guid_.find(guid);
  if (found == switch_by_guid_.end()) return std::nullopt;
  return found->second;
}

std::optional<EndPortId> Fabric::find_end_port(Guid port_guid) const {
  const auto found = end_port_by_guid_.find(port_guid);
  if (found == end_port_by_guid_.end()) return std::nullopt;
  return found->second;
}

std::string Fabric::label(SwitchId s) const {
  const Switch& found = switch_at(s);
  return name_and_description(found.name, found.description);
}

std::string Fabric::label(EndPortId e) const {
  const EndPort& found = end_port(e);
  return name_and_description(found.name, found.description);
}

std::string Fabric::channel_label(ChannelId c) const {
  const std::uint32_t i = c.value();
  return fmt::format("{}[{}] -> {}[{}]", label(SwitchId(channel_tail_[i])), channel_out_port_[i],
                     label(SwitchId(channel_head_[i])), channel_in_port_[i]);
}

}  // namespace pssp
