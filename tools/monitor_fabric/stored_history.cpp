#include "tools/monitor_fabric/stored_history.h"

#include <utility>

#include "base/error.h"

namespace pssp {

StoredHistory::StoredHistory(std::filesystem::path file) : file_(std::move(file)) {}

std::optional<ShownHistory> StoredHistory::port_history(const HistoryRequest& request) {
  try {
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

std::vector<ShownName> StoredHistory::node_names(Guid node) {
  try {
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
