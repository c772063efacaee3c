#include "simulator/traffic/pattern_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/printable.h"
#include "base/random.h"
#include "evaluator/patterns/registry.h"

namespace pssp {
namespace {

enum PatternPurpose : std::uint64_t {
  purpose_of_levels = 0x6c6576656c73,  // "levels"
  purpose_of_order = 0x6f72646572,     // "order"
  purpose_of_incast = 0x696e63617374,  // "incast"
};

[[noreturn]] void refuse_size(const std::string& pattern, std::size_t hosts, const char* what,
                              std::size_t most) {
  throw Error(ErrorKind::usage,
              fmt::format("pattern '{}' of {} hosts has more than {} {}; expected fewer hosts "
                          "(among SET), or another pattern",
                          excerpt(pattern), hosts, most, what));
}

}  // namespace

std::vector<std::vector<Flow>> pattern_rounds(const std::string& pattern,
                                              std::span<const std::uint32_t> ranks,
                                              std::uint64_t seed) {
  PatternSpec spec;
  spec.pattern = pattern;
  spec.ranks = static_cast<std::uint32_t>(ranks.size());
  const auto made = make_pattern(spec);
  const std::uint32_t levels = made->level_count();
  if (levels > most_pattern_rounds) {
    refuse_size(pattern, ranks.size(), "levels", most_pattern_rounds);
  }
  std::vector<std::vector<Flow>> rounds(levels);
  std::size_t flows = 0;
  for (std::uint32_t level = 0; level < levels; ++level) {
    std::vector<Flow>& round = rounds[level];
    const auto add = [&](std::span<const Flow> block) {
      flows += block.size();
      if (flows > most_pattern_flows) {
        refuse_size(pattern, ranks.size(), "flows", most_pattern_flows);
      }
      for (const Flow& flow : block) {
        round.push_back({ranks[flow.source], ranks[flow.destination]});
      }
    };
    FlowWriter writer(add);
    made->write_level(level, random_stream(seed, purpose_of_levels, level), writer);
    add(writer.block());
  }
  // A round without flows would end before it began.
  std::erase_if(rounds, [](const std::vector<Flow>& round) { return round.empty(); });
  return rounds;
}

std::vector<std::uint32_t> random_rank_order(std::uint32_t hosts, std::uint64_t seed) {
  RandomGenerator random = random_stream(seed, purpose_of_order, 0);
  return random_permutation(hosts, random);
}

std::vector<StaticFlow> incast(std::uint32_t hosts, std::uint32_t senders, std::uint64_t seed) {
  if (senders == 0 || senders >= hosts) {
    throw Error(ErrorKind::usage,
                fmt::format("incast of {} senders among {} hosts; expected 1 .. {}", senders, hosts,
                            hosts == 0 ? 0 : hosts - 1));
  }
  RandomGenerator random = random_stream(seed, purpose_of_incast, 0);
  std::vector<std::uint32_t> order = random_permutation(hosts, random);
  const std::uint32_t receiver = order.back();
  order.resize(senders);
  std::ranges::sort(order);
  std::vector<StaticFlow> flows(senders);
  for (std::uint32_t i = 0; i < senders; ++i) flows[i].hosts = {order[i], receiver};
  return flows;
}

std::uint64_t busiest_host_bytes(const RoundTraffic& rounds, std::uint32_t hosts) {
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> sent(hosts);
  std::vector<std::uint64_t> received(hosts);
  for (const std::vector<Flow>& round : rounds.rounds) {
    std::ranges::fill(sent, 0);
    std::ranges::fill(received, 0);
    std::uint64_t most = 0;
    for (const Flow& flow : round) {
      most = std::max({most, ++sent[flow.source], ++received[flow.destination]});
    }
    sum += most * rounds.bytes;
  }
  return sum;
}

}  // namespace pssp
