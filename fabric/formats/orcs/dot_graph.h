#pragma once

// Reader of the dot language: nodes and edges with their attributes, whatever they mean.
//
// It is our own because the ones at hand break down on hostile files: Boost.Graph's read_graphviz()
// recurses into nested braces until the stack ends, and says no line number; libcgraph stops in the
// middle of a long chain and reports success. Tests compare it with Boost.Graph.

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

/// Views point into the text, which must outlive the object, or into `kept`.
struct DotGraph {
  struct Node {
    std::string_view name;
    std::size_t line = 0;          ///< of its first occurrence
    std::vector<DotField> fields;  ///< in the order of the file
  };
  /// Numbers of nodes, in order of first occurrence.
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

  /// The attribute as the edge itself states it, the last statement if there are several.
  std::optional<std::string_view> own(const Edge& edge, std::string_view attribute) const;
  /// Likewise, or as `edge [...]` above states it.
  std::optional<std::string_view> value(const Edge& edge, std::string_view attribute) const;
  std::optional<std::string_view> value(const Node& node, std::string_view attribute) const;
};

/// Throws Error(unreadable_input) with file:line. Attributes of the graph and defaults of nodes are
/// read over, so are ports of nodes ("a:1"). Refused: subgraphs as ends of edges, more than 64
/// levels of subgraphs. A NUL byte at the very end, which ORCS's files may have, is no error.
/// O(size).
DotGraph parse_dot_graph(std::string_view text, std::string_view name);

}  // namespace pssp
