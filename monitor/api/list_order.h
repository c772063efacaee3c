#pragma once

// The order of a list of ports, links, nodes or jobs: the parameters `sort` and `order`.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "monitor/api/views.h"

namespace pssp {

class ListOrder {
 public:
  /// `keys` are the choices of `sort`, the default first. The default of `order` is `asc` for the
  /// keys in `ascending`, and `desc` for all others. Throws ApiError like Target::choice().
  ListOrder(const Target& target, std::initializer_list<std::string_view> keys,
            std::initializer_list<std::string_view> ascending = {});

  std::string_view key() const noexcept { return key_; }

  /// Sorts indices by their weights, and indices with the same weight in ascending order. A weight
  /// below 0 means unknown; such indices come last in both orders. Afterwards, only the first
  /// `wanted` indices are in order.
  template <class Weight>
  void sort(std::vector<std::uint32_t>& indices, std::size_t wanted, const Weight& weight) const {
    std::vector<std::pair<double, std::uint32_t>> keys;
    keys.reserve(indices.size());
    for (const std::uint32_t each : indices) {
      const double known = weight(each);
      const double last = std::numeric_limits<double>::infinity();
      keys.emplace_back(known < 0 ? last : ascending_ ? known : -known, each);
    }
    const auto sorted = static_cast<std::ptrdiff_t>(std::min(wanted, keys.size()));
    std::partial_sort(keys.begin(), keys.begin() + sorted, keys.end());
    for (std::size_t i = 0; i < keys.size(); ++i) indices[i] = keys[i].second;
  }

 private:
  std::string_view key_;
  bool ascending_ = false;
};

/// Writes the requested part of a sorted list as the member `name`, and the members that end a
/// list.
template <class Write>
void write_list(JsonWriter& json, std::string_view name, const ListPart& part,
                const std::vector<std::uint32_t>& sorted, const Write& write) {
  json.key(name).begin_array();
  for (std::size_t i = part.first; i < sorted.size() && i - part.first < part.limit; ++i) {
    write(sorted[i]);
  }
  json.end_array();
  write_list_end(json, part, sorted.size());
}

/// The position of each node in the order of compare_with_numbers() of the names; nodes with equal
/// names are ordered by GUID. O(nodes * log(nodes)).
std::vector<std::uint32_t> name_ranks(const LiveView& view);

/// True if `text` contains `part`; ignores the case of ASCII letters.
bool contains_text(std::string_view text, std::string_view part);

}  // namespace pssp
