// Administrators choose descriptions: "node12 HCA-1", "NODE12 mlx5_0", "node12.cluster.example
// HCA-2". The scheduler's name of that node is node12, possibly followed by the domain. Only ASCII
// letters are considered, because host names have no others.

#include "fabric/nodes/node_name_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

bool ends_word(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; }

std::string_view first_word(std::string_view text) {
  const auto* begin = std::find_if_not(text.begin(), text.end(), ends_word);
  const auto* end = std::find_if(begin, text.end(), ends_word);
  return text.substr(static_cast<std::size_t>(begin - text.begin()),
                     static_cast<std::size_t>(end - begin));
}

/// Nodes pad descriptions with zero bytes.
std::string_view without_padding(std::string_view description) {
  return description.substr(0, description.find_last_not_of('\0') + 1);
}

}  // namespace

std::string host_part(std::string_view name) {
  std::string host(name.substr(0, name.find('.')));
  for (char& c : host) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return host;
}

struct NodeNameRule::Expression {
  std::regex regex;
};

NodeNameRule::NodeNameRule(const std::string& expression) {
  if (expression.empty()) return;
  constexpr const char* expected =
      "expected an ECMAScript regular expression with one group, the node, or two groups, the node "
      "and its adapter, e.g. ^([^ ]+) (HCA-[0-9]+)$";
  try {
    expression_ = std::make_shared<const Expression>(
        Expression{std::regex(expression, std::regex::ECMAScript)});
  } catch (const std::regex_error&) {
    throw Error(ErrorKind::usage,
                fmt::format("expression for node names '{}' is not a regular expression: {}",
                            excerpt(expression), expected));
  }
  const unsigned groups = expression_->regex.mark_count();
  if (groups != 1 && groups != 2) {
    throw Error(ErrorKind::usage, fmt::format("expression for node names '{}' has {} groups: {}",
                                              excerpt(expression), groups, expected));
  }
}

std::optional<NodeNameRule::Match> NodeNameRule::match(std::string_view description) const {
  description = without_padding(description);
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_search(description.begin(), description.end(), found, expression_->regex))
    return std::nullopt;
  std::string adapter = found.size() > 2 ? found[2].str() : std::string(description);
  if (found.size() <= 2) {
    adapter.erase(static_cast<std::size_t>(found.position(1)),
                  static_cast<std::size_t>(found.length(1)));
  }
  return Match{found[1].str(), std::string(trimmed(adapter))};
}

std::string NodeNameRule::name_of(std::string_view description) const {
  if (!expression_) {
    description = without_padding(description);
    return names_no_node(description) ? std::string() : host_part(first_word(description));
  }
  const std::optional<Match> found = match(description);
  std::string name = found ? host_part(found->node) : std::string();
  return is_installer_name(name) ? std::string() : name;
}

}  // namespace pssp
