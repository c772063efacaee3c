#pragma once

// The history of the database for the web interface.

#include <filesystem>
#include <memory>
#include <optional>

#include "monitor/api/history.h"
#include "monitor/store/history_reader.h"

namespace pssp {

class StoredHistory final : public HistorySource {
 public:
  /// Opens the file when it is first asked, for at the start there may be none.
  explicit StoredHistory(std::filesystem::path file);

  std::optional<ShownHistory> port_history(const HistoryRequest& request) override;
  std::vector<ShownName> node_names(Guid node) override;

 private:
  std::filesystem::path file_;
  std::unique_ptr<HistoryReader> reader_;
};

}  // namespace pssp
