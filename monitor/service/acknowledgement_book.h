#pragma once

// Acknowledged incidents of a running daemon: in memory for answers and metrics, and in the
// database for the next process.

#include <mutex>
#include <string>

#include "monitor/counters/incident.h"

namespace pssp {

/// Functions may be called from any thread.
class AcknowledgementBook {
 public:
  /// Reads what the database has; an empty name: nothing is kept. Throws as
  /// read_acknowledgements().
  explicit AcknowledgementBook(std::string database);

  /// Never null.
  AcknowledgementList list() const;
  /// Keeps it on disk before it counts, which may take seconds. Throws ApiError 503 where that
  /// fails; then nothing has changed.
  void acknowledge(const Acknowledgement& entry);

 private:
  const std::string database_;
  std::mutex change_;         // one change at a time, while list() does not wait for the disk
  mutable std::mutex state_;  // for list_
  AcknowledgementList list_;
};

}  // namespace pssp
