// Only the two sections of NED with a network's nodes and cables matter. A connection is `gate -->
// channel --> gate` in one direction, so that a cable takes two, or `gate <--> channel <--> gate`
// in both. The gates of a switch are numbered; those of an HCA are not.

#include "fabric/formats/omnet/omnet_ned_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/text_lines.h"
#include "fabric/formats/cases.h"
#include "fabric/formats/content_kind.h"
#include "fabric/formats/host_lids.h"

namespace pssp {
namespace {

bool is_word(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

class NedReader {
 public:
  NedReader(std::string_view text, std::string_view name)
      : text_(text), name_(name), at_{{}, text} {
    advance();
  }

  OmnetNetwork run();

 private:
  struct Module {
    bool is_node = false, is_switch = false;
    unsigned ports = 0;  // specified, or in use
    unsigned lid = no_lid;
    std::size_t line = 0;
    NodeId id;
  };
  struct Gate {
    std::string_view module;
    unsigned port = 1;
  };

  void advance();
  void skip_blanks();
  void remove(std::size_t count) {
    at_.rest_line +=
        static_cast<std::size_t>(std::count(at_.rest.data(), at_.rest.data() + count, '\n'));
    at_.rest.remove_prefix(count);
  }
  bool take_token(std::string_view text) {
    if (at_.token != text) return false;
    advance();
    return true;
  }
  void expect(std::string_view text) {
    if (!take_token(text)) fail(fmt::format("'{}' was expected", text));
  }
  std::string_view take_name();
  unsigned take_count(std::string_view what, unsigned highest);
  void read_submodule();
  void read_parameters(Module& module);
  Gate read_gate();
  void read_connection();
  void skip_channel(std::string_view arrow);
  void note(const Gate& from, const Gate& to);
  void add_nodes();
  void add_links();
  void give_lids();
  [[noreturn]] void fail(std::string_view message) const {
    fail_at(name_, at_.line, fmt::format("'{}': {}", excerpt(at_.token), message));
  }

  struct Position {
    std::string_view token, rest;  // the current token, and the remaining text
    std::size_t line = 1, rest_line = 1;
  };

  std::string_view text_, name_;
  Position at_;
  OmnetNetwork result_;
  std::vector<std::string_view> order_;  // of nodes in the file
  std::unordered_map<std::string_view, Module> modules_;
  using Location = std::pair<std::string_view, unsigned>;
  std::map<std::pair<Location, Location>, std::size_t> directions_;  // with the line
};

void NedReader::skip_blanks() {
  for (;;) {
    remove(std::min(at_.rest.find_first_not_of(" \t\r\n\v\f"), at_.rest.size()));
    if (!at_.rest.starts_with("//")) return;
    remove(std::min(at_.rest.find('\n'), at_.rest.size()));
  }
}

/// A word, a quoted text, an arrow, or a single character; empty at the end.
void NedReader::advance() {
  skip_blanks();
  at_.line = at_.rest_line;
  std::size_t length = 0;
  while (length < at_.rest.size() && is_word(at_.rest[length])) ++length;
  if (length == 0 && at_.rest.starts_with('"')) {
    length = at_.rest.find('"', 1);
    if (length == std::string_view::npos) fail_at(name_, at_.line, "a quoted text does not end");
    ++length;
  }
  for (const std::string_view arrow : {"<-->", "-->", "<--"}) {
    if (length == 0 && at_.rest.starts_with(arrow)) length = arrow.size();
  }
  if (length == 0) length = std::min<std::size_t>(1, at_.rest.size());
  at_.token = at_.rest.substr(0, length);
  remove(length);
}

std::string_view NedReader::take_name() {
  if (at_.token.empty() || !is_word(at_.token.front()) || is_digit(at_.token.front()))
    fail("a name was expected");
  const std::string_view name = at_.token;
  advance();
  return name;
}

unsigned NedReader::take_count(std::string_view what, unsigned highest) {
  std::string_view text = at_.token;
  const std::optional<std::uint64_t> number = take_number(text);
  if (!number || !text.empty() || *number > highest) {
    fail(fmt::format("{} was expected, 0 to {}", what, highest));
  }
  advance();
  return static_cast<unsigned>(*number);
}

/// After the opening brace of a submodule.
void NedReader::read_parameters(Module& module) {
  for (std::size_t depth = 1; depth != 0;) {
    if (at_.token.empty()) fail("the file ends within a submodule; check that it is complete");
    if (take_token("{")) {
      ++depth;
    } else if (take_token("}")) {
      --depth;
    } else if (take_token("numSwitchPorts")) {
      if (take_token("=")) module.ports = take_count("the number of ports", max_port_number);
    } else if (take_token("srcLid")) {
      if (take_token("=")) module.lid = take_count("a LID", last_unicast_lid);
    } else {
      advance();
    }
  }
}

/// `SW11: Switch { ... }`, `H111: HCA;`
void NedReader::read_submodule() {
  Module module;
  module.line = at_.line;
  const std::string_view name = take_name();
  if (at_.token == "[") fail("vectors of submodules are not supported: name each submodule");
  expect(":");
  std::string_view type = take_name();
  while (take_token(".")) type = take_name();
  module.is_switch = type == "Switch";
  module.is_node = module.is_switch || type == "HCA";
  if (take_token("{")) {
    read_parameters(module);
    take_token(";");
  } else {
    expect(";");
  }
  const auto [other, is_new] = modules_.try_emplace(name, module);
  if (!is_new) {
    fail_at(name_, module.line,
            fmt::format("submodule '{}' is already defined at line {}", excerpt(name),
                        other->second.line));
  }
  if (module.is_node) order_.push_back(name);
}

/// `SW11.out[3]`, `H111.in`
NedReader::Gate NedReader::read_gate() {
  Gate gate;
  const std::size_t line = at_.line;
  gate.module = take_name();
  if (at_.token == "[") fail("vectors of submodules are not supported: name each submodule");
  const auto module = modules_.find(gate.module);
  if (module == modules_.end()) {
    fail_at(name_, line,
            fmt::format("'{}' is not a submodule of the network", excerpt(gate.module)));
  }
  expect(".");
  take_name();
  // Gates of other modules can have any number.
  constexpr unsigned any_number = 1'000'000;
  if (take_token("[")) {
    const bool is_switch = module->second.is_switch;
    gate.port =
        take_count("the number of a gate", is_switch ? max_port_number - 1 : any_number) + 1;
    expect("]");
  }
  if (module->second.is_switch) {
    Module& known = module->second;
    if (known.ports != 0 && gate.port > known.ports) {
      fail_at(name_, line,
              fmt::format("gate {} of '{}', which has {} ports (0 to {})", gate.port - 1,
                          excerpt(gate.module), known.ports, known.ports - 1));
    }
  }
  return gate;
}

/// `{ delay = 5ns; } -->`, `IB4XQDRWire <-->`: everything up to the second arrow, or nothing if
/// there is only one.
void NedReader::skip_channel(std::string_view arrow) {
  if (at_.token != "{") {
    // A channel type or already the gate, which has a '.' and no following arrow.
    const Position before = at_;
    take_name();
    while (take_token(".")) take_name();
    if (at_.token != "{" && at_.token != arrow) {
      at_ = before;
      return;
    }
  }
  for (std::size_t depth = 0; depth != 0 || at_.token != arrow;) {
    if (at_.token.empty()) fail("the file ends within a connection; check that it is complete");
    if (at_.token == "{") ++depth;
    if (at_.token == "}" && depth-- == 0) fail("a channel was expected, e.g. { delay = 5ns; }");
    advance();
  }
  expect(arrow);
}

void NedReader::note(const Gate& from, const Gate& to) {
  if (!modules_.at(from.module).is_node || !modules_.at(to.module).is_node) return;
  directions_.try_emplace({{from.module, from.port}, {to.module, to.port}}, at_.line);
}

void NedReader::read_connection() {
  const Gate from = read_gate();
  const std::string_view arrow = at_.token;
  if (arrow != "-->" && arrow != "<-->" && arrow != "<--") fail("'-->' or '<-->' was expected");
  advance();
  skip_channel(arrow);
  const Gate to = read_gate();
  expect(";");
  if (arrow != "<--") note(from, to);
  if (arrow != "-->") note(to, from);
}

void NedReader::add_nodes() {
  for (const auto& [ends, line] : directions_) {
    for (const Location& end : {ends.first, ends.second}) {
      Module& module = modules_.at(end.first);
      module.ports = std::max(module.ports, end.second);
    }
  }
  if (order_.size() > last_unicast_lid) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: more than {} nodes: an InfiniBand subnet has no LIDs for more",
                            name_, last_unicast_lid));
  }
  Guid switch_guid = 0x200000, host_guid = 0x100000;
  result_.topology.has_made_up_guids = true;
  FabricBuilder& builder = result_.topology.builder;
  for (const std::string_view name : order_) {
    Module& module = modules_.at(name);
    const std::string text(name);
    at_line(name_, module.line, [&] {
      const unsigned ports = std::max(module.ports, 1U);
      if (module.is_switch) {
        module.id = builder.add_switch(switch_guid++, ports, text, text);
        result_.switches.push_back(module.id);
      } else {
        module.id = builder.add_adapter(host_guid, ports, EndPortKind::channel_adapter, text, text);
        host_guid += ports + 1;
        result_.hosts.push_back({module.id});
      }
    });
  }
}

