#pragma once

// Groups end ports into nodes (machines) and rails (ports with the same role on all machines), for
// all programs.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/nodes/node_name_map.h"
#include "fabric/nodes/node_name_rule.h"

namespace pssp {

/// Nodes of a fabric, with their end ports by rail. Immutable; does not refer to the fabric.
///
/// The description of an adapter determines its node: the first of two words, a single word, a word
/// before the product's, or the first group of the rule's expression, compared in lower case and up
/// to the first dot. In a name from a node-name map, the first word is always the node. If a text
/// names no node (names_no_node()), the adapter is a separate node with its name in the topology.
/// So is each of several adapters with equal texts ("node1 HCA-1" twice): equal texts never merge
/// two nodes.
///
/// A rail is an adapter's word and port. Words that differ by their numbers form a family, and a
/// rail's number is the rank of the word in its family, over the whole fabric: HCA-1 to HCA-8 are
/// rails 0 to 7, even on a node without HCA-5, and so are mlx5_0 to mlx5_7.
class NodeRails {
 public:
  struct Rail {
    std::uint32_t number = 0;
    EndPortId port;
    std::string word;  ///< "mlx5_0", "mlx5_0/2" for port 2; for single words empty or "2"
  };
  struct Node {
    std::string name;         ///< unique
    bool is_named = true;     ///< by a description; else by the topology file
    std::vector<Rail> rails;  ///< by number; for equal numbers by port; at least one
  };

  /// Only endpoints of the fabric are part of nodes. A name in `names` (by GUID of the node or of
  /// the port) replaces the description. O(end ports log end ports).
  explicit NodeRails(const Fabric& fabric, const NodeNameRule& rule = {},
                     const NodeNameMap& names = {});

  /// In the order of names, with numbers by value.
  std::span<const Node> nodes() const noexcept { return nodes_; }
  /// Index of the node of an end port; none if it is not an endpoint.
  std::optional<std::uint32_t> node_of(EndPortId port) const;
  /// By exact name, in the form of host_part() or of nodes().
  std::optional<std::uint32_t> find(std::string_view name) const;
  /// Names similar to one that find() does not know, nearest first, at most `most`.
  std::vector<std::string> similar(std::string_view name, std::size_t most = 3) const;
  /// "; the nearest names are 'a', 'b'" for the end of a message; empty if none is similar.
  std::string nearest_text(std::string_view name) const;

  /// "node12", or "node12/mlx5_0" if the node has several ports: accepted by find_port().
  std::string label(EndPortId port) const;
  /// The port with such a label; none if none or several match.
  std::optional<EndPortId> find_port(std::string_view label) const;

  /// End ports or adapters without a named node, with an example.
  struct Unnamed {
    std::uint32_t count = 0;
    std::string example;
  };
  /// Those whose text names no node, and those with the text of another adapter.
  const Unnamed& without_name() const noexcept { return without_name_; }
  const Unnamed& repeated() const noexcept { return repeated_; }
  /// Adapters of hosts that belong to no node, because none of their ports is an endpoint (no cable
  /// to a switch, or no LID).
  const Unnamed& without_endpoint() const noexcept { return without_endpoint_; }
  /// Describes all of these with advice; empty if all adapters belong to named nodes.
  std::vector<std::string> warnings() const;

 private:
  struct Candidate;
  void number_rails(std::vector<Candidate>& candidates);
  void gather(const Fabric& fabric, std::vector<Candidate>& candidates);
  void count_without_endpoint(const Fabric& fabric);
  void index();

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> node_of_port_;  // by EndPortId
  std::unordered_map<std::string, std::uint32_t> by_name_;
  Unnamed without_name_, repeated_, without_endpoint_;
};

}  // namespace pssp
