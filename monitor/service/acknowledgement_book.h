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
  /// Reads the database; with an empty name the list is empty, and acknowledge() must not be
  /// called. Throws as read_acknowledgements().
  explicit AcknowledgementBook(std::string database);

  /// Never null.
  AcknowledgementList list() const;
  /// Writes the acknowledgement to disk, which may take seconds, and then adds it to list(). Throws
  /// ApiError 503 if the disk fails; then nothing has changed.
  void acknowledge(const Acknowledgement& entry);

 private:
  const std::string database_;
  std::mutex change_;         // one change at a time, while list() does not wait for the disk
  mutable std::mutex state_;  // for list_
  AcknowledgementList list_;
};

}  // namespace pssp
