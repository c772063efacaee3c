// Both files must have the same order of hosts and switches and the same port numbers, so both are
// written from one layout. The text follows the scripts of the thesis: submodules, then connections
// with a delay of 5 ns, two per cable. The thesis also connects a generator of message numbers to
// the HCAs, in an illegible part of its script; IDGen is written as a submodule with a gate per
// host, without connections.

#include "fabric/formats/omnet/omnet_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/text_lines.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

constexpr unsigned no_gate = no_port;

/// Order, names and gates of the network.
class Layout {
 public:
  explicit Layout(const Fabric& fabric);

  const std::vector<SwitchId>& switches() const { return switches_; }
  const std::vector<EndPortId>& hosts() const { return hosts_; }
  const std::string& name(SwitchId s) const { return switch_names_[s.value()]; }
  const std::string& name(EndPortId e) const { return host_names_[e.value()]; }
  /// Number of the port in the model, or no_gate.
  unsigned gate(SwitchId s, PortNumber port) const { return gates_[first_gate_[s.value()] + port]; }
  unsigned gate_count(SwitchId s) const { return gate_counts_[s.value()]; }

 private:
  std::string unique(std::string_view name, std::string_view prefix);
  void number_gates(const Fabric& fabric);

  std::unordered_set<std::string> used_;
  std::vector<SwitchId> switches_;
  std::vector<EndPortId> hosts_;
  std::vector<std::string> switch_names_, host_names_;
  std::vector<std::size_t> first_gate_;
  std::vector<unsigned> gates_, gate_counts_;
};

std::string Layout::unique(std::string_view name, std::string_view prefix) {
  std::string made(name);
  std::replace_if(
      made.begin(), made.end(),
      [](char c) {
        return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c));
      },
      '_');
  if (!made.starts_with(prefix)) made = fmt::format("{}_{}", prefix, made);
  while (!used_.insert(made).second) made += '_';
  return made;
}

Layout::Layout(const Fabric& fabric) : host_names_(fabric.end_port_count()) {
  used_.insert("IDGen");
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    switches_.emplace_back(s);
    switch_names_.push_back(unique(fabric.switch_at(SwitchId(s)).name, "SW"));
  }
  for (const EndPortId e : fabric.endpoints()) {
    hosts_.push_back(e);
    host_names_[e.value()] = unique(fabric.end_port(e).name, "H");
  }
  const auto by_name = [this](auto a, auto b) {
    return compare_with_numbers(name(a), name(b)) < 0;
  };
  std::stable_sort(switches_.begin(), switches_.end(), by_name);
  std::stable_sort(hosts_.begin(), hosts_.end(), by_name);
  number_gates(fabric);
}

void Layout::number_gates(const Fabric& fabric) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    first_gate_.push_back(gates_.size());
    gates_.push_back(no_gate);
    unsigned count = 0;
    for (unsigned port = 1; port <= fabric.switch_at(SwitchId(s)).ports; ++port) {
      const PortTarget target = fabric.behind(SwitchId(s), static_cast<PortNumber>(port));
      const bool is_used =
          target.kind == PortTarget::Kind::channel || (target.kind == PortTarget::Kind::end_port &&
                                                       fabric.is_endpoint(EndPortId(target.index)));
      gates_.push_back(is_used ? count++ : no_gate);
    }
    gate_counts_.push_back(count);
  }
}

/// Numbers of the rows: those in the names SW11, ..., else by order.
std::vector<std::uint64_t> row_numbers(const Layout& layout) {
  std::vector<std::uint64_t> numbers;
  std::unordered_set<std::uint64_t> used;
  for (const SwitchId s : layout.switches()) {
    std::string_view digits = layout.name(s);
    take(digits, "SW");
    const bool is_plain = !digits.empty() && digits.front() != '0';
    const std::optional<std::uint64_t> number = take_number(digits);
    if (is_plain && number && digits.empty() && used.insert(*number).second) {
      numbers.push_back(*number);
    }
  }
  if (numbers.size() == layout.switches().size()) return numbers;
  numbers.clear();
  for (std::size_t i = 0; i < layout.switches().size(); ++i) numbers.push_back(i);
  return numbers;
}

