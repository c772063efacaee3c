#include "monitor/api/list_order.h"

#include <numeric>

#include "base/text_lines.h"
#include "fabric/nodes/node_description.h"

namespace pssp {

ListOrder::ListOrder(const Target& target, std::initializer_list<std::string_view> keys,
                     std::initializer_list<std::string_view> ascending)
    : key_(target.choice("sort", keys)) {
  const bool usual = std::ranges::find(ascending, key_) != ascending.end();
  ascending_ = target.choice("order", {usual ? "asc" : "desc", usual ? "desc" : "asc"}) == "asc";
}

std::vector<std::uint32_t> name_ranks(const LiveView& view) {
  const std::vector<std::string>& names = *view.names;
  std::vector<std::uint32_t> nodes(names.size());
  std::iota(nodes.begin(), nodes.end(), 0U);
  std::ranges::stable_sort(nodes, [&](std::uint32_t a, std::uint32_t b) {
    return compare_with_numbers(names[a], names[b]) < 0;
  });
  std::vector<std::uint32_t> ranks(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) ranks[nodes[i]] = i;
  return ranks;
}

bool contains_text(std::string_view text, std::string_view part) {
  return lower_case(text).find(lower_case(part)) != std::string::npos;
}

}  // namespace pssp
