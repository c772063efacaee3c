// Rows of periods have the format of rows of sweeps, with sums instead of differences, without
// counter values, and with the largest rates (sample_codec.cpp).

#include "monitor/store/period_codec.h"

#include <cmath>

#include "monitor/store/row_format.h"

namespace pssp {
namespace row_format {
namespace {

double mean_of(std::uint64_t sum, std::uint64_t covered_ms) noexcept {
  return covered_ms == 0 ? 0 : static_cast<double>(sum) * 1e3 / static_cast<double>(covered_ms);
}

constexpr double peak_steps = 32;  // per octave

std::uint64_t peak_code(double peak, double mean) noexcept {
  if (!(mean > 0) || !(peak > mean)) return 0;
  return static_cast<std::uint64_t>(std::lround(peak_steps * std::log2(peak / mean)));
}

void write_period(ByteWriter& out, const PeriodSample& port, std::span<const CounterMask> kinds,
                  const Masks& masks, std::uint64_t base_ms) {
  const CounterValues sum = folded(port.sum, port.known);
  const CounterMask risen = not_zero(sum, port.known);
  std::uint64_t which = place_in(kinds, port.known);
  if (which >= kinds.size() || port.partly != 0) which = full_record;
  const bool timed = port.known != 0 && port.covered_ms != base_ms;
  write_record_head(out, risen | (timed ? timed_bit : 0), which, masks);
  if (which == full_record) {
    out.number(port.known);
    out.number(port.partly);
  }
  if (timed) out.number(zigzag(port.covered_ms - base_ms));
  write_values(out, sum, risen);
  for (std::size_t i = 0; i < peak_counters.size(); ++i) {
    const std::size_t at = index(peak_counters[i]);
    if ((risen & mask_of(peak_counters[i])) == 0) continue;
    out.number(peak_code(port.peak[i], mean_of(port.sum[at], port.covered_ms)));
  }
}

PeriodSample read_kind_of_period(ByteReader& in) {
  PeriodSample kind;
  kind.known = read_mask(in, all_counters);
  return kind;
}

void read_period(ByteReader& in, const RowHead<PeriodSample>& head, PeriodSample& port) {
  const auto [shape, which] = read_record_head(in, head);
  const CounterMask risen = shape & all_counters;
  if (which == full_record) {
    port = {};
    port.known = read_mask(in, all_counters);
    port.partly = read_mask(in, port.known);
  } else {
    port = head.kinds[which];
  }
  if (port.known != 0) port.covered_ms = head.base_ms;
  if ((shape & timed_bit) != 0) port.covered_ms += unzigzag(in.number());
  if ((risen & ~port.known) != 0) return in.fail();
  read_values(in, port.sum, risen);
  if (port.known != 0) unfold(port.sum, port.known);
  for (std::size_t i = 0; i < peak_counters.size(); ++i) {
    const std::size_t at = index(peak_counters[i]);
    if ((risen & mask_of(peak_counters[i])) == 0) continue;
    const std::uint64_t code = in.number();
    // No counter can hold a rate of 2^64 times its mean.
    if (code > 64 * static_cast<std::uint64_t>(peak_steps)) return in.fail();
    port.peak[i] =
        mean_of(port.sum[at], port.covered_ms) * std::exp2(static_cast<double>(code) / peak_steps);
  }
}

bool is_period_row(const RowHead<PeriodSample>& head) noexcept { return head.format == period_row; }

}  // namespace
}  // namespace row_format

std::string encode_periods(std::span<const PeriodSample> ports) {
  using namespace row_format;
  Masks all, risen;
  std::vector<std::uint64_t> times;
  all.reserve(ports.size());
  risen.reserve(ports.size());
  times.reserve(ports.size());
  for (const PeriodSample& port : ports) {
    all.push_back(port.known);
    if (port.known != 0) times.push_back(port.covered_ms);
  }
  const Masks kinds = most_frequent(std::move(all), most_kinds);
  const std::vector<std::uint64_t> base = most_frequent(std::move(times), 1);
  const std::uint64_t base_ms = base.empty() ? 0 : base.front();
  for (const PeriodSample& port : ports) {
    risen.push_back(not_zero(folded(port.sum, port.known), port.known) |
                    (port.known != 0 && port.covered_ms != base_ms ? timed_bit : 0));
  }

  std::string row;
  row.reserve(ports.size() * 24);
  ByteWriter out(row);
  out.byte(period_row);
  out.number(ports.size());
  out.number(base_ms);
  out.byte(static_cast<std::uint8_t>(kinds.size()));
  for (const CounterMask known : kinds) out.number(known);
  const Masks masks = most_frequent(std::move(risen), most_masks);
  write_masks(out, masks);
  for (const PeriodSample& port : ports) write_period(out, port, kinds, masks, base_ms);
  finish(row);
  return row;
}

std::optional<std::vector<PeriodSample>> decode_periods(std::string_view row) {
  using namespace row_format;
  std::vector<PeriodSample> result;
  const bool good = read_row<PeriodSample>(
      row, read_kind_of_period,
      [&](const RowHead<PeriodSample>& head) {
        result.resize(head.ports);
        return is_period_row(head);
      },
      [&](ByteReader& in, const RowHead<PeriodSample>& head, std::size_t at) {
        read_period(in, head, result[at]);
        return true;
      });
  if (!good) return std::nullopt;
  return result;
}

std::optional<PeriodSample> decode_period(std::string_view row, std::size_t port) {
  using namespace row_format;
  PeriodSample each, result;
  const bool good = read_row<PeriodSample>(
      row, read_kind_of_period, is_period_row,
      [&](ByteReader& in, const RowHead<PeriodSample>& head, std::size_t at) {
        read_period(in, head, each);
        if (at == port) result = each;
        return at < port;
      });
  if (!good) return std::nullopt;
  return result;
}

}  // namespace pssp
