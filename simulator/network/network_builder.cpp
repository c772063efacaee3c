// Builds only what carries traffic: channels between switches, and the cables of endpoints.
// Management ports and aggregation nodes are omitted, and table entries that lead to them count as
// no route.

#include "simulator/network/network_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "fabric/tables/service_levels.h"
#include "simulator/network/link_capacity.h"
#include "simulator/network/port_links.h"

namespace pssp {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorKind::usage, text); }

void check_lanes(const Model& model) {
  if (model.lanes < 1 || model.lanes > max_data_lanes) {
    refuse(fmt::format("a model must have 1 .. {} lanes, not {}", max_data_lanes, model.lanes));
  }
  const auto& weights = model.lane_weights;
  if (!weights.empty() && (weights.size() != model.lanes || std::ranges::count(weights, 0U) != 0)) {
    refuse(fmt::format("expected one weight above 0 for each of the {} lanes", model.lanes));
  }
  if (!model.sl_to_vl.empty() &&
      (model.sl_to_vl.size() != service_level_count ||
       std::ranges::any_of(model.sl_to_vl, [&](unsigned lane) { return lane >= model.lanes; }))) {
    refuse(fmt::format("a map from service levels to lanes must have {} entries below {}",
                       service_level_count, model.lanes));
  }
}

void check_model(const Model& model, std::uint32_t packet_bytes) {
  check_lanes(model);
  if (packet_bytes < route_header_bytes || packet_bytes > 0xFFFF) {
    refuse(fmt::format("a packet must have {} .. 65535 bytes, not {}", route_header_bytes,
                       packet_bytes));
  }
  if (model.becn_bytes < route_header_bytes || model.becn_bytes > packet_bytes) {
    refuse(fmt::format("a BECN packet must have {} .. {} bytes, not {}", route_header_bytes,
                       packet_bytes, model.becn_bytes));
  }
  if (credits_of(packet_bytes) > model.buffer_credits) {
    refuse(
        fmt::format("a packet of {} bytes needs {} credits and does not fit into buffers of {}; "
                    "specify larger buffers or smaller packets",
                    packet_bytes, credits_of(packet_bytes), model.buffer_credits));
  }
  if (model.buffer_credits >= 1U << 24U) refuse("a buffer must have less than 16777216 credits");
  if (model.link_delay < 0 || model.switch_delay < 0 || model.becn_delay < 0) {
    refuse("the delays of a model must not be negative");
  }
  if (!(model.sink_rate >= 0)) refuse("the rate at which hosts accept data must not be negative");
}

class Builder {
 public:
  Builder(const Fabric& fabric, const ForwardingTables& tables, const Model& model,
          std::uint32_t packet_bytes)
      : fabric_(fabric), tables_(tables), model_(model) {
    network_.lanes = model.lanes;
    network_.packet_bytes = packet_bytes;
    network_.full_credits = credits_of(packet_bytes);
    network_.buffer_credits = model.buffer_credits;
    network_.hosts = static_cast<std::uint32_t>(fabric.endpoints().size());
    network_.channels = static_cast<std::uint32_t>(fabric.channel_count());
    network_.link_delay = model.link_delay;
    network_.switching = model.switching;
    network_.lane_weights = model.lane_weights;
    if (network_.lane_weights.empty()) network_.lane_weights.assign(model.lanes, 1);
  }

  Network build() {
    add_links();
    const PortLinks links(fabric_, network_);
    add_switches(links);
    add_routes(links);
    return std::move(network_);
  }

 private:
  void add_link(std::uint32_t id, std::uint32_t tail, std::uint32_t head, std::uint32_t rate) {
    Link& link = network_.links[id];
    link.tail = tail;
    link.head = head;
    link.megabits = rate;
    link.full_time = Network::rounded_time(network_.packet_bytes, rate);
    link.head_in =
        model_.link_delay + Network::rounded_time(route_header_bytes, rate) + model_.switch_delay;
    link.lane_left = network_.lane_weights.front();
    link.to_host = id >= network_.channels && id < network_.channels + network_.hosts;
    link.from_host = id >= network_.channels + network_.hosts;
  }

