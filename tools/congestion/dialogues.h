#pragma once

// What cc_apply and cc_query have to say to one node.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/congestion/cc_nodes.h"
#include "tools/congestion/node_settings.h"
#include "wire/exchange.h"

namespace pssp {

/// A dialogue with a node; `failure()` is why it ended early, empty when it did not.
class NodeDialogue : public Dialogue {
 public:
  explicit NodeDialogue(const CcNode& node) : node_(node) {}

  const CcNode& node() const noexcept { return node_; }
  const std::string& failure() const noexcept { return failure_; }
  bool failed() const noexcept { return !failure_.empty(); }

  Lid lid() const override { return node_.lid; }
  void fail(const std::string& why) override { failure_ = why; }

 private:
  const CcNode& node_;
  std::string failure_;
};

/// Gives a node the set. An adapter is asked first whether it holds a table of that length, and
/// gets nothing if it does not. The set must outlive the dialogue.
class ApplyDialogue final : public NodeDialogue {
 public:
  ApplyDialogue(const CcNode& node, const CongestionParameters& parameters);

  std::optional<CcRequest> next() override;
  void take(const CcData& answer) override;
  /// Settings that the node has taken.
  std::size_t settings_taken() const noexcept { return taken_; }

 private:
  const CongestionParameters& parameters_;
  std::vector<CcRequest> requests_;
  std::size_t taken_ = 0;
  bool asks_capacity_;
};

/// Reads what a node has.
class QueryDialogue final : public NodeDialogue {
 public:
  using NodeDialogue::NodeDialogue;

  std::optional<CcRequest> next() override;
  void take(const CcData& answer) override;
  /// Whole when the dialogue did not fail.
  const NodeReading& reading() const noexcept { return reading_; }

 private:
  enum class Step { setting, table, done };

  void take_block(const CcData& answer);

  Step step_ = Step::setting;
  NodeReading reading_;
};

}  // namespace pssp
