#include "tools/congestion/dialogues.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "tools/congestion/node_text.h"

namespace pssp {
namespace {

constexpr CcRequest capacity_request{MadMethod::get, CcAttribute::congestion_info, 0, {}};

/// Why the table of the set exceeds the adapter's; empty if it fits.
std::string too_short(const CongestionParameters& parameters, const CcData& congestion_info) {
  try {
    check_capacity(parameters.table, decode_congestion_info(congestion_info).table_blocks);
    return {};
  } catch (const Error& error) {
    return fmt::format("nothing was set: {}", error.what());
  }
}

}  // namespace

std::optional<MadRequest> NodeDialogue::next() {
  if (has_failed()) return std::nullopt;
  if (!identified_) return node_info_request(subnet_management_at(node_.lid));
  const std::optional<CcRequest> request = next_request();
  if (!request) return std::nullopt;
  request_ = *request;
  return mad_request(request_, cc_key_, general_services_at(node_.lid));
}

void NodeDialogue::take(const MadAnswer& answer) {
  if (identified_) {
    take_data(request_, answer.data);
  } else {
    identify(decode_node_info(answer.data));
  }
}

void NodeDialogue::failed(const MadFailure& failure) {
  stopped_ = failure.kind == MadFailure::Kind::stopped;
  if (identified_) {
    note_failure(request_, failure);
    fail(explain(request_, failure));
  } else {
    fail(fmt::format("NodeInfo could not be read, so nothing else was sent: {}", explain(failure)));
  }
}

void NodeDialogue::identify(const NodeInfo& info) {
  identified_ = true;
  ports_ = info.ports;
  const Guid found = node_.is_switch ? info.node_guid : info.port_guid;
  if (found == node_.guid) return;
  fail(
      fmt::format("LID {} belongs to GUID 0x{:016x}, not 0x{:016x}: the LIDs are outdated; run "
                  "ibnetdiscover again; nothing else was sent",
                  node_.lid, found, node_.guid));
}

std::optional<CcRequest> SetDialogue::next_request() {
  if (taken_ == requests_.size()) return std::nullopt;
  return requests_[taken_];
}

void SetDialogue::take_data(const CcRequest& request, const CcData& data) {
  const std::vector<SettingDifference> differing = differences_in_answer(request, data, ports());
  if (differing.empty()) {
    ++taken_;
    return;
  }
  const SettingDifference& first = differing.front();
  fail(fmt::format("{} not set as requested: {}: {}, expected {}", name_of(request.attribute),
                   first.name, first.found, first.expected));
}

void SetDialogue::note_failure(const CcRequest& request, const MadFailure& failure) {
  unknown_ = request.method == MadMethod::set && failure.kind == MadFailure::Kind::unanswered;
}

ApplyDialogue::ApplyDialogue(const CcNode& node, const CongestionParameters& parameters,
                             std::uint64_t cc_key)
    : SetDialogue(node, set_requests(node, parameters), cc_key),
      parameters_(parameters),
      asks_capacity_(!node.is_switch) {}

std::optional<CcRequest> ApplyDialogue::next_request() {
  return asks_capacity_ ? capacity_request : SetDialogue::next_request();
}

void ApplyDialogue::take_data(const CcRequest& request, const CcData& data) {
  if (!asks_capacity_) {
    SetDialogue::take_data(request, data);
    return;
  }
  asks_capacity_ = false;
  fail(too_short(parameters_, data));
}

std::optional<CcRequest> QueryDialogue::next_request() {
  if (step_ == Step::done) return std::nullopt;
  CcRequest request;
  if (step_ == Step::table) {
    request.attribute = CcAttribute::table;
    request.modifier =
        static_cast<std::uint32_t>(reading_.table.size() / cc_limits::entries_per_block);
  } else {
    request.attribute =
        node().is_switch ? CcAttribute::switch_setting : CcAttribute::adapter_setting;
  }
  return request;
}

void QueryDialogue::take_data(const CcRequest&, const CcData& data) {
  if (step_ == Step::table) {
    take_block(data);
  } else if (node().is_switch) {
    reading_.switch_setting = decode_switch_setting(data);
    step_ = Step::done;
  } else {
    reading_.adapter = decode_adapter_setting(data);
    step_ = Step::table;
  }
}

/// Every block contains the limit, which is read each time, so that the table ends there even if
/// another program sets it meanwhile.
void QueryDialogue::take_block(const CcData& data) {
  const TableBlock block = decode_block(data);
  const std::size_t entries = std::size_t{block.ccti_limit} + 1;
  if (entries > cc_limits::most_entries) {
    fail(fmt::format("reported CCTI_Limit {} exceeds the largest table ({} entries)",
                     block.ccti_limit, cc_limits::most_entries));
    return;
  }
  reading_.table.insert(reading_.table.end(), block.entries.begin(), block.entries.end());
  if (reading_.table.size() < entries) return;
  reading_.table.resize(entries);
  step_ = Step::done;
}

SurveyDialogue::SurveyDialogue(const CcNode& node, const CongestionParameters& parameters,
                               std::uint64_t cc_key)
    : QueryDialogue(node, cc_key), parameters_(parameters), asks_capacity_(!node.is_switch) {}

std::optional<CcRequest> SurveyDialogue::next_request() {
  return asks_capacity_ ? capacity_request : QueryDialogue::next_request();
}

void SurveyDialogue::take_data(const CcRequest& request, const CcData& data) {
  if (!asks_capacity_) {
    QueryDialogue::take_data(request, data);
    return;
  }
  asks_capacity_ = false;
  fail(too_short(parameters_, data));
}

}  // namespace pssp
