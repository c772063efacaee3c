#pragma once

// A line for OpenSM's log.

#include <string>
#include <utility>
#include <variant>

#include "routing/options/log_codes.h"

namespace pssp {

/// A detail, logged at OpenSM's level VERBOSE.
struct LogDetail {
  friend bool operator==(LogDetail, LogDetail) = default;
};

/// The kind decides the level: OpenSM logs errors and reports by default.
struct LogMessage {
  std::variant<LogDetail, LogTopic, LogCode> kind;
  std::string text;

  friend bool operator==(const LogMessage&, const LogMessage&) = default;

  bool is_error() const noexcept { return std::holds_alternative<LogCode>(kind); }
  bool has_topic(LogTopic topic) const noexcept {
    const auto* const own = std::get_if<LogTopic>(&kind);
    return own != nullptr && *own == topic;
  }
  bool is_detail() const noexcept { return std::holds_alternative<LogDetail>(kind); }
};

/// The line, with its code or topic.
inline std::string to_line(const LogMessage& message) {
  if (const auto* const code = std::get_if<LogCode>(&message.kind)) {
    return with_code(*code, message.text);
  }
  if (const auto* const topic = std::get_if<LogTopic>(&message.kind)) {
    return with_topic(*topic, message.text);
  }
  return message.text;
}

}  // namespace pssp
