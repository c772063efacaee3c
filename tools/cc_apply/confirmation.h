#pragma once

// The word that what was set stays. Who waits for it puts a file beside the saved settings; who
// gives it takes that file away, and so does who has waited long enough: only one of them can.

#include <chrono>
#include <string>

namespace pssp {

class Confirmation {
 public:
  /// `saved` is the file of the saved settings. Throws Error(output) when the file beside it cannot
  /// be made.
  explicit Confirmation(const std::string& saved);
  Confirmation(const Confirmation&) = delete;
  Confirmation& operator=(const Confirmation&) = delete;
  ~Confirmation();

  /// Waits for the word until the time is over or the program is interrupted. True: it came.
  bool wait(std::chrono::seconds time);

 private:
  std::string file_;
};

/// Gives the word. Throws Error(usage) when no one waits for it.
void confirm(const std::string& saved);

}  // namespace pssp
