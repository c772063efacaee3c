// Hosts of a switch are mostly consecutive, and the row of a channel is indexed by source minus
// destination, so that a probe reads consecutive memory, and probes for consecutive destinations
// read almost the same memory.

#include "routing/engines/parts/counts/shift_counts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace pssp {

namespace {

/// Most hosts of a switch are a dozen or two: eight numbers at a time, and one sum in the end for
/// all that a look reads, are sooner summed than loops for longer rows are set up.
using Eight __attribute__((vector_size(16))) = std::uint16_t;
using SignedEight __attribute__((vector_size(16))) = std::int16_t;
using Four __attribute__((vector_size(16))) = std::uint32_t;

constexpr std::uint32_t at_a_time = 8;

Eight eight_at(const std::uint16_t* numbers) {
  Eight eight{};
  std::memcpy(&eight, numbers, sizeof(eight));
  return eight;
}

/// The first `count` of eight numbers, zeros for the others.
Eight first_of(Eight eight, std::uint32_t count) {
  constexpr std::uint16_t all = 0xFFFF;
  static constexpr std::array<std::uint16_t, std::size_t{2} * at_a_time> masks{all, all, all, all,
                                                                               all, all, all, all};
  return eight & eight_at(masks.data() + at_a_time - count);
}

Four sums_of_two(Eight eight) {
  const auto twos = std::bit_cast<Four>(eight);
  return (twos & 0xFFFF) + (twos >> 16);
}

/// Adds the numbers to the sums; reads up to seven behind them, which is why there are as many
/// zeros behind the last row.
Four add(Four sums, const std::uint16_t* numbers, std::uint32_t count) {
  for (; count >= at_a_time; count -= at_a_time, numbers += at_a_time) {
    sums += sums_of_two(eight_at(numbers));
  }
  if (count != 0) sums += sums_of_two(first_of(eight_at(numbers), count));
  return sums;
}

/// The same of each number, less `own`, times the next one; numbers above 255 count as 255, whose
/// product is the largest that fits into 16 bits. None is above 32767 (only signed numbers are
/// compared at once): a channel has half of fewer than 2^16 hosts behind it at most, or routes turn
/// back.
Four add_with_next(Four sums, const std::uint16_t* numbers, std::uint32_t count,
                   std::uint16_t own) {
  constexpr std::int16_t most = 255;
  const auto products = [&](std::uint32_t of) {
    const Eight others = eight_at(numbers) - own;
    const auto are_many = std::bit_cast<Eight>(std::bit_cast<SignedEight>(others) > most);
    const Eight counted = (others & ~are_many) | (are_many & most);
    return first_of(counted * (counted + 1), of);
  };
  for (; count >= at_a_time; count -= at_a_time, numbers += at_a_time) {
    sums += sums_of_two(products(at_a_time));
  }
  if (count != 0) sums += sums_of_two(products(count));
  return sums;
}

double cube(double of) { return of * of * of; }

}  // namespace

bool ShiftCounts::is_affordable(const Fabric& fabric, std::size_t hosts) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30;
  return hosts < 65536 && fabric.channel_count() * hosts * sizeof(std::uint16_t) <= most_bytes;
}

ShiftCounts::ShiftCounts(const Fabric& fabric, const std::vector<EndPortId>& hosts)
    : fabric_(fabric),
      hosts_of_(hosts.size()),
      position_(fabric.end_port_count(), no_host),
      counts_(fabric.channel_count() * hosts.size() + (at_a_time - 1), 0) {
  std::vector<std::vector<Run>> runs(fabric.switch_count());
  for (std::uint32_t i = 0; i < hosts.size(); ++i) {
    position_[hosts[i].value()] = i;
    std::vector<Run>& here = runs[fabric.end_port(hosts[i]).attached.value()];
    if (!here.empty() && here.back().first + here.back().count == i) {
      ++here.back().count;
    } else {
      here.push_back({i, 1});
    }
  }
  first_run_.assign(1, 0);
  for (const std::vector<Run>& here : runs) {
    runs_.insert(runs_.end(), here.begin(), here.end());
    first_run_.push_back(static_cast<std::uint32_t>(runs_.size()));
  }
}

template <class Visitor>
void ShiftCounts::for_positions(const Run& run, std::uint32_t destination,
                                const Visitor& visit) const {
  const auto n = static_cast<std::uint32_t>(hosts_of_);
  const std::uint32_t begin =
      run.first >= destination ? run.first - destination : run.first + n - destination;
  const std::uint32_t before_end = std::min(run.count, n - begin);
  visit(begin, before_end);
  if (before_end < run.count) visit(0, run.count - before_end);
}

