#pragma once

// How the caller of long work ends it early.

#include <chrono>
#include <functional>
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

  bool asked() const { return is_asked_ && is_asked_(); }
  /// Throws Stopped, naming the work, when it was asked to stop.
  void check(std::string_view work) const {
    if (asked()) fail(work);
  }

 private:
  [[noreturn]] static void fail(std::string_view work);

  std::function<bool()> is_asked_;
};

}  // namespace pssp
