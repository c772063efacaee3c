#include "tests/properties/plan_text.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <regex>
#include <sstream>
#include <utility>

namespace pssp::test {
namespace {

std::string odd_name(std::mt19937_64& random, std::size_t number, bool is_aggregation_node) {
  if (is_aggregation_node) return "Mellanox Technologies Aggregation Node";
  constexpr std::array<std::string_view, 12> shapes{
      "node{} mlx5_0", "n{} \"quoted\" HCA-1", "rack[3] #{}",       "lid {} lmc 2",
      "w=1 s={}",      "Switch 36 \"S-{}\"",   "\xc3\xa4 {}",       "{}",
      "a,b;{}",        "[1] \"H{}\"[1]",       "Ca {} 4xHDR x = y", "a\\b {}"};
  return fmt::format(fmt::runtime(shapes[random() % shapes.size()]), number);
}

/// Writes a plan in the format of ibnetdiscover.
class PlanText {
 public:
  PlanText(const RandomPlan& plan, const std::vector<std::string>& names)
      : plan_(plan), names_(names) {
    for (const PlannedCable& cable : plan.cables) {
      far_[cable.a] = {cable.b, cable.rate};
      far_[cable.b] = {cable.a, cable.rate};
    }
    for (const PlannedLids& lids : plan.lids) lids_[lids.owner] = lids;
  }

  std::string run() {
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) write_node(n);
    return std::move(text_);
  }

 private:
  unsigned lid(PlannedPort port) const {
    const auto found = lids_.find(port);
    return found == lids_.end() ? 0 : found->second.first;
  }
  unsigned lmc(PlannedPort port) const {
    const auto found = lids_.find(port);
    return found == lids_.end() ? 0 : found->second.lmc;
  }

  void write_node(std::size_t n) {
    const PlannedNode& node = plan_.nodes[n];
    const bool is_router = node.kind == EndPortKind::router;
    text_ += fmt::format("\n{}guid=0x{:x}\n{}\t{} \"{}\"\t\t# \"{}\"",
                         node.is_switch ? "switch"
                         : is_router    ? "rt"
                                        : "ca",
                         node.guid,
                         node.is_switch ? "Switch"
                         : is_router    ? "Rt"
                                        : "Ca",
                         node.ports, plan_id(node), names_[n]);
    if (node.is_switch) {
      text_ += fmt::format(" enhanced port 0 lid {} lmc {}", lid({n, 0}), lmc({n, 0}));
    }
    text_ += "\n";
    for (unsigned port = 1; port <= node.ports; ++port) write_port({n, port});
  }

  void write_port(PlannedPort here) {
    const PlannedNode& node = plan_.nodes[here.node];
    const auto found = far_.find(here);
    if (found == far_.end()) {
      if (node.is_switch || lid(here) == 0) return;
      text_ += fmt::format("# port {} ({:x}) lid {} lmc {} without a cable\n", here.port,
                           node.guid + here.port, lid(here), lmc(here));
      return;
    }
    const auto& [there, rate] = found->second;
    const PlannedNode& far = plan_.nodes[there.node];
    text_ += fmt::format("[{}]", here.port);
    if (!node.is_switch) text_ += fmt::format("({:x}) ", node.guid + here.port);
    text_ += fmt::format("\t\"{}\"[{}]", plan_id(far), there.port);
    if (!far.is_switch) text_ += fmt::format("({:x})", far.guid + there.port);
    text_ += " \t\t# ";
    if (!node.is_switch) text_ += fmt::format("lid {} lmc {} ", lid(here), lmc(here));
    const PlannedPort owner = far.is_switch ? PlannedPort{there.node, 0} : there;
    text_ += fmt::format("\"{}\" lid {}", names_[there.node], lid(owner));
    const std::string name = to_string(rate);
    text_ += name.empty() ? "\n" : " " + name + "\n";
  }

  const RandomPlan& plan_;
  const std::vector<std::string>& names_;
  std::map<PlannedPort, std::pair<PlannedPort, LinkRate>> far_;
  std::map<PlannedPort, PlannedLids> lids_;
  std::string text_;
};

}  // namespace

std::vector<std::string> odd_names(const RandomPlan& plan, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> names;
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    names.push_back(odd_name(random, n, plan.nodes[n].kind == EndPortKind::aggregation_node));
  }
  return names;
}

std::string plan_id(const PlannedNode& node) {
  return fmt::format("{}-{:016x}", node.is_switch ? 'S' : 'H', node.guid);
}

PlannedLids lids_at(const RandomPlan& plan, PlannedPort port) {
  for (const PlannedLids& each : plan.lids) {
    if (each.owner == port) return each;
  }
  return {port, 0, 0};
}

std::string net_text(const RandomPlan& plan, const std::vector<std::string>& names) {
  return PlanText(plan, names).run();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t count_of(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

Inventory inventory_of(const std::string& text) {
  static const std::regex head(R"re(^(Switch|Ca|Hca|Rt)\t([0-9]+) "([^"]*)"\s*# "(.*)"([^"]*)$)re");
  static const std::regex port(
      R"re(^\[([0-9]+)\](\([0-9a-f]+\))?\s+"([^"]*)"\[([0-9]+)\][^#]*#\s*(lid [0-9]+ lmc [0-9]+)?.*"([^"]*)$)re");
  static const std::regex uncabled(
      R"re(^# port ([0-9]+) \([0-9a-f]+\) (lid [0-9]+ lmc [0-9]+) .*$)re");
  static const std::regex switch_lid(R"re( port 0 (lid [0-9]+ lmc [0-9]+))re");
  static const std::regex rate(R"re( ([0-9]+x[A-Z0-9]+)$)re");
  Inventory found;
  std::string id;
  const auto add_lid = [&](const std::string& place, const std::string& lid) {
    if (!lid.starts_with("lid 0 ")) found.lids.insert(id + place + " " + lid);
  };
  for (const std::string& line : lines_of(text)) {
    std::smatch match, part;
    if (std::regex_match(line, match, head)) {
      id = match[3].str();
      found.nodes.insert(match[1].str() + " " + match[2].str() + " " + id);
      found.names.insert(id + " " + match[4].str());
      const std::string rest = match[5].str();
      if (std::regex_search(rest, part, switch_lid)) add_lid("", part[1]);
    } else if (std::regex_match(line, match, port)) {
      const std::string rest = match[6].str();
      const std::string speed = std::regex_search(rest, part, rate) ? part[1].str() : "";
      found.cable_ends.insert(fmt::format("{}[{}] {}[{}] {}", id, match[1].str(), match[3].str(),
                                          match[4].str(), speed));
      if (match[5].matched) add_lid("[" + match[1].str() + "]", match[5]);
    } else if (std::regex_match(line, match, uncabled)) {
      add_lid("[" + match[1].str() + "]", match[2]);
    }
  }
  return found;
}

std::size_t warned_of(const std::vector<std::string>& warnings, const std::string& what) {
  const std::regex number("(?:^|: )([0-9]+) " + what);
  std::size_t sum = 0;
  for (const std::string& each : warnings) {
    std::smatch match;
    if (std::regex_search(each, match, number)) sum += std::stoull(match[1]);
  }
  return sum;
}

}  // namespace pssp::test
