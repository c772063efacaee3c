// A name is written if the reader maps it to the same identity and no other node has it; other
// nodes are written as GUIDs, including adapters with the factory's description, because a product
// names no node.

#include <fmt/format.h>

#include <string>
#include <unordered_map>

#include "base/csv_rows.h"
#include "fabric/formats/cable_list.h"
#include "fabric/formats/chassis_name.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

class CableListWriter {
 public:
  explicit CableListWriter(const Fabric& fabric) : fabric_(fabric) {
    for (const Switch& each : fabric.switches()) ++named_[node_identity(description_or_name(each))];
    Guid last = 0;
    for (const EndPort& port : fabric.end_ports()) {
      const bool is_new = port.node_guid != last;
      last = port.node_guid;
      if (is_new) ++named_[node_identity(telling_name(port))];
      if (port.attached.valid()) ++cables_of_[port.node_guid];
    }
    for (const BackToBackCable& cable : fabric.back_to_back_cables()) {
      ++cables_of_[fabric.end_port(cable.a).node_guid];
      ++cables_of_[fabric.end_port(cable.b).node_guid];
    }
  }

  std::string run() {
    text_ = "StartDevice,StartPort,EndDevice,EndPort,Speed,LinkType\r\n";
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) write_switch(SwitchId(s));
    // A list has no row for a loopback plug.
    for (const LoopCable& loop : fabric_.loop_cables()) {
      if (loop.a == loop.b || is_inside_a_director(loop.at, loop.at)) continue;
      write_cable(end_text(loop.at, loop.a), end_text(loop.at, loop.b), loop.rate);
    }
    for (const BackToBackCable& cable : fabric_.back_to_back_cables()) {
      const EndPort &a = fabric_.end_port(cable.a), &b = fabric_.end_port(cable.b);
      if (cable.a == cable.b || !is_listed(a) || !is_listed(b)) continue;
      write_cable(end_text(a), end_text(b), cable.rate);
    }
    return std::move(text_);
  }

 private:
  bool is_unique(std::string_view name) const {
    const auto found = named_.find(node_identity(name));
    return found != named_.end() && found->second == 1 && !found->first.empty() &&
           !name.starts_with("0x") && name.find_first_of("\n\r#") == std::string_view::npos &&
           name.find('\0') == std::string_view::npos;
  }

  /// Aggregation nodes are inside switches, and have no cable.
  static bool is_listed(const EndPort& port) { return port.kind != EndPortKind::aggregation_node; }

  std::string end_text(SwitchId s, PortNumber port) const {
    const Switch& each = fabric_.switch_at(s);
    const std::string_view name = description_or_name(each);
    const auto chassis = parse_chassis_name(name);
    const bool is_blade = chassis && chassis->board != 0;
    const bool is_one_chip = !chassis || (chassis->board == 0 && chassis->chip == 1);
    if (!is_unique(name) || !(is_blade || is_one_chip)) {
      return fmt::format("0x{:016x},Port {}", each.guid, port);
    }
    if (!is_blade) {
      return fmt::format("{},Port {}", csv_field(chassis ? chassis->system : name), port);
    }
    return fmt::format("{},Blade {}{}_Port {}/{}", csv_field(chassis->system),
                       chassis->board == 's' ? "S" : "", chassis->slot, chassis->chip, port);
  }

  std::string end_text(const EndPort& port) const {
    const std::string_view name = telling_name(port);
    const bool has_second = cables_of_.at(port.node_guid) > 1;
    const bool has_factory_name = !port.description.empty() && port.description != port.name &&
                                  names_no_node(port.description);
    if (has_factory_name || !is_unique(name)) {
      return fmt::format("0x{:016x},{}", port.node_guid, port.port);
    }
    const auto words = node_and_adapter(name);
    if (!words) return fmt::format("{},{}", csv_field(name), port.port);
    return fmt::format(
        "{},{}", csv_field(words->node),
        csv_field(has_second ? fmt::format("{} Port {}", name, port.port) : std::string(name)));
  }

  bool is_inside_a_director(SwitchId a, SwitchId b) const {
    const auto first = parse_chassis_name(description_or_name(fabric_.switch_at(a)));
    const auto other = parse_chassis_name(description_or_name(fabric_.switch_at(b)));
    return first && other && first->board != 0 && other->board != 0 &&
           first->system == other->system;
  }

  void write_cable(const std::string& start, const std::string& end, LinkRate rate) {
    text_ += start + ',' + end + ',';
    if (rate.stated()) text_ += std::to_string(rate.capacity());
    text_ += ",Data\r\n";
  }

  void write_switch(SwitchId s) {
    for (unsigned p = 1; p <= fabric_.switch_at(s).ports; ++p) {
      const auto port = static_cast<PortNumber>(p);
      const PortTarget target = fabric_.behind(s, port);
      if (target.kind == PortTarget::Kind::end_port) {
        const EndPort& far = fabric_.end_port(EndPortId(target.index));
        if (!is_listed(far)) continue;
        write_cable(end_text(s, port), end_text(far), far.rate);
      } else if (target.kind == PortTarget::Kind::channel &&
                 target.index < fabric_.channel_reverse()[target.index]) {
        const SwitchId far(fabric_.channel_head()[target.index]);
        if (is_inside_a_director(s, far)) continue;
        write_cable(end_text(s, port), end_text(far, fabric_.channel_in_port()[target.index]),
                    fabric_.channel_rate()[target.index]);
      }
    }
  }

  const Fabric& fabric_;
  std::unordered_map<std::string, unsigned> named_;  // nodes by identity
  std::unordered_map<Guid, unsigned> cables_of_;
  std::string text_;
};

}  // namespace

std::string to_cable_list(const Fabric& fabric) { return CableListWriter(fabric).run(); }

}  // namespace pssp
