#pragma once

// What cc_apply and cc_query have to say to one node.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/congestion/cc_nodes.h"
#include "tools/congestion/node_settings.h"
#include "wire/congestion/cc_mad.h"
#include "wire/dialogue.h"

namespace pssp {

/// A dialogue with a node about congestion control; `failure()` is why it ended early, empty when
/// it did not. The node must outlive it.
class NodeDialogue : public Dialogue {
 public:
  explicit NodeDialogue(const CcNode& node, std::uint64_t cc_key = 0)
      : node_(node), cc_key_(cc_key) {}

  const CcNode& node() const noexcept { return node_; }
  const std::string& failure() const noexcept { return failure_; }
  bool has_failed() const noexcept { return !failure_.empty(); }

  std::optional<MadRequest> next() final;
  void take(const MadAnswer& answer) final { take_data(answer.data); }
  void failed(const MadFailure& failure) final { fail(explain(request_, failure)); }

 protected:
  /// As next() and take() of Dialogue; it is not asked for more after fail().
  virtual std::optional<CcRequest> next_request() = 0;
  virtual void take_data(const CcData& data) = 0;
  void fail(const std::string& why) { failure_ = why; }

 private:
  const CcNode& node_;
  std::uint64_t cc_key_;
  CcRequest request_;  // the last one
  std::string failure_;
};

/// Gives a node the set. An adapter is asked first whether it holds a table of that length, and
/// gets nothing if it does not. The set must outlive the dialogue.
class ApplyDialogue final : public NodeDialogue {
 public:
  ApplyDialogue(const CcNode& node, const CongestionParameters& parameters,
                std::uint64_t cc_key = 0);

  /// Settings that the node has taken.
  std::size_t settings_taken() const noexcept { return taken_; }

 protected:
  std::optional<CcRequest> next_request() override;
  void take_data(const CcData& data) override;

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

  /// Whole when the dialogue did not fail.
  const NodeReading& reading() const noexcept { return reading_; }

 protected:
  std::optional<CcRequest> next_request() override;
  void take_data(const CcData& data) override;

 private:
  enum class Step { setting, table, done };

  void take_block(const CcData& data);

  Step step_ = Step::setting;
  NodeReading reading_;
};

}  // namespace pssp
