#pragma once

// What a node description says: of a node, or of the product alone.

#include <optional>
#include <string>
#include <string_view>

#include "fabric/fabric.h"

namespace pssp {

/// Which of two texts comes first when numbers in them count by value, however many digits they
/// have: below 0 when a does, 0 when they differ by leading zeros alone. O(size).
int compare_with_numbers(std::string_view a, std::string_view b) noexcept;

/// Whether a node description names the product instead of the node, as adapters do that nobody has
/// told their name; so does an empty one.
bool names_only_the_product(std::string_view description);

/// The node description; where there is none, the name in the topology file.
const std::string& description_or_name(const Switch& node);
const std::string& description_or_name(const EndPort& port);

/// What a host is called: its description, or its name where that says nothing of it.
std::string_view telling_name(const EndPort& port);

/// The node and its adapter in a text of exactly two words ("node12 mlx5_0", "node12 HCA-2").
struct NodeAndAdapter {
  std::string_view node, adapter;
};
/// Nothing where there are more words or fewer. Holds parts of the text.
std::optional<NodeAndAdapter> node_and_adapter(std::string_view text);

}  // namespace pssp
