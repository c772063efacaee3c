// OpenSM lists switches in the order of a map whose key is the node GUID in network byte order,
// read as a number of the host: on little-endian machines, the GUID's last byte is most
// significant. The footer contains the highest LID, although it reads like a count; the LIDs of one
// port have the same comment. This file reproduces the format, so that files can be compared byte
// by byte.

#include "fabric/formats/lft_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/printable.h"

namespace pssp {
namespace {

/// The text after the port: the same on every switch.
std::string comment_on(const Fabric& fabric, Lid lid) {
  const LidOwner owner = fabric.owner(lid);
  if (owner.kind == LidOwner::Kind::switch_port0) {
    const Switch& target = fabric.switch_at(SwitchId(owner.index));
    return fmt::format(" # Switch portguid 0x{:016x}: '{}'\n", target.guid,
                       printable(target.description));
  }
  if (owner.kind == LidOwner::Kind::end_port) {
    const EndPort& target = fabric.end_port(EndPortId(owner.index));
    const std::string_view type = target.kind == EndPortKind::router ? "Router" : "Channel Adapter";
    return fmt::format(" # {} portguid 0x{:016x}: '{}'\n", type, target.port_guid,
                       printable(target.description));
  }
  return " # unknown node and type\n";
}

std::vector<std::uint32_t> order_of_opensm(const Fabric& fabric) {
  std::vector<std::uint32_t> order(fabric.switch_count());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&fabric](std::uint32_t a, std::uint32_t b) {
    return byte_swapped(fabric.switch_at(SwitchId(a)).guid) <
           byte_swapped(fabric.switch_at(SwitchId(b)).guid);
  });
  return order;
}

}  // namespace

void write_lft_dump(const Fabric& fabric, const ForwardingTables& tables, const ContentSink& sink) {
  const unsigned max_lid = tables.max_lid();
  std::vector<std::string> lid_texts(max_lid + 1), comments(max_lid + 1);
  for (unsigned lid = 0; lid <= max_lid; ++lid) {
    lid_texts[lid] = fmt::format("0x{:04x} ", lid);
    comments[lid] = comment_on(fabric, static_cast<Lid>(lid));
  }
  std::array<std::string, max_port_number + 1> port_texts;
  for (unsigned port = 0; port <= max_port_number; ++port) {
    port_texts[port] = fmt::format("{:03}", port);
  }

  std::string text;
  for (const std::uint32_t index : order_of_opensm(fabric)) {
    const SwitchId id(index);
    const Switch& from = fabric.switch_at(id);
    text.clear();
    fmt::format_to(std::back_inserter(text),
                   "Unicast lids [0-{}] of switch Lid {} guid 0x{:016x} ('{}'):\n", max_lid,
                   from.lid, from.guid, printable(from.description));
    for (unsigned lid = 0; lid <= max_lid; ++lid) {
      const PortNumber port = tables.at(id, static_cast<Lid>(lid));
      if (port > from.ports) continue;
      text.append(lid_texts[lid]).append(port_texts[port]).append(comments[lid]);
    }
    fmt::format_to(std::back_inserter(text), "{} lids dumped\n", max_lid);
    sink(text);
  }
}

std::string to_lft_dump(const Fabric& fabric, const ForwardingTables& tables) {
  std::string dump;
  write_lft_dump(fabric, tables, [&dump](std::string_view part) { dump += part; });
  return dump;
}

}  // namespace pssp
