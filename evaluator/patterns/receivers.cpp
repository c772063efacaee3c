// Patterns `recvs_all_src` and `recvs_one_src` from the source of ORCS: some ranks receive, the
// others send to them or, randomly, to each other.
//
// One level. The first R ranks (at most half of them) are receivers and never send. The others take
// turns, in random order or, with `linear`, by rank; sender number i is assigned to receiver i
// modulo the number of receivers. With probability C it sends to this receiver. Otherwise, with
// probability I, it is silent; else it sends to a random rank that is no receiver and gets no flow
// yet, or, if there is none but itself, to its receiver. With recvs_one_src, a receiver that got
// its flow takes no more turns, and when none is left, senders that would send to one are silent.

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "evaluator/patterns/arguments.h"
#include "evaluator/patterns/descriptions.h"

namespace pssp {
namespace {

using Ranks = std::vector<std::uint32_t>;

struct Parameters {
  std::uint32_t receivers = 0;
  double chance_of_receiver = 1;
  double chance_of_silence = 0;
  bool random_order = true;
  bool one_sender = false;
};

Ranks range(std::uint32_t first, std::uint32_t end) {
  Ranks ranks(end - first);
  std::iota(ranks.begin(), ranks.end(), first);
  return ranks;
}

bool happens(double chance, RandomGenerator& random) {
  constexpr double step = 1.0 / 9007199254740992.0;  // 2^-53
  return static_cast<double>(random() >> 11) * step < chance;
}

/// Removes a random rank other than `sender` from the ranks; none if there is none.
std::optional<std::uint32_t> take_other(Ranks& ranks, std::uint32_t sender,
                                        RandomGenerator& random) {
  if (ranks.empty() || (ranks.size() == 1 && ranks.front() == sender)) return std::nullopt;
  std::uint32_t at = 0;
  do {
    at = random.below(static_cast<std::uint32_t>(ranks.size()));
  } while (ranks[at] == sender);
  std::swap(ranks[at], ranks.back());
  const std::uint32_t taken = ranks.back();
  ranks.pop_back();
  return taken;
}

class Receivers final : public Pattern {
 public:
  Receivers(std::uint32_t ranks, const Parameters& parameters)
      : ranks_(ranks), parameters_(parameters) {}

  std::uint32_t level_count() const override { return ranks_ < 2 ? 0 : 1; }
  std::uint32_t observed_ranks() const override { return ranks_; }

  void write_level(std::uint32_t /*level*/, RandomGenerator random,
                   FlowWriter& flows) const override {
    const std::uint32_t count = std::min(parameters_.receivers, ranks_ / 2);
    Ranks receivers = range(0, count);
    Ranks senders = range(count, ranks_);
    Ranks others = senders;
    if (parameters_.random_order) {
      for (auto left = static_cast<std::uint32_t>(senders.size()); left > 1; --left) {
        std::swap(senders[left - 1], senders[random.below(left)]);
      }
    }
    for (std::size_t turn = 0; turn < senders.size(); ++turn) {
      const std::uint32_t sender = senders[turn];
      if (!happens(parameters_.chance_of_receiver, random)) {
        if (happens(parameters_.chance_of_silence, random)) continue;
        if (const auto other = take_other(others, sender, random)) {
          flows.add(sender, *other);
          continue;
        }
      }
      if (receivers.empty()) continue;
      const std::size_t met = turn % receivers.size();
      flows.add(sender, receivers[met]);
      if (parameters_.one_sender) {
        receivers.erase(receivers.begin() + static_cast<std::ptrdiff_t>(met));
      }
    }
  }

 private:
  std::uint32_t ranks_;
  Parameters parameters_;
};

[[noreturn]] void refuse_arguments(const PatternSpec& request) {
  refuse_pattern(request,
                 "is invalid; expected the number of receivers, optionally the probability that a "
                 "sender sends to a receiver and the probability that it is silent otherwise, each "
                 "0 .. 1, and rand or linear, e.g. recvs_all_src:4,0.5,0.1,linear");
}

double chance(const PatternSpec& request, std::string_view text) {
  double value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= 1)) {
    refuse_arguments(request);
  }
  return value;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.push_back(text.substr(0, comma));
    if (comma == text.size()) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::unique_ptr<Pattern> make_receivers(const PatternSpec& request, std::string_view argument,
                                        bool one_sender) {
  std::vector<std::string_view> parts = split(argument);
  Parameters parameters;
  parameters.one_sender = one_sender;
  parameters.receivers = whole_number_argument(request, parts.front(), "the number of receivers", 1,
                                               std::numeric_limits<std::uint32_t>::max());
  if (parts.size() > 1 && (parts.back() == "rand" || parts.back() == "linear")) {
    parameters.random_order = parts.back() == "rand";
    parts.pop_back();
  }
  if (parts.size() > 3) refuse_arguments(request);
  if (parts.size() > 1) parameters.chance_of_receiver = chance(request, parts[1]);
  if (parts.size() > 2) parameters.chance_of_silence = chance(request, parts[2]);
  return std::make_unique<Receivers>(request.ranks, parameters);
}

std::unique_ptr<Pattern> make_all_src(const PatternSpec& request, std::string_view argument) {
  return make_receivers(request, argument, false);
}

std::unique_ptr<Pattern> make_one_src(const PatternSpec& request, std::string_view argument) {
  return make_receivers(request, argument, true);
}

constexpr std::string_view argument_notation = "RECEIVERS[,CHANCE[,SILENCE]][,rand|linear]";

}  // namespace

const PatternDescription recvs_all_src_pattern = {
    "recvs_all_src", argument_notation, "some ranks receive, the others send to them round-robin",
    make_all_src};
const PatternDescription recvs_one_src_pattern = {"recvs_one_src", argument_notation,
                                                  "some ranks receive, each from one other rank",
                                                  make_one_src};

}  // namespace pssp
