#pragma once

// Path and query of a request's target, decoded and checked: what no one asked about is an error,
// for a misspelt filter that is overlooked shows wrong lists.

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

/// Functions throw ApiError (400 unless said otherwise), with the parameter and its range.
class Target {
 public:
  /// Throws for targets beyond 4 KiB (414), without a leading slash, with broken escapes, control
  /// characters or NUL, and where a parameter comes twice.
  explicit Target(std::string_view target);

  /// Between slashes: "/api/v1/ports" has three. Escapes are decoded; "." and ".." mean nothing
  /// special, so they match no route.
  const std::vector<std::string>& path() const noexcept { return path_; }

  /// Throws where there is a parameter that is not among these.
  void allow(std::initializer_list<std::string_view> names) const;
  const std::string* find(std::string_view name) const noexcept;
  std::uint64_t number(std::string_view name, std::uint64_t absent, std::uint64_t least,
                       std::uint64_t most) const;
  /// "1"/"on"/"true" or "0"/"off"/"false".
  bool flag(std::string_view name, bool absent) const;
  /// One of the choices; the first where it is absent.
  std::string_view choice(std::string_view name,
                          std::initializer_list<std::string_view> choices) const;
  /// Comma-separated; empty where it is absent.
  std::vector<std::string> list(std::string_view name) const;

 private:
  void take_query(std::string_view query);

  std::vector<std::pair<std::string, std::string>> parameters_;
  std::vector<std::string> path_;
};

/// "0x" and 1 to 16 digits.
Guid parse_guid(std::string_view text);
/// 1 .. 254.
PortNumber parse_port_number(std::string_view text);

}  // namespace pssp
