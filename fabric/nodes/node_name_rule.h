#pragma once

// Which part of an adapter's description is the name of its node.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace pssp {

/// A name of a host as it is compared: in small letters (of ASCII), up to the first dot.
std::string host_part(std::string_view name);

/// How the description of an adapter becomes the name of its node: the first word of it, or what
/// the first group of a regular expression (ECMAScript) matches; in small letters, up to the first
/// dot. An adapter whose description does not match, or names no node (node_description.h), has no
/// name. A second group says which of the
/// node's adapters it is (node_rails.h).
class NodeNameRule {
 public:
  /// The first word.
  NodeNameRule() = default;
  /// Empty: the first word. Throws Error(usage) unless it is that, or a regular expression with one
  /// or two groups.
  explicit NodeNameRule(const std::string& expression);

  /// Empty: none.
  std::string name_of(std::string_view description) const;

  /// Whether there is an expression; without one node_rails.h asks for more than a first word.
  bool is_expression() const { return expression_ != nullptr; }
  /// Both groups, as they stand there; where the second one is missing, all of the description but
  /// the first. Nothing where the expression does not match. Only where is_expression().
  struct Match {
    std::string node, adapter;
  };
  std::optional<Match> match(std::string_view description) const;

 private:
  struct Expression;
  // <regex> takes seconds to compile wherever it is seen.
  std::shared_ptr<const Expression> expression_;
};

}  // namespace pssp
