#pragma once

// The history of the database for the web interface.

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "monitor/api/history.h"
#include "monitor/store/history_reader.h"
#include "monitor/store/snapshot_reader.h"

namespace pssp {

class StoredHistory final : public HistorySource {
 public:
  /// Opens the file with the first request, because it may not exist at the start.
  explicit StoredHistory(std::filesystem::path file);

  std::optional<HistoryView> port_history(const HistoryRequest& request) override;
  LiveViewPointer view_at(std::int64_t time_ms) override;
  std::vector<NameView> node_names(Guid node) override;

 private:
  struct KnownView {
    HistorySpan span;
    LiveViewPointer view;
  };
  void leave_replaced();
  std::vector<VerdictView> verdicts_of(const FabricMap& map, const HistorySpan& span) const;

  std::filesystem::path file_;
  std::unique_ptr<HistoryReader> reader_;
  std::unique_ptr<SnapshotReader> snapshots_;
  std::vector<KnownView> known_;  // the last views made from this version of the file
  std::int64_t version_ = 0;
};

}  // namespace pssp
