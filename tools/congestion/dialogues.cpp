#include "tools/congestion/dialogues.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"

namespace pssp {

std::optional<MadRequest> NodeDialogue::next() {
  if (has_failed()) return std::nullopt;
  const std::optional<CcRequest> request = next_request();
  if (!request) return std::nullopt;
  request_ = *request;
  return mad_request(request_, cc_key_, general_services_at(node_.lid));
}

ApplyDialogue::ApplyDialogue(const CcNode& node, const CongestionParameters& parameters,
                             std::uint64_t cc_key)
    : NodeDialogue(node, cc_key),
      parameters_(parameters),
      requests_(set_requests(node, parameters)),
      asks_capacity_(!node.is_switch) {}

std::optional<CcRequest> ApplyDialogue::next_request() {
  if (taken_ == requests_.size()) return std::nullopt;
  if (asks_capacity_) return CcRequest{MadMethod::get, CcAttribute::congestion_info, 0, {}};
  return requests_[taken_];
}

void ApplyDialogue::take_data(const CcData& data) {
  if (!asks_capacity_) {
    ++taken_;
    return;
  }
  asks_capacity_ = false;
  try {
    check_capacity(parameters_.table, decode_congestion_info(data).table_blocks);
  } catch (const Error& error) {
    fail(fmt::format("nothing was set: {}", error.what()));
  }
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

void QueryDialogue::take_data(const CcData& data) {
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

/// The limit is in every block. It is looked at each time, so that the table ends where the node
/// says even if somebody sets it meanwhile.
void QueryDialogue::take_block(const CcData& data) {
  const TableBlock block = decode_block(data);
  const std::size_t entries = std::size_t{block.ccti_limit} + 1;
  if (entries > cc_limits::most_entries) {
    fail(fmt::format("CCTI_Limit {} in its answer is beyond what a table can hold ({} entries)",
                     block.ccti_limit, cc_limits::most_entries));
    return;
  }
  reading_.table.insert(reading_.table.end(), block.entries.begin(), block.entries.end());
  if (reading_.table.size() < entries) return;
  reading_.table.resize(entries);
  step_ = Step::done;
}

}  // namespace pssp
