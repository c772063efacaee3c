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

/// Whether a name, as host_part() gives it, is one that installers leave behind and many nodes may
/// have: "localhost", "(none)", the name of an operating system.
bool is_installer_name(std::string_view name);

/// Whether a node description names no node: it is empty or blank, is a GUID ("H-0002c90300001001",
/// which stands for an empty one), names the product alone, as adapters do that no one has named,
/// or begins with a word that installers leave behind. The rule of all programs that print names of
/// nodes, or match by them.
bool names_no_node(std::string_view description);

/// The node description; where there is none, the name in the topology file.
const std::string& description_or_name(const Switch& node);
const std::string& description_or_name(const EndPort& port);

/// What a host is called: its description, or its name in the topology file where that names no
/// node.
std::string_view telling_name(const EndPort& port);

/// The node and its adapter in a text of two words ("node12 mlx5_0", "node12 HCA-2"), or of one and
/// the product ("node12 MT4119 ConnectX5").
struct NodeAndAdapter {
  std::string_view node, adapter;
};
/// Nothing where there are more words or fewer. Holds parts of the text.
std::optional<NodeAndAdapter> node_and_adapter(std::string_view text);

}  // namespace pssp
