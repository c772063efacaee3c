#pragma once

// Derives the name of a node from an adapter's description.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace pssp {

/// The normalized name of a host: in lower case (ASCII), up to the first dot.
std::string host_part(std::string_view name);

/// How the description of an adapter becomes the name of its node: its first word, or the text that
/// matches the first group of a regular expression (ECMAScript); in lower case, up to the first
/// dot. An adapter whose description does not match, or names no node (node_description.h), has no
/// name. A second group identifies the adapter within the node (node_rails.h).
class NodeNameRule {
 public:
  /// The first word.
  NodeNameRule() = default;
  /// Empty: the first word. Throws Error(usage) unless it is empty, or a regular expression with
  /// one or two groups.
  explicit NodeNameRule(const std::string& expression);

  /// Empty: none.
  std::string name_of(std::string_view description) const;

  /// Whether there is an expression; without one, node_rails.h requires more than a first word.
  bool is_expression() const { return expression_ != nullptr; }
  /// Both groups, unchanged; if the second one is missing, the description without the first. None
  /// if the expression does not match. Requires is_expression().
  struct Match {
    std::string node, adapter;
  };
  std::optional<Match> match(std::string_view description) const;

 private:
  struct Expression;
  // <regex> takes seconds to compile in each file that includes it.
  std::shared_ptr<const Expression> expression_;
};

}  // namespace pssp
