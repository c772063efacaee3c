#pragma once

// How the caller of long work ends it early, and hears meanwhile how far it is.

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

/// What work throws that was asked to stop: nothing of it is half done. Whoever can stop work
/// expects this type; a program in which it gets farther has forgotten to, hence its kind.
class Stopped : public Error {
 public:
  explicit Stopped(const std::string& message) : Error(ErrorKind::internal, message) {}
};

/// Hears the name of the work, and the part of it that is done, from 0 to 1 (somewhat more where
/// the work was estimated too low); none where no one knows. Called from every thread that works,
/// from several at a time.
using WorkProgress = std::function<void(std::string_view work, std::optional<double> part)>;

/// Asked now and then by long work, between steps of a few milliseconds at most on common fabrics.
/// Costs a call of a function that the caller brings; copies ask the same function.
class StopSignal {
 public:
  /// Never asks to stop.
  StopSignal() = default;
  /// `is_asked` is called from every thread that works, and must stay true once it was.
  explicit StopSignal(std::function<bool()> is_asked) : is_asked_(std::move(is_asked)) {}

  static StopSignal by(std::stop_token token) {
    return StopSignal([token = std::move(token)] { return token.stop_requested(); });
  }
  static StopSignal at(std::chrono::steady_clock::time_point deadline) {
    return StopSignal([deadline] { return std::chrono::steady_clock::now() >= deadline; });
  }

  /// One that asks as this does, and passes on what work tells it.
  StopSignal reporting_to(WorkProgress progress) const {
    StopSignal signal = *this;
    signal.progress_ = std::move(progress);
    return signal;
  }

  bool asked() const { return is_asked_ && is_asked_(); }
  void tell(std::string_view work, std::optional<double> part = {}) const {
    if (progress_) progress_(work, part);
  }
  /// Tells how far the work is; throws Stopped, naming it, when it was asked to stop.
  void check(std::string_view work, std::optional<double> part = {}) const {
    tell(work, part);
    if (asked()) fail(work);
  }
  /// The same for work that goes through `all` and is now at `each`, an element of it.
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
