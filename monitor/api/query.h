#pragma once

// Decodes and checks the path and the query of a request target. An unknown parameter is an error,
// because a misspelled filter that is ignored would give wrong lists.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/ids.h"
#include "monitor/api/request.h"

namespace pssp {

/// Functions throw ApiError with the parameter and its range; the status is 400 unless stated
/// otherwise.
class Target {
 public:
  /// Throws for targets longer than 4 KiB (414), without a leading slash, with invalid escapes,
  /// control characters or NUL, and with a repeated parameter.
  explicit Target(std::string_view target);

  /// The segments of the path: "/api/v1/ports" has three. Escapes are decoded. "." and ".." have no
  /// special meaning, so they match no route.
  const std::vector<std::string>& path() const noexcept { return path_; }

  /// Throws if there is a parameter that is not among `names`.
  void allow(std::initializer_list<std::string_view> names) const;
  const std::string* find(std::string_view name) const noexcept;
  std::uint64_t number(std::string_view name, std::uint64_t absent, std::uint64_t least,
                       std::uint64_t most) const;
  /// "1"/"on"/"true" or "0"/"off"/"false".
  bool flag(std::string_view name, bool absent) const;
  /// The value if it is one of the choices; the first choice if the parameter is absent.
  std::string_view choice(std::string_view name,
                          std::initializer_list<std::string_view> choices) const;
  /// Comma-separated values; empty if the parameter is absent.
  std::vector<std::string> list(std::string_view name) const;

 private:
  void take_query(std::string_view query);

  std::vector<std::pair<std::string, std::string>> parameters_;
  std::vector<std::string> path_;
};

/// Parses "0x" and 1 to 16 digits.
Guid parse_guid(std::string_view text);
/// Parses a number from 1 to 254.
PortNumber parse_port_number(std::string_view text);

}  // namespace pssp
