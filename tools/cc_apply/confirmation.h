#pragma once

// The confirmation of a change. The waiting process creates a file next to the saved settings; both
// a confirmation and a time-out remove that file, so only one of them can succeed.

#include <chrono>
#include <string>

namespace pssp {

class Confirmation {
 public:
  /// `saved` is the file of the saved settings. Throws Error(output) if the file next to it cannot
  /// be created.
  explicit Confirmation(const std::string& saved);
  Confirmation(const Confirmation&) = delete;
  Confirmation& operator=(const Confirmation&) = delete;
  ~Confirmation();

  /// Waits for the confirmation until the time is over or the program is interrupted. Returns
  /// whether it came.
  bool wait(std::chrono::seconds time);

 private:
  std::string file_;
};

/// Confirms. Throws Error(usage) if no process waits for it.
void confirm(const std::string& saved);

}  // namespace pssp