void NedReader::add_links() {
  Cases half_stated;
  for (const auto& [ends, line] : directions_) {
    const auto& [from, to] = ends;
    if (!directions_.contains({to, from})) {
      half_stated.add(fmt::format("'{}' gate {} -> '{}' gate {} (line {})", excerpt(from.first),
                                  from.second - 1, excerpt(to.first), to.second - 1, line));
    }
    at_line(name_, line, [&, &from = from, &to = to] {
      result_.topology.builder.connect(
          modules_.at(from.first).id, static_cast<PortNumber>(from.second),
          modules_.at(to.first).id, static_cast<PortNumber>(to.second), {});
    });
  }
  if (half_stated.count() == 0) return;
  result_.topology.warnings.push_back(fmt::format(
      "{}: {} connection(s) in one direction only; treated as up in both directions: {}", name_,
      half_stated.count(), half_stated.examples()));
}

void NedReader::give_lids() {
  std::vector<StatedLid> stated;
  for (const std::string_view name : order_) {
    const Module& module = modules_.at(name);
    if (!module.is_switch) stated.push_back({static_cast<Lid>(module.lid), name});
  }
  const HostLids given = host_lids(stated, name_);
  for (std::size_t i = 0; i < given.lids.size(); ++i) result_.hosts[i].lid = given.lids[i];
  std::vector<std::string>& warnings = result_.topology.warnings;
  warnings.insert(warnings.end(), given.warnings.begin(), given.warnings.end());
}

OmnetNetwork NedReader::run() {
  while (!at_.token.empty() && at_.token != "submodules") advance();
  if (at_.token.empty()) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: this is not a network of OMNeT++: it looks like {}; expected a "
                            "NED file with a section submodules:",
                            name_, describe_content(text_, name_)));
  }
  advance();
  expect(":");
  while (at_.token != "connections") {
    if (at_.token.empty())
      fail("the section connections: is missing; check that the file is complete");
    read_submodule();
  }
  advance();
  take_token("allowunconnected");
  expect(":");
  while (at_.token != "}") {
    if (at_.token.empty()) fail("the file ends within the connections; check that it is complete");
    read_connection();
  }
  add_nodes();
  add_links();
  give_lids();
  return std::move(result_);
}

}  // namespace

OmnetNetwork parse_omnet_ned(std::string_view text, std::string_view name) {
  // Uses the check for binary data of all text formats.
  const TextLines checked(text, name, describe_content);
  take(text, "\xEF\xBB\xBF");
  return NedReader(text, name).run();
}

}  // namespace pssp
