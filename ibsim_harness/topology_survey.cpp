// Nodes are counted as ibsim counts them, because ibsim ends if its limits are too small. Islands
// are found by union-find.

#include "ibsim_harness/topology_survey.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/disjoint_sets.h"
#include "base/text_lines.h"
#include "fabric/adapter_kind.h"

namespace pssp {
namespace {

constexpr std::size_t longest_host_name = 31;

/// Lines of any text, including binary data.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    whole_ = rest_.substr(0, end == std::string_view::npos ? end : end + 1);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  /// The line of the last next(), with its line end.
  std::string_view whole() const { return whole_; }

 private:
  std::string_view rest_, whole_;
};

/// The first text in double quotes; empty if there is none.
std::string_view quoted(std::string_view line) {
  const std::size_t begin = line.find('"');
  if (begin == std::string_view::npos) return {};
  return line.substr(begin + 1, line.find('"', begin + 1) - begin - 1);
}

struct NodeHead {
  bool is_switch = false, is_router = false;
  unsigned ports = 0;
};

/// The head of a node: its type, a blank, and its number of ports.
std::optional<NodeHead> node_head(std::string_view line) {
  NodeHead head;
  if (take(line, "Switch")) {
    head.is_switch = true;
  } else if (take(line, "Rt")) {
    head.is_router = true;
  } else if (!take(line, "Hca") && !take(line, "Ca")) {
    return std::nullopt;
  }
  if (line.empty()) return std::nullopt;
  // If tabs were lost.
  const bool has_lost_blank = is_digit(line.front()) && line.find('"') != std::string_view::npos;
  if (!has_lost_blank && !is_blank(line.front())) return std::nullopt;
  line = without_indent(line);
  head.ports = static_cast<unsigned>(take_number(line).value_or(0));
  return head;
}

/// The port at the front of a line `[1]...`.
std::optional<unsigned> port_of(std::string_view line) {
  if (!take(line, "[")) return std::nullopt;
  const std::optional<std::uint64_t> port = take_number(line);
  if (!port || !line.starts_with(']')) return std::nullopt;
  return static_cast<unsigned>(*port);
}

/// Nodes by name, and their islands.
class Islands {
 public:
  std::uint32_t add(std::string_view name) {
    const auto [found, is_new] = numbers_.try_emplace(std::string(name), 0U);
    if (is_new) {
      found->second = nodes_.add();
      size_.push_back(1);
    }
    return found->second;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    const std::size_t size = size_of(a) + size_of(b);
    if (nodes_.unite(a, b)) size_[nodes_.root(a)] = size;
  }
  std::size_t size_of(std::uint32_t node) { return size_[root(node)]; }
  /// A node that represents its island.
  std::uint32_t root(std::uint32_t node) { return nodes_.root(node); }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  DisjointSets nodes_{0};
  std::vector<std::size_t> size_;  // by the root of an island
};

struct Candidate {
  std::string name;
  std::uint32_t node;
};

std::string host_of(const std::vector<Candidate>& candidates, Islands& islands) {
  std::string host;
  std::size_t largest = 1;
  for (const Candidate& candidate : candidates) {
    const std::size_t size = islands.size_of(candidate.node);
    if (size <= largest) continue;
    largest = size;
    host = candidate.name;
  }
  return host;
}

/// Lines that belong only to the following node.
bool is_about_next_node(std::string_view line) {
  line = without_indent(line);
  for (const std::string_view word :
       {"vendid=", "devid=", "sysimgguid=", "switchguid=", "hcaguid", "caguid=", "rtguid="}) {
    if (line.starts_with(word)) return true;
  }
  return false;
}

/// Islands with their switches and adapters.
class Subnets {
 public:
  explicit Subnets(std::string_view text) {
    std::optional<std::uint32_t> current;
    Lines lines(text);
    while (const std::optional<std::string_view> line = lines.next()) {
      if (const std::optional<NodeHead> head = node_head(*line)) {
        current = islands_.add(quoted(*line));
        nodes_.emplace_back(*current, head->is_switch);
        continue;
      }
      const std::string_view far = quoted(*line);
      if (current && port_of(*line) && !far.empty()) islands_.unite(*current, islands_.add(far));
    }
    for (const auto& [node, is_switch] : nodes_) {
      Kinds& kinds = kinds_[islands_.root(node)];
      (is_switch ? kinds.has_switches : kinds.has_adapters) = true;
    }
  }

