// Descriptions are parsed once into a node's word and an adapter's word; the rest sorts and counts.
// The family of a word is the word with each number replaced by '#', so that rails have the same
// numbers whether a vendor counts adapters from one or from zero.

#include "fabric/nodes/node_rails.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/closest_name.h"
#include "base/no_index.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "fabric/nodes/node_description.h"

namespace pssp {

/// An endpoint with the parts of its description.
struct NodeRails::Candidate {
  EndPortId port;
  std::uint32_t host = 0;
  PortNumber number = 1;
  std::string node;  ///< empty: none
  std::string adapter;
  std::uint32_t rail = 0;
  std::string_view text;  ///< description, or the name that replaces it
};

namespace {

struct NumberedFirst {
  bool operator()(const std::pair<std::string, PortNumber>& a,
                  const std::pair<std::string, PortNumber>& b) const {
    const int order = compare_with_numbers(a.first, b.first);
    return order != 0 ? order < 0 : a < b;
  }
};

std::string family_of(std::string_view word) {
  std::string family;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (!is_digit(word[i])) {
      family += word[i];
    } else if (i == 0 || !is_digit(word[i - 1])) {
      family += '#';
    }
  }
  return family;
}

/// The source of a text. The first word of a description of many words ("leaf 1 host 3") need not
/// be the node; that of a configured name is.
enum class TextSource : std::uint8_t { description, name_map };

/// The words of node and adapter; the first is empty if the text names no node.
std::pair<std::string, std::string> text_of(std::string_view text, TextSource source,
                                            const NodeNameRule& rule) {
  if (rule.is_expression()) {
    const auto match = rule.match(text);
    if (!match || is_installer_name(host_part(match->node))) return {};
    return {host_part(match->node), match->adapter};
  }
  if (names_no_node(text)) return {};
  if (const auto words = node_and_adapter(text)) {
    return {host_part(words->node), std::string(words->adapter)};
  }
  std::string_view rest = without_indent(text);
  const std::string_view word = take_word(rest);
  rest = trimmed(rest);
  if (source == TextSource::description && !rest.empty()) return {};
  return {host_part(word), std::string(rest)};
}

void add_unnamed(NodeRails::Unnamed& unnamed, std::string_view text, const EndPort& port) {
  if (unnamed.count++ == 0) unnamed.example = fmt::format("'{}' ({})", excerpt(text), port.name);
}

std::string rail_word(const std::string& adapter, PortNumber port) {
  if (port == 1) return adapter;
  return adapter.empty() ? fmt::format("{}", port) : fmt::format("{}/{}", adapter, port);
}

}  // namespace

NodeRails::NodeRails(const Fabric& fabric, const NodeNameRule& rule, const NodeNameMap& names) {
  std::vector<Candidate> candidates;
  for (const EndPortId e : fabric.endpoints()) {
    const EndPort& port = fabric.end_port(e);
    Candidate candidate{.port = e,
                        .host = port.host,
                        .number = port.port,
                        .node = {},
                        .adapter = {},
                        .rail = 0,
                        .text = port.description};
    auto name = names.find(port.node_guid);
    if (name == names.end()) name = names.find(port.port_guid);
    const bool is_mapped = name != names.end();
    if (is_mapped) candidate.text = name->second;
    std::tie(candidate.node, candidate.adapter) =
        text_of(candidate.text, is_mapped ? TextSource::name_map : TextSource::description, rule);
    candidates.push_back(std::move(candidate));
  }
  number_rails(candidates);
  gather(fabric, candidates);
  count_without_endpoint(fabric);
  std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) {
    const int order = compare_with_numbers(a.name, b.name);
    return order != 0 ? order < 0 : a.name < b.name;
  });
  node_of_port_.assign(fabric.end_port_count(), no_index);
  index();
}

void NodeRails::number_rails(std::vector<Candidate>& candidates) {
  using Word = std::pair<std::string, PortNumber>;
  std::map<std::string, std::map<Word, std::uint32_t, NumberedFirst>> families;
  for (const Candidate& each : candidates) {
    if (!each.node.empty())
      families[family_of(each.adapter)].try_emplace({each.adapter, each.number}, 0);
  }
  for (auto& [family, words] : families) {
    std::uint32_t number = 0;
    for (auto& [word, rail] : words) rail = number++;
  }
  for (Candidate& each : candidates) {
    if (!each.node.empty())
      each.rail = families[family_of(each.adapter)].at({each.adapter, each.number});
  }
}

void NodeRails::gather(const Fabric& fabric, std::vector<Candidate>& candidates) {
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.node, a.rail, a.number, a.port) < std::tie(b.node, b.rail, b.number, b.port);
  });
  std::map<std::uint32_t, std::vector<const Candidate*>> apart;  // by host
  for (auto first = candidates.begin(); first != candidates.end();) {
    const auto last = std::find_if(first, candidates.end(),
                                   [&](const Candidate& each) { return each.node != first->node; });
    const auto twin = std::adjacent_find(first, last, [](const Candidate& a, const Candidate& b) {
      return std::tie(a.adapter, a.number) == std::tie(b.adapter, b.number) && a.host != b.host;
    });
    if (first->node.empty() || twin != last) {
      for (auto each = first; each != last; ++each) {
        apart[each->host].push_back(&*each);
        add_unnamed(first->node.empty() ? without_name_ : repeated_, each->text,
                    fabric.end_port(each->port));
      }
    } else {
      Node node{.name = first->node, .is_named = true, .rails = {}};
      for (auto each = first; each != last; ++each) {
        node.rails.push_back({each->rail, each->port, rail_word(each->adapter, each->number)});
      }
      nodes_.push_back(std::move(node));
    }
    first = last;
  }
  for (const auto& [host, ports] : apart) {
    Node node{.name = fabric.end_port(ports.front()->port).name, .is_named = false, .rails = {}};
    for (const Candidate* each : ports) {
      node.rails.push_back(
          {static_cast<std::uint32_t>(node.rails.size()), each->port, rail_word({}, each->number)});
    }
    nodes_.push_back(std::move(node));
  }
}

