// Numbers are base 128, GUIDs and LIDs are differences from their most likely values, and the
// result is compressed with zlib: about 3 bytes per port. The uncompressed size comes first.

#include "monitor/store/map_codec.h"

#include "base/compression.h"
#include "monitor/store/byte_stream.h"

namespace pssp {
namespace {

constexpr std::uint8_t map_format = 1;
constexpr std::size_t largest_map = std::size_t{256} << 20;
constexpr std::size_t longest_description = 1024;
constexpr std::size_t least_port_bytes = 18;

using Attribute = std::uint8_t MapPort::*;
constexpr Attribute port_attributes[] = {&MapPort::width_supported,
                                         &MapPort::width_enabled,
                                         &MapPort::speed_supported,
                                         &MapPort::speed_enabled,
                                         &MapPort::mtu_supported,
                                         &MapPort::mtu_active,
                                         &MapPort::extended_speed_supported,
                                         &MapPort::lanes_supported,
                                         &MapPort::extended_speed_enabled,
                                         &MapPort::lanes_operational,
                                         &MapPort::lmc};

void write_node(ByteWriter& out, std::string& text, const MapNode& node, Guid before) {
  out.number(node.guid - before);
  out.byte(static_cast<std::uint8_t>(node.kind));
  out.byte(node.ports);
  out.number(node.lid);
  out.number(node.vendor);
  out.number(node.device);
  out.number(node.description.size());
  text += node.description;
}

void write_map_port(ByteWriter& out, const MapPort& port, Guid node) {
  out.byte(static_cast<std::uint8_t>(port.state));
  out.byte(static_cast<std::uint8_t>(port.physical));
  out.number(zigzag(port.guid - node));
  out.number(port.lid);
  out.byte(port.rate.lanes);
  out.number(port.rate.megabits_per_lane);
  out.number(port.peer == MapPort::no_peer ? 0 : std::uint64_t{port.peer} + 1);
  for (const Attribute attribute : port_attributes) out.byte(port.*attribute);
  out.byte(port.is_manager ? 1 : 0);
}

template <class Enumeration>
Enumeration read_enumeration(ByteReader& in, Enumeration least, Enumeration most) {
  const std::uint8_t value = in.byte();
  if (value < static_cast<std::uint8_t>(least) || value > static_cast<std::uint8_t>(most)) {
    in.fail();
    return least;
  }
  return static_cast<Enumeration>(value);
}

template <class Number>
Number read_small(ByteReader& in) {
  const std::uint64_t value = in.number();
  if (value > std::numeric_limits<Number>::max()) in.fail();
  return static_cast<Number>(value);
}

MapNode read_node(ByteReader& in, Guid before) {
  MapNode node;
  node.guid = before + in.number();
  node.kind = read_enumeration(in, NodeKind::channel_adapter, NodeKind::router);
  node.ports = in.byte();
  node.lid = read_small<Lid>(in);
  node.vendor = read_small<std::uint32_t>(in);
  node.device = read_small<std::uint32_t>(in);
  const std::uint64_t size = in.number();
  if (size > longest_description) in.fail();
  for (std::uint64_t i = 0; i < size && !in.failed(); ++i) {
    node.description += static_cast<char>(in.byte());
  }
  return node;
}

MapPort read_map_port(ByteReader& in, Guid node, std::size_t all_ports) {
  MapPort port;
  port.state = read_enumeration(in, LinkState::unknown, LinkState::active);
  port.physical = read_enumeration(in, PhysicalState::unknown, PhysicalState::error_recovery);
  port.guid = node + unzigzag(in.number());
  port.lid = read_small<Lid>(in);
  port.rate.lanes = in.byte();
  port.rate.megabits_per_lane = read_small<std::uint32_t>(in);
  const std::uint64_t peer = in.number();
  if (peer > all_ports) in.fail();
  port.peer = peer == 0 ? MapPort::no_peer : static_cast<std::uint32_t>(peer - 1);
  for (const Attribute attribute : port_attributes) port.*attribute = in.byte();
  port.is_manager = in.byte() != 0;
  return port;
}

std::optional<FabricMap> read_map(ByteReader& in, std::size_t size) {
  if (in.byte() != map_format) return std::nullopt;
  const std::uint64_t nodes = in.number(), ports = in.number();
  if (in.failed() || nodes > size || ports > size / least_port_bytes) return std::nullopt;
  FabricMap map;
  map.nodes.reserve(nodes);
  map.ports.reserve(ports);
  Guid before = 0;
  for (std::uint32_t n = 0; n < nodes && !in.failed(); ++n) {
    MapNode node = read_node(in, before);
    node.first_port = static_cast<std::uint32_t>(map.ports.size());
    if (n > 0 && node.guid <= before) in.fail();
    before = node.guid;
    for (unsigned number = 1; number <= node.ports && !in.failed(); ++number) {
      MapPort port = read_map_port(in, node.guid, ports);
      port.node = n;
      port.number = static_cast<PortNumber>(number);
      map.ports.push_back(port);
    }
    map.nodes.push_back(std::move(node));
  }
  if (in.failed() || !in.at_end() || map.ports.size() != ports) return std::nullopt;
  return map;
}

}  // namespace

std::string packed(std::string_view text) {
  std::string blob;
  ByteWriter(blob).number(text.size());
  blob += compressed(text);
  return blob;
}

std::optional<std::string> unpacked(std::string_view blob, std::size_t limit) {
  ByteReader in(blob);
  const std::uint64_t stated = in.number();
  if (in.failed()) return std::nullopt;
  std::string head;
  ByteWriter(head).number(stated);
  if (head.size() > blob.size()) return std::nullopt;
  return decompressed(blob.substr(head.size()), stated, limit);
}

std::string encode_map(const FabricMap& map) {
  std::string text;
  ByteWriter out(text);
  out.byte(map_format);
  out.number(map.nodes.size());
  out.number(map.ports.size());
  Guid before = 0;
  for (const MapNode& node : map.nodes) {
    write_node(out, text, node, before);
    before = node.guid;
    for (std::uint32_t i = 0; i < node.ports; ++i) {
      write_map_port(out, map.ports[node.first_port + i], node.guid);
    }
  }
  return packed(text);
}

std::optional<FabricMap> decode_map(std::string_view blob) {
  const std::optional<std::string> text = unpacked(blob, largest_map);
  if (!text) return std::nullopt;
  ByteReader in(*text);
  return read_map(in, text->size());
}

}  // namespace pssp
