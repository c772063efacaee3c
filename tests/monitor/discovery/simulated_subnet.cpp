// Positions of fields follow the InfiniBand architecture 1.3, 14.2.5. They are repeated here, so
// that tests do not depend on the decoders under test.

#include "tests/monitor/discovery/simulated_subnet.h"

#include <algorithm>
#include <span>

#include "wire/big_endian.h"
#include "wire/subnet/node_info.h"

namespace pssp::test {
namespace {

constexpr std::size_t data_at = 64, key_at = 24;

template <class Value>
void put_at(MadData& data, std::size_t at, Value value) {
  put(std::span<std::uint8_t>(data).subspan(at), value);
}

}  // namespace

std::size_t SimulatedSubnet::add(SimulatedNode node) {
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

void SimulatedSubnet::cable(End a, End b) {
  cables_[a] = b;
  cables_[b] = a;
}

/// The node that receives a MAD, and the port through which it arrives.
std::optional<SimulatedSubnet::End> SimulatedSubnet::find(const Destination& to) const {
  if (to.lid != permissive_lid) {
    if (!lids_work) return std::nullopt;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const SimulatedNode& node = nodes_[n];
      const unsigned lids = node.is_switch ? 1 : node.ports;
      if (node.lid == no_lid || to.lid < node.lid || to.lid >= node.lid + lids) continue;
      return End{n, static_cast<PortNumber>(node.is_switch ? 0 : to.lid - node.lid + 1)};
    }
    return std::nullopt;
  }
  End at = own;
  for (unsigned hop = 1; hop <= to.route.hops; ++hop) {
    const PortNumber out = to.route.port[hop];
    if (nodes_[at.first].down.contains(out)) return std::nullopt;
    const auto cable = cables_.find({at.first, out});
    if (cable == cables_.end()) return std::nullopt;
    at = cable->second;
  }
  return at;
}

MadData SimulatedSubnet::port_info(const End& end, PortNumber port) const {
  const SimulatedNode& node = nodes_[end.first];
  // Port 0 in a request to an adapter means the port through which the request arrives.
  const PortNumber number = port == 0 && !node.is_switch ? end.second : port;
  const bool is_up = cables_.contains({end.first, number}) && !node.down.contains(number);
  const bool has_lid = !node.is_switch || number == 0;
  const Lid first = node.is_switch ? node.lid : static_cast<Lid>(node.lid + number - 1);
  MadData data{};
  put_at(data, 16, has_lid ? first : Lid{0});
  put_at(data, 18, manager_lid);
  put_at(data, 20, node.manager ? port_capability::is_manager : std::uint32_t{0});
  data[28] = end.second;
  data[29] = data[30] = data[31] = 2;                                           // 4x
  data[32] = static_cast<std::uint8_t>(0x10 | (is_up || number == 0 ? 4 : 1));  // Active or Down
  data[33] = static_cast<std::uint8_t>((is_up || number == 0 ? 5 : 2) << 4);
  data[35] = 0x11;
  return data;
}

MadData SimulatedSubnet::answer_of(const End& end, std::uint16_t attribute,
                                   std::uint32_t modifier) const {
  const SimulatedNode& node = nodes_[end.first];
  MadData data{};
  if (attribute == node_info_attribute) {
    data[2] = node.is_switch ? 2 : 1;
    data[3] = static_cast<std::uint8_t>(node.ports);
    put_at(data, 12, node.guid);
    put_at(data, 20, node.is_switch ? node.guid : node.guid + end.second);
    data[36] = end.second;
  } else if (attribute == node_description_attribute) {
    std::ranges::copy(node.description, data.begin());
  } else if (attribute == static_cast<std::uint16_t>(SubnetAttribute::port_info)) {
    return port_info(end, static_cast<PortNumber>(modifier));
  } else if (attribute == static_cast<std::uint16_t>(SubnetAttribute::switch_info)) {
    put_at(data, 0, std::uint16_t{49152});
    put_at(data, 6, static_cast<std::uint16_t>(node.table.size() - 1));
  } else if (attribute == static_cast<std::uint16_t>(SubnetAttribute::linear_forwarding_table)) {
    const std::size_t begin = modifier * linear_block_size;
    if (begin + linear_block_size > node.table.size()) return data;
    std::copy_n(node.table.begin() + static_cast<std::ptrdiff_t>(begin), linear_block_size,
                data.begin());
  } else if (attribute == static_cast<std::uint16_t>(SubnetAttribute::manager_info)) {
    const ManagerInfo info = node.manager.value_or(ManagerInfo{});
    put_at(data, 0, info.guid);
    put_at(data, 16, info.activity_count);
    data[20] = static_cast<std::uint8_t>(info.priority << 4 | static_cast<unsigned>(info.state));
  }
  return data;
}

bool SimulatedSubnet::send(const MadBytes& mad, const Destination& to, std::chrono::milliseconds) {
  const MadHeader header = header_of(mad);
  const std::optional<End> end = find(to);
  const bool is_question =
      header.attribute == static_cast<std::uint16_t>(SubnetAttribute::manager_info);
  const bool answers = end && !silent.contains(end->first) &&
                       (!is_question || nodes_[end->first].manager.has_value());
  if (end) ++asked[{end->first, header.attribute}];
  keys.insert(take<std::uint64_t>(std::span<const std::uint8_t>(mad).subspan(key_at)));
  if (!answers) {
    times_out(mad);
    return true;
  }
  MadBytes answer = mad;
  answer[3] = static_cast<std::uint8_t>(MadMethod::get_response);
  const MadData data = answer_of(*end, header.attribute, header.modifier);
  std::copy_n(data.begin(), linear_block_size, answer.begin() + data_at);
  arrives(answer);
  return true;
}

}  // namespace pssp::test
