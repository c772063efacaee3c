#pragma once

// What a node and a rail are: which end ports are one machine's, and which of them play the same
// part on every machine. One rule for all programs that speak of nodes.

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

/// Nodes of a fabric, with their end ports by rail. Immutable; holds nothing of the fabric.
///
/// A node is what the description of its adapters says: the first of two words, or a single word,
/// or a word before the product's, or the first group of the rule's expression, compared in small
/// letters and up to the first dot. The first word of a name from a node-name map is the node
/// however many follow. Where a text names no node (names_no_node()), the adapter is a node of its
/// own, under the name that the topology gives it. So is each of several adapters that cannot be
/// told apart ("node1 HCA-1" twice): two nodes never become one because their texts are equal.
///
/// A rail is an adapter's word and port. Words that differ by their numbers are of one family, and
/// a rail's number is the place of the word in its family, over the whole fabric: HCA-1 to HCA-8
/// are rails 0 to 7 of a node that lacks HCA-5, too, and so are mlx5_0 to mlx5_7 beside them.
class NodeRails {
 public:
  struct Rail {
    std::uint32_t number = 0;
    EndPortId port;
    std::string word;  ///< "mlx5_0", and "mlx5_0/2" of the second port; of single words empty or
                       ///< "2"
  };
  struct Node {
    std::string name;         ///< no other node's
    bool is_named = true;     ///< by a description; else by the topology file
    std::vector<Rail> rails;  ///< by number; in one number by port; at least one
  };

  /// Endpoints of the fabric alone are part of nodes. A name of `names` (by node GUID, or by the
  /// GUID of the port) stands for the description. O(end ports log end ports).
  explicit NodeRails(const Fabric& fabric, const NodeNameRule& rule = {},
                     const NodeNameMap& names = {});

  /// In the order of names, numbers in them by value.
  std::span<const Node> nodes() const noexcept { return nodes_; }
  /// Index of the node of an end port; nothing where it is no endpoint.
  std::optional<std::uint32_t> node_of(EndPortId port) const;
  /// By name, as host_part() has it, or as nodes() has it; nothing is guessed.
  std::optional<std::uint32_t> find(std::string_view name) const;
  /// Names that resemble one that find() does not know, nearest first, `most` at most.
  std::vector<std::string> similar(std::string_view name, std::size_t most = 3) const;
  /// "; the nearest names are 'a', 'b'", to end a message with; empty where none resembles it.
  std::string nearest_text(std::string_view name) const;

  /// "node12", or "node12/mlx5_0" where the node has several ports: what find_port() takes.
  std::string label(EndPortId port) const;
  /// The port of such a label; nothing where none or several fit.
  std::optional<EndPortId> find_port(std::string_view label) const;

  /// End ports or adapters that are no named node's, with the text of one of them.
  struct Unnamed {
    std::uint32_t count = 0;
    std::string example;
  };
  /// Those whose text names no node, and those whose text is another adapter's, too.
  const Unnamed& without_name() const noexcept { return without_name_; }
  const Unnamed& repeated() const noexcept { return repeated_; }
  /// Adapters of hosts that are part of no node: none of their ports is an endpoint, for lack of a
  /// cable to a switch or of a LID.
  const Unnamed& without_endpoint() const noexcept { return without_endpoint_; }
  /// All of these in words, with what to do; empty where all adapters are of nodes with names.
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