  void add_links() {
    const std::size_t count = network_.channels + 2 * std::size_t{network_.hosts};
    network_.links.resize(count);
    network_.records.resize(count);
    LaneState full;
    full.credits = static_cast<std::int32_t>(model_.buffer_credits);
    network_.lane_states.assign(count * network_.lanes, full);
    for (std::uint32_t c = 0; c < network_.channels; ++c) {
      add_link(c, fabric_.channel_tail()[c], fabric_.channel_head()[c],
               link_megabits(fabric_, model_.link_rate, fabric_.channel_rate()[c]));
    }
    for (std::uint32_t rank = 0; rank < network_.hosts; ++rank) {
      const EndPort& port = fabric_.end_port(fabric_.endpoints()[rank]);
      const std::uint32_t rate = link_megabits(fabric_, model_.host_rate, port.rate);
      add_link(network_.to_host(rank), port.attached.value(), rank, rate);
      add_link(network_.from_host(rank), rank, port.attached.value(), rate);
    }
    network_.has_one_rate = std::ranges::all_of(network_.links, [&](const Link& link) {
      return link.megabits == network_.links.front().megabits;
    });
  }

  void add_switches(const PortLinks& links) {
    std::size_t queues = 0;
    std::uint32_t most_ports = 0;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      SwitchPorts place;
      place.first_port = static_cast<std::uint32_t>(network_.out_link.size());
      place.first_queue = static_cast<std::uint32_t>(queues);
      add_ports(links, SwitchId(s), place);
      most_ports = std::max(most_ports, place.ports);
      queues += std::size_t{place.ports} * place.ports * network_.lanes;
      if (queues >= no_index) refuse("the fabric has too many ports for this number of lanes");
      network_.switches.push_back(place);
    }
    network_.queues.resize(queues);
    add_masks(most_ports);
  }

  void add_ports(const PortLinks& links, SwitchId s, SwitchPorts& place) {
    for (unsigned port = 1; port <= fabric_.switch_at(s).ports; ++port) {
      const auto [out, in] = links.at(s, static_cast<PortNumber>(port));
      if (out == no_index) continue;
      const auto number = static_cast<std::uint8_t>(place.ports++);
      network_.links[out].out = number;
      network_.links[in].in = number;
      network_.out_link.push_back(out);
      network_.in_link.push_back(in);
      const std::uint32_t most =
          network_.links[in].from_host ? model_.host_speedup : model_.speedup;
      network_.most_reading.push_back(
          static_cast<std::uint8_t>(most == 0 ? 0xFF : std::min(most, 0xFFU)));
    }
  }

  void add_masks(std::uint32_t most_ports) {
    const std::size_t ports = network_.out_link.size();
    network_.words = std::max(1U, (most_ports + 63) / 64);
    network_.reading.resize(ports);
    network_.next_output.resize(ports);
    network_.inputs_waiting.resize(ports * network_.lanes * network_.words);
    network_.outputs_waiting.resize(ports * network_.words);
    const std::size_t all = network_.switches.size() * network_.words;
    network_.readable.assign(all, ~std::uint64_t{0});
    network_.grantable.assign(all, ~std::uint64_t{0});
  }

  void add_routes(const PortLinks& links) {
    if (tables_.switch_count() != fabric_.switch_count()) {
      throw Error(ErrorKind::mismatch, fmt::format("the tables are for {} switches, but the fabric "
                                                   "has {}; specify the tables of this fabric",
                                                   tables_.switch_count(), fabric_.switch_count()));
    }
    network_.width = std::size_t{fabric_.max_lid()} + 1;
    network_.routes.assign(fabric_.switch_count() * network_.width, no_position);
    const std::size_t known = std::min<std::size_t>(network_.width, tables_.width());
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const std::vector<std::uint8_t> positions = links.positions(SwitchId(s));
      const auto row = tables_.row(SwitchId(s));
      for (std::size_t lid = 1; lid < known; ++lid) {
        network_.routes[s * network_.width + lid] = positions[row[lid]];
      }
    }
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const Model& model_;
  Network network_;
};

template <class Element>
std::size_t bytes_of(const std::vector<Element>& values) {
  return values.capacity() * sizeof(Element);
}

}  // namespace

Network build_network(const Fabric& fabric, const ForwardingTables& tables, const Model& model,
                      std::uint32_t packet_bytes) {
  check_model(model, packet_bytes);
  return Builder(fabric, tables, model, packet_bytes).build();
}

std::size_t Network::bytes() const noexcept {
  return bytes_of(links) + bytes_of(lane_states) + bytes_of(records) + bytes_of(switches) +
         bytes_of(out_link) + bytes_of(in_link) + bytes_of(reading) + bytes_of(most_reading) +
         bytes_of(next_output) + bytes_of(queues) + bytes_of(inputs_waiting) +
         bytes_of(outputs_waiting) + bytes_of(readable) + bytes_of(grantable) + bytes_of(routes);
}

}  // namespace pssp
