#pragma once

// The dialogues of cc_apply and cc_query with one node.

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

/// A dialogue with a node about congestion control. LIDs come from a file and may be outdated, so
/// the first request identifies the node; if it is another one, there is no second request.
/// `failure()` is why the dialogue ended early, else empty. The node must outlive it.
class NodeDialogue : public Dialogue {
 public:
  explicit NodeDialogue(const CcNode& node, std::uint64_t cc_key = 0)
      : node_(node), cc_key_(cc_key) {}

  const CcNode& node() const noexcept { return node_; }
  const std::string& failure() const noexcept { return failure_; }
  bool has_failed() const noexcept { return !failure_.empty(); }
  /// Whether it ended because the exchange was stopped.
  bool was_stopped() const noexcept { return stopped_; }

  std::optional<MadRequest> next() final;
  void take(const MadAnswer& answer) final;
  void failed(const MadFailure& failure) final;

 protected:
  /// As next() and take() of Dialogue; not called after fail().
  virtual std::optional<CcRequest> next_request() = 0;
  virtual void take_data(const CcRequest& request, const CcData& data) = 0;
  /// The request has failed; fail() with the reason is called next.
  virtual void note_failure(const CcRequest&, const MadFailure&) {}
  void fail(const std::string& why) { failure_ = why; }
  /// External ports of the node, as reported by the node.
  unsigned ports() const noexcept { return ports_; }

 private:
  void identify(const NodeInfo& info);

  const CcNode& node_;
  std::uint64_t cc_key_;
  bool identified_ = false;
  bool stopped_ = false;
  unsigned ports_ = 0;
  CcRequest request_;  // the last request
  std::string failure_;
};

/// Sends settings to a node in order, and compares each answer with the sent values.
class SetDialogue : public NodeDialogue {
 public:
  SetDialogue(const CcNode& node, std::vector<CcRequest> requests, std::uint64_t cc_key = 0)
      : NodeDialogue(node, cc_key), requests_(std::move(requests)) {}

  /// Number of settings that the node has accepted, and of all.
  std::size_t settings_taken() const noexcept { return taken_; }
  std::size_t settings() const noexcept { return requests_.size(); }
  /// A setting was sent without an answer, so its state is unknown.
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

/// Applies the set to a node. An adapter is first asked whether its table is long enough, and gets
/// nothing otherwise. The set must outlive the dialogue.
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

/// Reads the settings of a node.
class QueryDialogue : public NodeDialogue {
 public:
  using NodeDialogue::NodeDialogue;

  /// Complete if the dialogue did not fail.
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

/// Reads the settings of a node before the set is applied; also detects adapters whose table is too
/// short. The set must outlive the dialogue.
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
