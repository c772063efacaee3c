#pragma once

// What rows of sweeps and of periods have in common: folded differences, masks of counters that
// rose, the head, the checksum. The layout is described in sample_codec.cpp.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitor/counters/counter_set.h"
#include "monitor/store/byte_stream.h"
#include "monitor/store/sample_codec.h"

namespace pssp::row_format {

inline constexpr std::uint8_t plain_row = 0x01, absolute_row = 0x81, period_row = 0x02;
inline constexpr std::size_t most_kinds = 3, most_masks = 63;
inline constexpr std::uint64_t full_record = 3;
/// Bit beside the mask of counters: the record states its own time.
inline constexpr CounterMask timed_bit = all_counters + 1;

constexpr std::size_t index(Counter counter) noexcept { return static_cast<std::size_t>(counter); }

template <class Function>
void for_each_counter(CounterMask mask, const Function& function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// Transforms differences to the form in which they are written, and back.
CounterValues folded(CounterValues delta, CounterMask held) noexcept;
void unfold(CounterValues& delta, CounterMask held) noexcept;
/// The counters in `among` whose values are not 0.
CounterMask not_zero(const CounterValues& values, CounterMask among) noexcept;

/// The most frequent values, in descending order of frequency; ties are resolved by the smaller
/// value.
template <class Value>
std::vector<Value> most_frequent(std::vector<Value> values, std::size_t how_many) {
  std::sort(values.begin(), values.end());
  std::vector<std::pair<std::size_t, Value>> counted;
  for (const Value& value : values) {
    if (counted.empty() || !(counted.back().second == value)) counted.emplace_back(0, value);
    ++counted.back().first;
  }
  std::stable_sort(counted.begin(), counted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Value> result;
  for (std::size_t i = 0; i < std::min(how_many, counted.size()); ++i) {
    result.push_back(counted[i].second);
  }
  return result;
}

/// Which counters rose at a port; one mask for each port of a row.
using Masks = std::vector<CounterMask>;

/// Writes the position of the mask in `masks`, and the kind of the record.
void write_record_head(ByteWriter& out, CounterMask risen, std::uint64_t kind, const Masks& masks);
void write_masks(ByteWriter& out, const Masks& masks);
void write_values(ByteWriter& out, const CounterValues& values, CounterMask which);
/// Appends the checksum.
void finish(std::string& row);

template <class Kinds, class Value>
std::uint64_t place_in(const Kinds& kinds, const Value& kind) {
  return static_cast<std::uint64_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
}

// ---- reading ----

/// The row without its checksum; nothing if the checksum is wrong.
std::optional<std::string_view> checked(std::string_view row) noexcept;
/// Fails if the mask has bits outside `within`.
CounterMask read_mask(ByteReader& in, CounterMask within) noexcept;
void read_values(ByteReader& in, CounterValues& values, CounterMask which);

template <class Kind>
struct RowHead {
  std::uint8_t format = 0;
  std::size_t ports = 0;
  std::uint64_t base_ms = 0;
  std::array<Kind, most_kinds> kinds{};
  std::size_t kind_count = 0;
  std::array<CounterMask, most_masks> masks{};
  std::size_t mask_count = 0;
};

template <class Kind, class ReadKind>
RowHead<Kind> read_head(ByteReader& in, const ReadKind& read_kind) {
  RowHead<Kind> head;
  head.format = in.byte();
  const std::uint64_t ports = in.number();
  head.base_ms = in.number();
  head.kind_count = in.byte();
  if (ports > chunk_ports || head.kind_count > most_kinds) {
    in.fail();
    return head;
  }
  head.ports = ports;
  for (std::size_t i = 0; i < head.kind_count; ++i) head.kinds[i] = read_kind(in);
  head.mask_count = in.byte();
  if (head.mask_count > most_masks) {
    in.fail();
    return head;
  }
  for (std::size_t i = 0; i < head.mask_count; ++i)
    head.masks[i] = read_mask(in, all_counters | timed_bit);
  return head;
}

/// Reads the mask of counters that rose, and the kind. Fails if the mask or the kind is out of
/// range.
template <class Kind>
std::pair<CounterMask, std::uint64_t> read_record_head(ByteReader& in,
                                                       const RowHead<Kind>& head) noexcept {
  const std::uint8_t first = in.byte();
  const std::uint64_t which = first & 3U, place = first >> 2U;
  if ((which != full_record && which >= head.kind_count) ||
      (place != most_masks && place >= head.mask_count)) {
    in.fail();
    return {0, full_record};
  }
  return {place == most_masks ? read_mask(in, all_counters | timed_bit) : head.masks[place], which};
}

template <class Kind, class ReadKind, class Row, class ReadRow>
bool read_row(std::string_view bytes, const ReadKind& read_kind, Row&& accept,
              const ReadRow& record) {
  const std::optional<std::string_view> body = checked(bytes);
  if (!body) return false;
  ByteReader in(*body);
  const RowHead<Kind> head = read_head<Kind>(in, read_kind);
  if (in.failed() || !accept(head)) return false;
  for (std::size_t i = 0; i < head.ports; ++i) {
    if (!record(in, head, i)) return !in.failed();
    if (in.failed()) return false;
  }
  return in.at_end();
}

}  // namespace pssp::row_format