  /// For a node, given by name.
  std::uint32_t island(std::string_view name) { return islands_.root(islands_.add(name)); }
  bool is_subnet(std::uint32_t island) {
    const Kinds& kinds = kinds_[island];
    return kinds.has_switches && kinds.has_adapters;
  }

 private:
  struct Kinds {
    bool has_switches = false, has_adapters = false;
  };

  Islands islands_;
  std::vector<std::pair<std::uint32_t, bool>> nodes_;
  std::unordered_map<std::uint32_t, Kinds> kinds_;
};

}  // namespace

TopologySurvey survey_topology(std::string_view text) {
  TopologySurvey result;
  Islands islands;
  std::vector<Candidate> candidates;
  std::string current;
  bool is_attachable = false;
  Lines lines(text);
  while (const std::optional<std::string_view> line = lines.next()) {
    if (const std::optional<NodeHead> head = node_head(*line)) {
      current = quoted(*line);
      islands.add(current);
      ++result.nodes;
      result.ports += head->ports + (head->is_switch ? 1 : 0);
      ++(head->is_switch ? result.switches : result.adapters);
      is_attachable = !head->is_switch && !head->is_router && current.size() <= longest_host_name &&
                      adapter_kind(*line) == EndPortKind::channel_adapter;
      continue;
    }
    const std::optional<unsigned> port = port_of(*line);
    const std::string_view far = quoted(*line);
    if (!port || current.empty() || far.empty()) continue;
    const std::uint32_t node = islands.add(current);
    islands.unite(node, islands.add(far));
    if (is_attachable && *port == 1) candidates.push_back({current, node});
  }
  result.host = host_of(candidates, islands);
  return result;
}

HostFitness fitness_of_host(std::string_view text, std::string_view host) {
  bool is_in_host = false, is_known = false;
  Lines lines(text);
  while (const std::optional<std::string_view> line = lines.next()) {
    if (const std::optional<NodeHead> head = node_head(*line)) {
      is_in_host = quoted(*line) == host;
      if (!is_in_host) continue;
      if (host.size() > longest_host_name) return HostFitness::name_too_long;
      if (head->is_switch) return HostFitness::fit;
      is_known = true;
    } else if (is_in_host && port_of(*line) == 1U && !quoted(*line).empty()) {
      return HostFitness::fit;
    }
  }
  return is_known ? HostFitness::port_not_cabled : HostFitness::unknown;
}

OneSubnet subnet_of(std::string_view text, std::string_view host) {
  OneSubnet one;
  Subnets subnets(text);
  const std::uint32_t own = subnets.island(host);
  const auto is_other = [&](std::string_view name) {
    const std::uint32_t island = subnets.island(name);
    return island != own && subnets.is_subnet(island);
  };
  // Lines that may belong to the following node.
  std::string announcement;
  bool is_left_out = false;
  Lines lines(text);
  while (const std::optional<std::string_view> line = lines.next()) {
    if (is_about_next_node(*line)) {
      announcement += lines.whole();
      continue;
    }
    const std::optional<NodeHead> head = node_head(*line);
    if (head) {
      is_left_out = subnets.is_subnet(own) && is_other(quoted(*line));
      if (!is_left_out) one.text += announcement;
      announcement.clear();
    }
    if (!is_left_out || (!head && !port_of(*line))) {
      one.text += lines.whole();
    } else if (head) {
      ++one.left_out.nodes;
      ++(head->is_switch ? one.left_out.switches : one.left_out.adapters);
    }
  }
  one.text += announcement;
  return one;
}

std::string last_switch_link(std::string_view text) {
  std::unordered_set<std::string> known;
  std::string current, link;
  Lines lines(text);
  while (const std::optional<std::string_view> line = lines.next()) {
    if (const std::optional<NodeHead> head = node_head(*line)) {
      current = head->is_switch ? std::string(quoted(*line)) : std::string();
      if (head->is_switch) known.insert(current);
      continue;
    }
    const std::optional<unsigned> port = port_of(*line);
    const std::string far(quoted(*line));
    if (port && !current.empty() && far != current && known.contains(far))
      link = "\"" + current + "\"[" + std::to_string(*port) + "]";
  }
  return link;
}

}  // namespace pssp
