// Ranks are ascending in every set, so that the order does not depend on the notation; only `first`
// uses the order of LIDs, which administrators see.

#include "simulator/traffic/host_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/error.h"
#include "base/no_index.h"
#include "base/printable.h"
#include "base/random.h"
#include "simulator/traffic/glob.h"
#include "simulator/values.h"

namespace pssp {
namespace {

constexpr unsigned deepest_set = 16;
constexpr std::uint64_t purpose_of_random_sets = 0x73657473;  // "sets"
constexpr std::uint64_t most_hosts = 1'000'000;

[[noreturn]] void refuse_set(const std::string& message) { throw Error(ErrorKind::usage, message); }

/// The first `count` candidates; throws if there are too few.
void require_so_many(std::uint64_t count, std::size_t candidates) {
  if (count > candidates) {
    refuse_set(fmt::format("{} hosts of {}: expected at most {}", count, candidates, candidates));
  }
}

}  // namespace

HostSets::HostSets(const Fabric& fabric, std::uint64_t seed)
    : fabric_(fabric),
      directory_(fabric),
      seed_(seed),
      rank_of_end_port_(fabric.end_port_count(), no_index),
      by_lid_(fabric.endpoints().size()),
      sends_(fabric.endpoints().size()) {
  const auto endpoints = fabric.endpoints();
  for (std::uint32_t rank = 0; rank < endpoints.size(); ++rank) {
    rank_of_end_port_[endpoints[rank].value()] = rank;
  }
  std::iota(by_lid_.begin(), by_lid_.end(), 0U);
  std::ranges::stable_sort(
      by_lid_, {}, [&](std::uint32_t rank) { return fabric.end_port(endpoints[rank]).lid; });
}

std::string HostSets::name(std::uint32_t rank) const {
  return fabric_.label(fabric_.endpoints()[rank]);
}

std::uint32_t HostSets::host(std::string_view text) const {
  const LidOwner owner = directory_.find(text).owner;
  if (owner.kind == LidOwner::Kind::end_port && rank_of_end_port_[owner.index] != no_index) {
    return rank_of_end_port_[owner.index];
  }
  refuse_set(
      fmt::format("{} is not a host: it takes no part in traffic", directory_.describe(owner)));
}

std::vector<std::uint32_t> HostSets::fitting(const std::string& glob) const {
  Ranks ranks;
  const auto endpoints = fabric_.endpoints();
  for (std::uint32_t rank = 0; rank < endpoints.size(); ++rank) {
    const EndPort& port = fabric_.end_port(endpoints[rank]);
    if (fits_glob(port.name, glob) || fits_glob(port.description, glob)) ranks.push_back(rank);
  }
  if (ranks.empty()) {
    refuse_set(fmt::format("'{}' matches the name or description of no host", excerpt(glob)));
  }
  return ranks;
}

std::vector<std::uint32_t> HostSets::take_set(TrafficTokens& tokens) {
  Ranks ranks = take_term(tokens, 0);
  if (ranks.empty()) refuse_set("this set of hosts is empty");
  return ranks;
}

std::uint32_t HostSets::take_host(TrafficTokens& tokens) {
  const TrafficWord& word = tokens.take("a host");
  if (word.is("lid") || word.is("guid")) {
    const std::string kind = word.text;
    return host(kind + ":" + tokens.take("a number").text);
  }
  if (!word.quoted && (word.text == "{" || word.text.find_first_of("*?") != std::string::npos)) {
    refuse_set(fmt::format("'{}' is a set; expected one host", excerpt(word.text)));
  }
  return host(word.text);
}

std::vector<std::uint32_t> HostSets::take_term(TrafficTokens& tokens, unsigned depth) {
  if (depth > deepest_set) refuse_set("the sets are nested too deeply");
  if (tokens.take_keyword("{")) return take_braces(tokens, depth);
  if (tokens.take_keyword("first")) return take_number_of(tokens, false, depth);
  if (tokens.take_keyword("last")) return take_number_of(tokens, true, depth);
  if (tokens.take_keyword("random")) return take_random(tokens, depth);
  if (tokens.take_keyword("all")) return take_of(tokens, depth);
  if (tokens.take_keyword("others")) {
    Ranks ranks = take_of(tokens, depth);
    std::erase_if(ranks, [&](std::uint32_t rank) { return sends_[rank] != 0; });
    return ranks;
  }
  const TrafficWord* const word = tokens.peek();
  if (word != nullptr && !word->quoted && word->text.find_first_of("*?") != std::string::npos) {
    return fitting(tokens.take("a host").text);
  }
  return {take_host(tokens)};
}

/// `of SET`; all hosts if it is missing.
std::vector<std::uint32_t> HostSets::take_of(TrafficTokens& tokens, unsigned depth) {
  if (tokens.take_keyword("of")) return take_term(tokens, depth + 1);
  Ranks ranks(by_lid_.size());
  std::iota(ranks.begin(), ranks.end(), 0U);
  return ranks;
}

std::vector<std::uint32_t> HostSets::take_braces(TrafficTokens& tokens, unsigned depth) {
  Ranks all;
  do {
    const Ranks some = take_term(tokens, depth + 1);
    Ranks both;
    std::ranges::set_union(all, some, std::back_inserter(both));
    all = std::move(both);
  } while (tokens.take_keyword(","));
  tokens.expect("}");
  return all;
}

std::vector<std::uint32_t> HostSets::take_number_of(TrafficTokens& tokens, bool from_the_end,
                                                    unsigned depth) {
  const std::uint64_t count =
      read_count(tokens.take("a number of hosts").text, "a number of hosts", 1, most_hosts);
  const Ranks candidates = take_of(tokens, depth);
  require_so_many(count, candidates.size());
  Ranks ranks;
  std::ranges::copy_if(by_lid_, std::back_inserter(ranks), [&](std::uint32_t rank) {
    return std::ranges::binary_search(candidates, rank);
  });
  if (from_the_end) std::ranges::reverse(ranks);
  ranks.resize(count);
  std::ranges::sort(ranks);
  return ranks;
}

std::vector<std::uint32_t> HostSets::take_random(TrafficTokens& tokens, unsigned depth) {
  const std::uint64_t count =
      read_count(tokens.take("a number of hosts").text, "a number of hosts", 1, most_hosts);
  std::uint64_t seed = seed_;
  std::uint64_t index = ++draws_;
  if (tokens.take_keyword("seed")) {
    seed = read_count(tokens.take("a seed").text, "a seed", 0, ~std::uint64_t{0});
    index = 0;
  }
  Ranks ranks = take_of(tokens, depth);
  require_so_many(count, ranks.size());
  RandomGenerator random = random_stream(seed, purpose_of_random_sets, index);
  shuffle(ranks, random);
  ranks.resize(count);
  std::ranges::sort(ranks);
  return ranks;
}

}  // namespace pssp