class NedWriter {
 public:
  explicit NedWriter(const Fabric& fabric) : fabric_(fabric), layout_(fabric) {}
  std::string run();

 private:
  void write_modules();
  void write_connections();
  void write_cable(std::string_view a_out, std::string_view a_in, std::string_view b_out,
                   std::string_view b_in) {
    fmt::format_to(std::back_inserter(text_),
                   "\t\t{} --> {{ delay = 5ns; }} --> {};\n\t\t{} --> {{ delay = 5ns; }} --> {};\n",
                   a_out, b_in, b_out, a_in);
  }

  const Fabric& fabric_;
  Layout layout_;
  std::string text_;
};

void NedWriter::write_modules() {
  const auto end = std::back_inserter(text_);
  for (const EndPortId e : layout_.hosts()) fmt::format_to(end, "\t\t{}: HCA;\n", layout_.name(e));
  for (const SwitchId s : layout_.switches()) {
    const unsigned ports = layout_.gate_count(s);
    fmt::format_to(
        end,
        "\t\t{}: Switch {{\n\t\t\tparameters:\n\t\t\t\tnumSwitchPorts = {};\n\t\t\tgates:"
        "\n\t\t\t\tout[{}];\n\t\t\t\tin[{}];\n\t\t}}\n",
        layout_.name(s), ports, ports, ports);
  }
  fmt::format_to(end, "\t\tIDGen: IDGenerator {{\n\t\t\tgates:\n\t\t\t\tgate[{}];\n\t\t}}\n",
                 layout_.hosts().size());
}

void NedWriter::write_connections() {
  const auto gate = [](std::string_view name, std::string_view direction, unsigned number) {
    return fmt::format("{}.{}[{}]", name, direction, number);
  };
  for (const SwitchId s : layout_.switches()) {
    const std::string& name = layout_.name(s);
    for (unsigned p = 1; p <= fabric_.switch_at(s).ports; ++p) {
      const auto port = static_cast<PortNumber>(p);
      const unsigned here = layout_.gate(s, port);
      if (here == no_gate) continue;
      const PortTarget target = fabric_.behind(s, port);
      if (target.kind == PortTarget::Kind::end_port) {
        const std::string& host = layout_.name(EndPortId(target.index));
        write_cable(host + ".out", host + ".in", gate(name, "out", here), gate(name, "in", here));
        continue;
      }
      // Writes each cable once: at the channel with the smaller number.
      if (fabric_.channel_reverse()[target.index] < target.index) continue;
      const SwitchId far(fabric_.channel_head()[target.index]);
      const unsigned there = layout_.gate(far, fabric_.channel_in_port()[target.index]);
      write_cable(gate(name, "out", here), gate(name, "in", here),
                  gate(layout_.name(far), "out", there), gate(layout_.name(far), "in", there));
    }
  }
}

std::string NedWriter::run() {
  text_ =
      "import src.HCA;\nimport src.IDGenerator;\nimport src.Switch;\n\nnetwork FABRIC\n{\n"
      "\tsubmodules:\n";
  write_modules();
  text_ += "\tconnections allowunconnected:\n";
  write_connections();
  text_ += "}\n";
  return std::move(text_);
}

}  // namespace

std::string to_omnet_ned(const Fabric& fabric) { return NedWriter(fabric).run(); }

std::string to_omnet_fdbs(const Fabric& fabric, const ForwardingTables& tables) {
  const Layout layout(fabric);
  const std::vector<std::uint64_t> numbers = row_numbers(layout);
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const SwitchId s = layout.switches()[i];
    fmt::format_to(std::back_inserter(text), "{}: {}", numbers[i], no_gate);
    for (const EndPortId host : layout.hosts()) {
      const Lid lid = fabric.end_port(host).lid;
      const PortNumber port = lid == no_lid || lid > tables.max_lid() ? no_port : tables.at(s, lid);
      const bool is_port = port <= fabric.switch_at(s).ports;
      fmt::format_to(std::back_inserter(text), " {}", is_port ? layout.gate(s, port) : no_gate);
    }
    text += '\n';
  }
  return text;
}

}  // namespace pssp
