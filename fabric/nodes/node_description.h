#pragma once

// Interprets node descriptions: the name of a node, or only its product.

#include <optional>
#include <string>
#include <string_view>

#include "fabric/fabric.h"

namespace pssp {

/// Compares texts with numbers by value, for any number of digits: negative if a comes first, 0 if
/// they differ only by leading zeros. O(size).
int compare_with_numbers(std::string_view a, std::string_view b) noexcept;

/// Whether a name from host_part() is a default of installers that many nodes may have:
/// "localhost", "(none)", the name of an operating system.
bool is_installer_name(std::string_view name);

/// Whether a node description names no node: it is empty or blank, is a GUID ("H-0002c90300001001",
/// which stands for an empty one), names only the product, as unnamed adapters do, or begins with a
/// default word of installers. Used by all programs that print or match names of nodes.
bool names_no_node(std::string_view description);

/// The node description or, if it is empty, the name in the topology file.
const std::string& description_or_name(const Switch& node);
const std::string& description_or_name(const EndPort& port);

/// How texts name a port: "leaf 3 port 17".
std::string port_label(std::string_view node, PortNumber number);

/// The name of a host: its description, or its name in the topology file if the description names
/// no node.
std::string_view telling_name(const EndPort& port);

/// The node and its adapter in a text of two words ("node12 mlx5_0", "node12 HCA-2"), or of one
/// word and the product ("node12 MT4119 ConnectX5").
struct NodeAndAdapter {
  std::string_view node, adapter;
};
/// None if the number of words differs. Refers to the text.
std::optional<NodeAndAdapter> node_and_adapter(std::string_view text);

}  // namespace pssp
