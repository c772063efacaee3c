#pragma once

// Counts the open connections of each address. Not thread-safe.

#include <cstddef>
#include <map>
#include <string>

namespace pssp {

inline constexpr std::size_t most_of_one_address = 64;

class ConnectionCounts {
 public:
  bool may_open(const std::string& address) const {
    const auto known = count_.find(address);
    return known == count_.end() || known->second < most_of_one_address;
  }
  void opened(const std::string& address) { ++count_[address]; }
  void closed(const std::string& address) {
    const auto known = count_.find(address);
    if (known != count_.end() && --known->second == 0) count_.erase(known);
  }

 private:
  std::map<std::string, std::size_t> count_;
};

}  // namespace pssp
