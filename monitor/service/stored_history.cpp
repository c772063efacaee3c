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

/// Closes readers of a file that was replaced, so that the current file is opened.
void StoredHistory::leave_replaced() {
  if (reader_ != nullptr && !reader_->is_in_place()) reader_.reset();
  if (snapshots_ == nullptr || snapshots_->is_in_place()) return;
  snapshots_.reset();
  known_.clear();
}

std::optional<HistoryView> StoredHistory::port_history(const HistoryRequest& request) {
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
    HistoryView displayed;
    displayed.level = name_of(found.level);
    displayed.time_ms = std::move(found.time_ms);
    for (CounterColumn& each : found.columns) {
      displayed.columns.push_back({each.counter, std::move(each.mean), std::move(each.largest)});
    }
    return displayed;
  } catch (const Error&) {
    // The file was set aside, is full, or is being created again. The next request opens it again;
    // memory answers this one.
    reader_.reset();
    return std::nullopt;
  }
}

LiveViewPointer StoredHistory::view_at(std::int64_t time_ms) {
  try {
    leave_replaced();
    if (snapshots_ == nullptr) snapshots_ = std::make_unique<SnapshotReader>(file_);
    const std::optional<HistorySpan> span = snapshots_->span_at(time_ms);
    if (!span) return nullptr;
    // Later writes may have invalidated readings.
    if (const std::int64_t version = snapshots_->version(); version != version_) {
      known_.clear();
      version_ = version;
    }
    const auto known = std::ranges::find(known_, *span, &KnownView::span);
    if (known != known_.end()) return known->view;
    std::optional<HistorySnapshot> snapshot = snapshots_->snapshot(*span);
    if (!snapshot) return nullptr;
    std::vector<VerdictView> verdicts = verdicts_of(*snapshot->map, *span);
    LiveViewPointer view = past_view(snapshot->map, static_cast<std::uint64_t>(span->id),
                                     {name_of(span->level), span->since_ms, span->until_ms},
                                     std::move(snapshot->differences), std::move(verdicts));
    if (known_.size() == most_views) known_.erase(known_.begin());
    known_.push_back({*span, view});
    return view;
  } catch (const Error&) {
    snapshots_.reset();
    known_.clear();
    return nullptr;
  }
}

std::vector<VerdictView> StoredHistory::verdicts_of(const FabricMap& map,
                                                    const HistorySpan& span) const {
  std::vector<VerdictView> displayed;
  for (const VerdictRecord& each : read_verdict_rows(file_, {span.until_ms, span.until_ms + 1})) {
    const auto port = map.find_port(each.port.node, each.port.number);
    if (!port) continue;
    VerdictView verdict;
    verdict.port = *port;
    verdict.level = displayed_level(each.level);
    verdict.what = each.what;
    verdict.reason = each.reason;
    verdict.since_ms = each.since_ms;
    displayed.push_back(std::move(verdict));
  }
  return displayed;
}

std::vector<NameView> StoredHistory::node_names(Guid node) {
  try {
    leave_replaced();
    if (reader_ == nullptr) reader_ = std::make_unique<HistoryReader>(file_);
    std::vector<NameView> displayed;
    for (NodeName& each : reader_->node_names(node)) {
      displayed.push_back({each.since_ms, std::move(each.description)});
    }
    return displayed;
  } catch (const Error&) {
    reader_.reset();
    return {};
  }
}

}  // namespace pssp