void NodeRails::count_without_endpoint(const Fabric& fabric) {
  const auto ports = static_cast<std::uint32_t>(fabric.end_port_count());
  for (std::uint32_t first = 0, last = 0; first < ports; first = last) {
    const EndPort& adapter = fabric.end_port(EndPortId(first));
    bool has_endpoint = false;
    while (last < ports && fabric.end_port(EndPortId(last)).host == adapter.host) {
      has_endpoint = fabric.is_endpoint(EndPortId(last++)) || has_endpoint;
    }
    if (!has_endpoint && adapter.kind == EndPortKind::channel_adapter) {
      add_unnamed(without_endpoint_, adapter.description, adapter);
    }
  }
}

void NodeRails::index() {
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    // A node may have the name that the topology gave to another.
    const std::string wanted = node.name;
    for (std::uint32_t copy = 2; !by_name_.try_emplace(node.name, n).second; ++copy) {
      node.name = fmt::format("{}#{}", wanted, copy);
    }
    for (const Rail& rail : node.rails) node_of_port_[rail.port.value()] = n;
  }
}

std::vector<std::string> NodeRails::warnings() const {
  constexpr std::string_view remedy =
      "each of their adapters counts as a separate node, without a name for other programs; name "
      "the nodes with --node-name-map, or state with --node-names which part of a description is "
      "the node";
  std::vector<std::string> found;
  if (without_name_.count != 0) {
    found.push_back(
        fmt::format("{} end port(s) have a description that names no node, such as {}: "
                    "{}",
                    without_name_.count, without_name_.example, remedy));
  }
  if (repeated_.count != 0) {
    found.push_back(
        fmt::format("{} end port(s) of different adapters have the same description, such as {}: "
                    "{}",
                    repeated_.count, repeated_.example, remedy));
  }
  if (without_endpoint_.count != 0) {
    found.push_back(
        fmt::format("{} adapter(s) have no port with a LID and a cable to a switch, such as {}: "
                    "they are ignored",
                    without_endpoint_.count, without_endpoint_.example));
  }
  return found;
}

std::optional<std::uint32_t> NodeRails::node_of(EndPortId port) const {
  const std::uint32_t node = node_of_port_[port.value()];
  return node == no_index ? std::nullopt : std::optional(node);
}

std::optional<std::uint32_t> NodeRails::find(std::string_view name) const {
  auto found = by_name_.find(std::string(name));
  if (found == by_name_.end()) found = by_name_.find(host_part(name));
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> NodeRails::similar(std::string_view name, std::size_t most) const {
  constexpr std::size_t longest = 64;  // of compared names
  const std::string wanted = host_part(name.substr(0, longest));
  std::vector<std::pair<std::size_t, std::uint32_t>> by_distance;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    by_distance.emplace_back(
        edit_distance(wanted, std::string_view(nodes_[n].name).substr(0, longest)), n);
  }
  std::sort(by_distance.begin(), by_distance.end());
  std::vector<std::string> names;
  for (const auto& [distance, n] : by_distance) {
    if (names.size() == most || distance > std::max<std::size_t>(2, wanted.size() / 2)) break;
    names.push_back(nodes_[n].name);
  }
  return names;
}

std::string NodeRails::nearest_text(std::string_view name) const {
  std::string words;
  for (const std::string& each : similar(name)) {
    words +=
        fmt::format("{}'{}'", words.empty() ? "; the nearest names are " : ", ", excerpt(each));
  }
  return words;
}

std::string NodeRails::label(EndPortId port) const {
  const Node& node = nodes_[node_of_port_[port.value()]];
  if (node.rails.size() == 1) return node.name;
  const auto rail = std::find_if(node.rails.begin(), node.rails.end(),
                                 [port](const Rail& each) { return each.port == port; });
  return node.name + '/' + (rail->word.empty() ? "1" : rail->word);
}

std::optional<EndPortId> NodeRails::find_port(std::string_view label) const {
  if (const auto node = find(label)) {
    const Node& found = nodes_[*node];
    return found.rails.size() == 1 ? std::optional(found.rails.front().port) : std::nullopt;
  }
  const std::size_t slash = label.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto node = find(label.substr(0, slash));
  if (!node) return std::nullopt;
  const std::string_view word = label.substr(slash + 1);
  for (const Rail& rail : nodes_[*node].rails) {
    if (rail.word == word || (rail.word.empty() && word == "1")) return rail.port;
  }
  return std::nullopt;
}

}  // namespace pssp
