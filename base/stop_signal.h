#pragma once

// How a caller stops long work early, and receives its progress.

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace pssp {

/// Thrown by work that was stopped; nothing is half done. Callers that can stop work must catch it;
/// a program in which it goes uncaught has a bug, which determines its kind.
class Stopped : public Error {
 public:
  explicit Stopped(const std::string& message) : Error(ErrorKind::internal, message) {}
};

/// Receives the name of the work, and the finished part from 0 to 1 (more if the work was estimated
/// too low), none if unknown. Called concurrently from all working threads.
using WorkProgress = std::function<void(std::string_view work, std::optional<double> part)>;

/// Checked by long work every few milliseconds on common fabrics. Costs a call of the caller's
/// function; copies use the same function.
class StopSignal {
 public:
  /// Never stops.
  StopSignal() = default;
  /// `is_asked` is called from every working thread, and must stay true once it was.
  explicit StopSignal(std::function<bool()> is_asked) : is_asked_(std::move(is_asked)) {}

  static StopSignal by(std::stop_token token) {
    return StopSignal([token = std::move(token)] { return token.stop_requested(); });
  }
  static StopSignal at(std::chrono::steady_clock::time_point deadline) {
    return StopSignal([deadline] { return std::chrono::steady_clock::now() >= deadline; });
  }

  /// A copy that also reports progress.
  StopSignal reporting_to(WorkProgress progress) const {
    StopSignal signal = *this;
    signal.progress_ = std::move(progress);
    return signal;
  }

  bool asked() const { return is_asked_ && is_asked_(); }
  void tell(std::string_view work, std::optional<double> part = {}) const {
    if (progress_) progress_(work, part);
  }
  /// Reports progress; throws Stopped, naming the work, if it was stopped.
  void check(std::string_view work, std::optional<double> part = {}) const {
    tell(work, part);
    if (asked()) fail(work);
  }
  /// The same for work that iterates over `all` and has reached the element `each`.
  template <class Sequence>
  void check(std::string_view work, const typename Sequence::value_type& each,
             const Sequence& all) const {
    check(work, static_cast<double>(&each - all.data()) / static_cast<double>(all.size()));
  }

 private:
  [[noreturn]] static void fail(std::string_view work);

  std::function<bool()> is_asked_;
  WorkProgress progress_;
};

}  // namespace pssp
