#pragma once

// Acknowledged incidents of a running daemon: in memory for responses and metrics, and in the
// database for the next process.

#include <mutex>
#include <string>

#include "monitor/counters/incident.h"

namespace pssp {

/// Functions may be called from any thread.
class AcknowledgementBook {
 public:
  /// Reads the database. If the name is empty, the list is empty, and acknowledge() must not be
  /// called. Throws like read_acknowledgements().
  explicit AcknowledgementBook(std::string database);

  /// Never null.
  AcknowledgementList list() const;
  /// Writes the acknowledgement to disk, which may take seconds, and then adds it to list(). If the
  /// disk fails, throws ApiError 503, and nothing has changed.
  void acknowledge(const Acknowledgement& entry);

 private:
  const std::string database_;
  std::mutex change_;         // serializes changes; list() does not wait for the disk
  mutable std::mutex state_;  // protects list_
  AcknowledgementList list_;
};

}  // namespace pssp
