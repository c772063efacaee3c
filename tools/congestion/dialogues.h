#pragma once

// What cc_apply and cc_query have to say to one node.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/congestion/cc_nodes.h"
#include "tools/congestion/node_requests.h"
#include "wire/congestion/cc_mad.h"
#include "wire/dialogue.h"
#include "wire/subnet/node_info.h"

namespace pssp {

/// A dialogue with a node about congestion control. LIDs come from a file and may be stale, so the
/// first question is who answers: when it is not the node, there is no second one. `failure()` is
/// why it ended early, empty when it did not. The node must outlive it.
class NodeDialogue : public Dialogue {
 public:
  explicit NodeDialogue(const CcNode& node, std::uint64_t cc_key = 0)
      : node_(node), cc_key_(cc_key) {}

  const CcNode& node() const noexcept { return node_; }
  const std::string& failure() const noexcept { return failure_; }
  bool has_failed() const noexcept { return !failure_.empty(); }
  /// It ended because the exchange was stopped.
  bool was_stopped() const noexcept { return stopped_; }

  std::optional<MadRequest> next() final;
  void take(const MadAnswer& answer) final;
  void failed(const MadFailure& failure) final;

 protected:
  /// As next() and take() of Dialogue; nothing more is asked for after fail().
  virtual std::optional<CcRequest> next_request() = 0;
  virtual void take_data(const CcRequest& request, const CcData& data) = 0;
  /// The request has failed; fail() with the reason is called next.
  virtual void note_failure(const CcRequest&, const MadFailure&) {}
  void fail(const std::string& why) { failure_ = why; }
  /// External ports of the node, from its own mouth.
  unsigned ports() const noexcept { return ports_; }

 private:
  void identify(const NodeInfo& info);

  const CcNode& node_;
  std::uint64_t cc_key_;
  bool identified_ = false;
  bool stopped_ = false;
  unsigned ports_ = 0;
  CcRequest request_;  // the last one
  std::string failure_;
};

/// Sends settings to a node in their order, and compares each answer with what was sent.
class SetDialogue : public NodeDialogue {
 public:
  SetDialogue(const CcNode& node, std::vector<CcRequest> requests, std::uint64_t cc_key = 0)
      : NodeDialogue(node, cc_key), requests_(std::move(requests)) {}

  /// Settings that the node has taken, of how many.
  std::size_t settings_taken() const noexcept { return taken_; }
  std::size_t settings() const noexcept { return requests_.size(); }
  /// A setting was sent and its answer never came: no one knows whether the node has taken it.
  bool is_unknown() const noexcept { return unknown_; }

 protected:
  std::optional<CcRequest> next_request() override;
  void take_data(const CcRequest& request, const CcData& data) override;
  void note_failure(const CcRequest& request, const MadFailure& failure) override;

 private:
  std::vector<CcRequest> requests_;
  std::size_t taken_ = 0;
  bool unknown_ = false;
};

/// Gives a node the set. An adapter is asked first whether it holds a table of that length, and
/// gets nothing if it does not. The set must outlive the dialogue.
class ApplyDialogue final : public SetDialogue {
 public:
  ApplyDialogue(const CcNode& node, const CongestionParameters& parameters,
                std::uint64_t cc_key = 0);

 protected:
  std::optional<CcRequest> next_request() override;
  void take_data(const CcRequest& request, const CcData& data) override;

 private:
  const CongestionParameters& parameters_;
  bool asks_capacity_;
};

/// Reads what a node has.
class QueryDialogue : public NodeDialogue {
 public:
  using NodeDialogue::NodeDialogue;

  /// Whole when the dialogue did not fail.
  const NodeReading& reading() const noexcept { return reading_; }

 protected:
  std::optional<CcRequest> next_request() override;
  void take_data(const CcRequest& request, const CcData& data) override;

 private:
  enum class Step { setting, table, done };

  void take_block(const CcData& data);

  Step step_ = Step::setting;
  NodeReading reading_;
};

/// Reads what a node has before it is given the set; an adapter whose table would be too short is
/// found here already. The set must outlive the dialogue.
class SurveyDialogue final : public QueryDialogue {
 public:
  SurveyDialogue(const CcNode& node, const CongestionParameters& parameters,
                 std::uint64_t cc_key = 0);

 protected:
  std::optional<CcRequest> next_request() override;
  void take_data(const CcRequest& request, const CcData& data) override;

 private:
  const CongestionParameters& parameters_;
  bool asks_capacity_;
};

}  // namespace pssp
