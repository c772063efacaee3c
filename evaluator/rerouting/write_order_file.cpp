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
constexpr std::uint64_t most_microseconds = std::uint64_t{1} << 50;

struct WriteLine {
  Guid guid = 0;
  std::uint32_t block = 0;
  std::optional<std::int64_t> time_ns;
};

[[noreturn]] void fail_at(const TextLines& lines) {
  lines.fail(fmt::format(
      "invalid write '{}'; expected the GUID of a switch, the number of a block (0 to {}) and, "
      "optionally, microseconds, e.g. 0x0002c90300000101 17 or 0x0002c90300000101 17 257500 us",
      excerpt(lines.line()), write_block_count - 1));
}

WriteLine parse_write(std::string_view rest, const TextLines& lines) {
  const std::optional<Guid> guid = take(rest, "0x") ? take_number(rest, 16) : std::optional<Guid>();
  rest = without_indent(rest);
  const auto block = take_number(rest);
  if (!guid || !block || *block >= write_block_count) fail_at(lines);
  WriteLine line{*guid, static_cast<std::uint32_t>(*block), {}};
  rest = without_indent(rest);
  if (rest.empty()) return line;
  const auto time = take_number(rest);
  if (!time || *time > most_microseconds || trimmed(rest) != "us") fail_at(lines);
  line.time_ns = static_cast<std::int64_t>(*time) * 1000;
  return line;
}

/// Stores the times of the file in order.
class TimesInOrder {
 public:
  void look_at(const WriteLine& line, const TextLines& lines) {
    if (!is_first_ && has_times_ != line.time_ns.has_value()) {
      lines.fail("expected a time in every line or in no line");
    }
    if (line.time_ns && *line.time_ns < last_) {
      lines.fail(
          "this write is earlier than the previous write; expected the writes in order of time");
    }
    is_first_ = false;
    has_times_ = line.time_ns.has_value();
    last_ = line.time_ns.value_or(0);
  }

 private:
  bool is_first_ = true, has_times_ = false;
  std::int64_t last_ = 0;
};

}  // namespace

WriteOrder parse_write_order(std::string_view text, std::string_view name, const Fabric& fabric,
                             std::span<const BlockWrite> writes) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> left;
  for (const BlockWrite& each : writes) left.emplace(each.at_switch, each.block);
  WriteOrder order;
  order.writes.reserve(writes.size());
  order.times_ns.reserve(writes.size());
  TimesInOrder times;
  TextLines lines(text, name, describe_content);
  while (lines.next()) {
    const std::string_view content = trimmed(lines.line());
    if (content.empty() || content.front() == '#') continue;
    const WriteLine line = parse_write(content, lines);
    times.look_at(line, lines);
    const std::optional<SwitchId> at = fabric.find_switch(line.guid);
    if (!at) {
      throw Error(ErrorKind::mismatch,
                  fmt::format("{}:{}: the fabric after the change has no switch 0x{:016x}", name,
                              lines.number(), line.guid));
    }
    const BlockWrite write{at->value(), line.block};
    if (left.erase({write.at_switch, write.block}) == 0) continue;
    order.writes.push_back(write);
    if (line.time_ns) order.times_ns.push_back(*line.time_ns);
  }
  if (left.empty()) return order;
  const auto [at_switch, block] = *left.begin();
  throw Error(
      ErrorKind::mismatch,
      fmt::format(
          "{}: the file does not write {} of the {} blocks that differ, e.g. block {} of {}", name,
          left.size(), writes.size(), block, fabric.label(SwitchId(at_switch))));
}

}  // namespace pssp
