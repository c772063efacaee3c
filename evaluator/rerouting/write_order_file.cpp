#include "evaluator/rerouting/write_order_file.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::uint32_t write_block_count = (last_unicast_lid + 1) / lids_per_block;

}  // namespace

std::vector<BlockWrite> parse_write_order(std::string_view text, std::string_view name,
                                          const Fabric& fabric,
                                          std::span<const BlockWrite> writes) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> left;
  for (const BlockWrite& each : writes) left.emplace(each.at_switch, each.block);
  std::vector<BlockWrite> order;
  order.reserve(writes.size());
  TextLines lines(text, name, describe_content);
  while (lines.next()) {
    std::string_view rest = trimmed(lines.line());
    if (rest.empty() || rest.front() == '#') continue;
    const std::optional<Guid> guid =
        take(rest, "0x") ? take_number(rest, 16) : std::optional<Guid>();
    rest = without_indent(rest);
    const auto block = take_number(rest);
    if (!guid || !block || !trimmed(rest).empty() || *block >= write_block_count) {
      lines.fail(
          fmt::format("'{}' is no write; expected the GUID of a switch and the number of a "
                      "block (0 to {}), e.g. 0x0002c90300000101 17",
                      shown(lines.line()), write_block_count - 1));
    }
    const std::optional<SwitchId> at = fabric.find_switch(*guid);
    if (!at) {
      throw Error(ErrorKind::mismatch,
                  fmt::format("{}:{}: the fabric after the change has no switch 0x{:016x}", name,
                              lines.number(), *guid));
    }
    const BlockWrite write{at->value(), static_cast<std::uint32_t>(*block)};
    if (left.erase({write.at_switch, write.block}) != 0) order.push_back(write);
  }
  if (left.empty()) return order;
  const auto [at_switch, block] = *left.begin();
  throw Error(
      ErrorKind::mismatch,
      fmt::format("{}: {} of the {} blocks that differ are not written in it, e.g. block {} "
                  "of {}",
                  name, left.size(), writes.size(), block, fabric.label(SwitchId(at_switch))));
}

}  // namespace pssp
