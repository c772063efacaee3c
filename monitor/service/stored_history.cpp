#include "monitor/service/stored_history.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "monitor/service/live_verdicts.h"
#include "monitor/store/verdict_rows.h"

namespace pssp {
namespace {

constexpr std::size_t most_views = 2;

}  // namespace

StoredHistory::StoredHistory(std::filesystem::path file) : file_(std::move(file)) {}

/// A file that has gone from its place is closed, and the one that stands there is opened.
void StoredHistory::leave_replaced() {
  if (reader_ != nullptr && !reader_->is_in_place()) reader_.reset();
  if (moments_ == nullptr || moments_->is_in_place()) return;
  moments_.reset();
  known_.clear();
}

std::optional<ShownHistory> StoredHistory::port_history(const HistoryRequest& request) {
  try {
    leave_replaced();
    if (reader_ == nullptr) reader_ = std::make_unique<HistoryReader>(file_);
    HistoryQuery query;
    query.port = {request.node, request.number};
    query.window = {request.since_ms, request.until_ms};
    query.counters = request.counters;
    query.points = request.points;
    PortHistory found = reader_->port_history(query);
    if (found.time_ms.empty()) return std::nullopt;
    ShownHistory shown;
    shown.level = name_of(found.level);
    shown.time_ms = std::move(found.time_ms);
    for (CounterColumn& each : found.columns) {
      shown.columns.push_back({each.counter, std::move(each.mean), std::move(each.largest)});
    }
    return shown;
  } catch (const Error&) {
    // Set aside, full or being made anew: the next question opens it again, memory answers this.
    reader_.reset();
    return std::nullopt;
  }
}

LiveViewPointer StoredHistory::view_at(std::int64_t time_ms) {
  try {
    leave_replaced();
    if (moments_ == nullptr) moments_ = std::make_unique<MomentReader>(file_);
    const std::optional<HistorySpan> span = moments_->span_at(time_ms);
    if (!span) return nullptr;
    // What was written since may have taken readings back.
    if (const std::int64_t version = moments_->version(); version != version_) {
      known_.clear();
      version_ = version;
    }
    const auto known = std::ranges::find(known_, *span, &KnownView::span);
    if (known != known_.end()) return known->view;
    std::optional<HistoryMoment> moment = moments_->moment(*span);
    if (!moment) return nullptr;
    std::vector<ShownVerdict> verdicts = verdicts_of(*moment->map, *span);
    LiveViewPointer view = past_view(moment->map, static_cast<std::uint64_t>(span->id),
                                     {name_of(span->level), span->since_ms, span->until_ms},
                                     std::move(moment->differences), std::move(verdicts));
    if (known_.size() == most_views) known_.erase(known_.begin());
    known_.push_back({*span, view});
    return view;
  } catch (const Error&) {
    moments_.reset();
    known_.clear();
    return nullptr;
  }
}

std::vector<ShownVerdict> StoredHistory::verdicts_of(const FabricMap& map,
                                                     const HistorySpan& span) const {
  std::vector<ShownVerdict> shown;
  for (const VerdictRecord& each : read_verdict_rows(file_, {span.until_ms, span.until_ms + 1})) {
    const auto port = map.find_port(each.port.node, each.port.number);
    if (!port) continue;
    ShownVerdict verdict;
    verdict.port = *port;
    verdict.level = shown_level(each.level);
    verdict.what = each.what;
    verdict.reason = each.reason;
    verdict.since_ms = each.since_ms;
    shown.push_back(std::move(verdict));
  }
  return shown;
}

std::vector<ShownName> StoredHistory::node_names(Guid node) {
  try {
    leave_replaced();
    if (reader_ == nullptr) reader_ = std::make_unique<HistoryReader>(file_);
    std::vector<ShownName> shown;
    for (NodeName& each : reader_->node_names(node)) {
      shown.push_back({each.since_ms, std::move(each.description)});
    }
    return shown;
  } catch (const Error&) {
    reader_.reset();
    return {};
  }
}

}  // namespace pssp
