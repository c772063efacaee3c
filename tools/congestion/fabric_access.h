#pragma once

// What cc_apply and cc_query share on the command line: the topology, which nodes of it, and how
// they are reached.

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/congestion/cc_nodes.h"
#include "tools/congestion/dialogues.h"
#include "wire/exchange.h"

namespace pssp {

struct FabricAccess {
  std::string topology;
  std::vector<std::string> nodes;  ///< those that are wanted; empty: all
  std::string adapter;
  unsigned port = 0;
  std::string cc_key, cc_key_file;
  unsigned timeout_ms = 500;
  unsigned retries = 2;
  unsigned window = 128;
  bool per_node = false;
  bool json = false;

  /// Adds all options but the positional topology. The object must outlive the parsing.
  void add_options(CLI::App& app);

  /// The wanted nodes of the topology. Warnings go to stderr, with the tool's name. Throws
  /// Error(unreadable_input), also when the topology has no LIDs, and Error(usage).
  std::vector<CcNode> load_nodes(const char* tool) const;

  /// The CC_Key of the fabric. Throws Error(usage), Error(unreadable_input).
  std::uint64_t key() const;

  /// Opens the port and holds the dialogues, with a progress line. Throws Error(fabric_access),
  /// Error(usage).
  template <class NodeDialogues>
  void hold(const NodeDialogues& dialogues, const std::string& what) const {
    std::vector<Dialogue*> pointers;
    pointers.reserve(dialogues.size());
    for (const auto& dialogue : dialogues) pointers.push_back(dialogue.get());
    hold_all(pointers, what);
  }

 private:
  void hold_all(std::span<Dialogue* const> dialogues, const std::string& what) const;
  ExchangeOptions exchange_options() const;
};

}  // namespace pssp
