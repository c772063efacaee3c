#include "monitor/jobs/node_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "base/error.h"
#include "base/shown.h"

// Descriptions are what administrators made of them: "node12 HCA-1", "NODE12 mlx5_0",
// "node12.cluster.example HCA-2". The scheduler's name of that node is node12, or has the domain
// behind it. Letters are those of ASCII: names of hosts have no others.

namespace pssp {
namespace {

std::string host_part(std::string_view name) {
  std::string host(name.substr(0, name.find('.')));
  for (char& c : host) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return host;
}

bool ends_word(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; }

std::string_view first_word(std::string_view text) {
  const auto* begin = std::find_if_not(text.begin(), text.end(), ends_word);
  const auto* end = std::find_if(begin, text.end(), ends_word);
  return text.substr(static_cast<std::size_t>(begin - text.begin()),
                     static_cast<std::size_t>(end - begin));
}

}  // namespace

struct NodeNameRule::Expression {
  std::regex regex;
};

NodeNameRule::NodeNameRule(const std::string& expression) {
  if (expression.empty()) return;
  constexpr const char* expected =
      "expected an ECMAScript regular expression with one group, e.g. ^([^ ]+) HCA-[0-9]+$";
  try {
    expression_ = std::make_shared<const Expression>(
        Expression{std::regex(expression, std::regex::ECMAScript)});
  } catch (const std::regex_error&) {
    throw Error(ErrorKind::usage,
                fmt::format("node_name_rule '{}' is none: {}", shown(expression), expected));
  }
  if (expression_->regex.mark_count() != 1) {
    throw Error(ErrorKind::usage,
                fmt::format("node_name_rule '{}' has {} groups: {}", shown(expression),
                            expression_->regex.mark_count(), expected));
  }
}

std::string NodeNameRule::name_of(std::string_view description) const {
  if (!expression_) return host_part(first_word(description));
  // Zero bytes at the end are how nodes fill up.
  description = description.substr(0, description.find_last_not_of('\0') + 1);
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_search(description.begin(), description.end(), match, expression_->regex))
    return {};
  return host_part(match[1].str());
}

NodeNames::NodeNames(const FabricMap& map, const NodeNameRule& rule) {
  for (std::uint32_t node = 0; node < map.nodes.size(); ++node) {
    if (map.nodes[node].kind != NodeKind::channel_adapter) continue;
    std::string name = rule.name_of(map.nodes[node].description);
    if (!name.empty()) nodes_[std::move(name)].push_back(node);
  }
}

std::span<const std::uint32_t> NodeNames::find(std::string_view name) const {
  const auto found = nodes_.find(host_part(name));
  return found == nodes_.end() ? std::span<const std::uint32_t>() : std::span(found->second);
}

JobPlace place_of(const Job& job, const NodeNames& names) {
  JobPlace place;
  for (const std::string& name : job.nodes) {
    const auto found = names.find(name);
    place.nodes.insert(place.nodes.end(), found.begin(), found.end());
    if (found.empty()) place.not_found.push_back(name);
  }
  std::sort(place.nodes.begin(), place.nodes.end());
  place.nodes.erase(std::unique(place.nodes.begin(), place.nodes.end()), place.nodes.end());
  return place;
}

}  // namespace pssp