void ShiftCounts::change(const RouteTree& tree, EndPortId destination, int sign) {
  const std::uint32_t to = position_[destination.value()];
  if (to == no_host) return;
  const auto added = static_cast<std::uint16_t>(sign);
  for (const std::uint32_t source : tree.switches) {
    for (const Run& run : runs_at(source)) {
      for (std::uint32_t s = source; s != tree.root;) {
        const std::uint32_t channel = tree.out_channel[s];
        std::uint16_t* const row = counts_.data() + channel * hosts_of_;
        for_positions(run, to, [&](std::uint32_t first, std::uint32_t count) {
          for (std::uint32_t i = first; i < first + count; ++i) {
            row[i] = static_cast<std::uint16_t>(row[i] + added);
          }
        });
        s = fabric_.channel_head()[channel];
      }
    }
  }
}

void ShiftCounts::find_positions(std::span<const std::uint32_t> sources, EndPortId destination,
                                 std::vector<Positions>& positions) const {
  positions.clear();
  const std::uint32_t to = position_[destination.value()];
  if (to == no_host) return;
  for (const std::uint32_t source : sources) {
    for (const Run& run : runs_at(source)) {
      for_positions(run, to, [&](std::uint32_t first, std::uint32_t count) {
        positions.push_back({first, count});
      });
    }
  }
  if (positions.size() < 2) return;
  std::sort(positions.begin(), positions.end(),
            [](const Positions& a, const Positions& b) { return a.first < b.first; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < positions.size(); ++i) {
    if (positions[i].first == positions[last].first + positions[last].count) {
      positions[last].count += positions[i].count;
    } else {
      positions[++last] = positions[i];
    }
  }
  positions.resize(last + 1);
}

void ShiftCounts::change(std::uint32_t channel, std::span<const Positions> positions, int sign) {
  std::uint16_t* const row = counts_.data() + channel * hosts_of_;
  const auto added = static_cast<std::uint16_t>(sign);
  for (const Positions& each : positions) {
    for (std::uint32_t i = each.first; i < each.first + each.count; ++i) {
      row[i] = static_cast<std::uint16_t>(row[i] + added);
    }
  }
}

double ShiftCounts::met(std::uint32_t channel, std::span<const Positions> positions,
                        bool counted) const {
  const std::uint16_t* const row = counts_.data() + channel * hosts_of_;
  Four sums{};  // together at most all pairs of fewer than 2^16 hosts
  std::uint32_t own = 0;
  for (const Positions& each : positions) {
    sums = add(sums, row + each.first, each.count);
    if (counted) own += each.count;
  }
  return (sums[0] + sums[1] + sums[2] + sums[3] - own) * fabric_.channel_cost()[channel];
}

double ShiftCounts::hot_spot_increase(std::uint32_t channel, std::span<const Positions> positions,
                                      bool counted) const {
  const std::uint16_t* const row = counts_.data() + channel * hosts_of_;
  Four sums{};  // together at most 2^16 times 255 * 256
  std::uint32_t routes = 0;
  for (const Positions& each : positions) {
    sums = add_with_next(sums, row + each.first, each.count, counted ? 1 : 0);
    routes += each.count;
  }
  // (H + 1)^3 - H^3 is 3 H (H + 1) + 1.
  const double growth = 3.0 * (sums[0] + sums[1] + sums[2] + sums[3]) + routes;
  return growth / 6 * cube(fabric_.channel_cost()[channel]);
}

double ShiftCounts::hot_spot_cost(std::uint32_t channel, std::span<const Positions> positions,
                                  bool counted) const {
  const std::uint16_t* const row = counts_.data() + channel * hosts_of_;
  constexpr std::uint32_t most = 255;  // its fourth power is the largest that fits into 32 bits
  const std::uint32_t own = counted ? 1 : 0;
  std::uint64_t sum = 0;
  for (const Positions& each : positions) {
    for (std::uint32_t i = each.first; i < each.first + each.count; ++i) {
      const std::uint32_t routes = std::min<std::uint32_t>(row[i] - own, most);
      const std::uint32_t fourth_power = routes * routes * routes * routes;
      sum += fourth_power;
    }
  }
  return static_cast<double>(sum) * fabric_.channel_cost()[channel];
}

double ShiftCounts::pairs() const {
  double sum = 0;
  for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
    std::uint64_t here = 0;
    for (std::size_t k = 0; k < hosts_of_; ++k) {
      const std::uint64_t routes = counts_[c * hosts_of_ + k];
      if (routes != 0) here += routes * (routes - 1) / 2;
    }
    sum += static_cast<double>(here) * fabric_.channel_cost()[c];
  }
  return sum;
}

double ShiftCounts::hot_spots() const {
  double sum = 0;
  for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
    double here = 0;
    for (std::size_t k = 0; k < hosts_of_; ++k) here += cube(counts_[c * hosts_of_ + k]);
    sum += here / 6 * cube(fabric_.channel_cost()[c]);
  }
  return sum;
}

}  // namespace pssp
