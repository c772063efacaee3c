#pragma once

// Reads the dot language: nodes and edges with their attributes, without interpreting them.
//
// The available libraries fail on hostile files: Boost.Graph's read_graphviz() recurses into nested
// braces until the stack overflows, and reports no line number; libcgraph stops in the middle of a
// long chain and reports success. Tests compare this reader with Boost.Graph.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// A name and its value, without quotes.
struct DotField {
  std::string_view name, value;
};

/// Views refer to the text, which must outlive the object, or to `kept`.
struct DotGraph {
  struct Node {
    std::string_view name;
    std::size_t line = 0;          ///< of its first occurrence
    std::vector<DotField> fields;  ///< in the order of the file
  };
  /// Indices of nodes, in order of first occurrence.
  struct Edge {
    std::uint32_t tail = 0, head = 0;
    std::size_t line = 0;
    std::uint32_t first_field = 0, field_count = 0;  ///< its own attributes, in `fields`
    std::uint32_t defaults = 0;                      ///< those of `edge [...]`, in `edge_defaults`
    bool is_alone = true;                            ///< false: its statement has several edges
  };

  bool is_directed = true;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<DotField> fields;
  std::vector<std::vector<DotField>> edge_defaults;
  std::deque<std::string> kept;

  /// The edge's own attribute; the last one if it is repeated.
  std::optional<std::string_view> own(const Edge& edge, std::string_view attribute) const;
  /// The same, or the default of a preceding `edge [...]`.
  std::optional<std::string_view> value(const Edge& edge, std::string_view attribute) const;
  std::optional<std::string_view> value(const Node& node, std::string_view attribute) const;
};

/// Throws Error(unreadable_input) with file:line. Ignores attributes of the graph, defaults of
/// nodes, and ports of nodes ("a:1"). Rejects subgraphs as ends of edges, and more than 64 levels
/// of subgraphs. A NUL byte at the very end, as in ORCS's files, is permitted. O(size).
DotGraph parse_dot_graph(std::string_view text, std::string_view name);

}  // namespace pssp
