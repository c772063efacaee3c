// Pattern `ptrnvsptrn` of the ORCS report (sections 2.4 and 2.5): two simultaneous patterns on two
// parts of the communicator, to measure the effect of the second on the first.
//
// The patterns are merged level by level. The first one has the ranks below ranks_of_first, the
// second one the others. If the second has fewer levels, it repeats until the first one ends, and
// its last round is completed, as in ORCS: L1 levels against L2 make ceil(L1 / L2) L2.
//
// Difference from ORCS: there, the level of the second pattern carries over from run to run, so
// that a null first pattern ends the simulation after the first run, and --ptrn_level selects a
// level of the first pattern only. Here every run is the same.

#include <fmt/format.h>

#include <utility>

#include "evaluator/patterns/arguments.h"
#include "evaluator/patterns/descriptions.h"

namespace pssp {
namespace {

class TwoPatterns final : public Pattern {
 public:
  TwoPatterns(std::unique_ptr<Pattern> first, std::unique_ptr<Pattern> second,
              std::uint32_t ranks_of_first)
      : first_(std::move(first)), second_(std::move(second)), ranks_of_first_(ranks_of_first) {}

  std::uint32_t level_count() const override {
    const std::uint32_t length = first_->level_count();
    const std::uint32_t round = second_->level_count();
    if (round == 0) return length;
    if (length == 0) return round;
    return (length + round - 1) / round * round;
  }

  void write_level(std::uint32_t level, RandomGenerator random, FlowWriter& flows) const override {
    const RandomGenerator random_of_second(random(), 0);
    if (level < first_->level_count()) first_->write_level(level, random, flows);
    const std::uint32_t round = second_->level_count();
    if (round == 0) return;
    flows.set_first_rank(ranks_of_first_);
    second_->write_level(level % round, random_of_second, flows);
    flows.set_first_rank(0);
  }

  std::uint32_t observed_ranks() const override { return ranks_of_first_; }

 private:
  std::unique_ptr<Pattern> first_, second_;
  std::uint32_t ranks_of_first_;
};

std::unique_ptr<Pattern> make_part(const PatternSpec& whole, std::string pattern,
                                   std::uint32_t ranks) {
  if (pattern.empty()) {
    refuse_pattern(whole,
                   "needs two patterns, e.g. a tree and a bisection: ptrnvsptrn:tree::bisect");
  }
  PatternSpec part;
  part.pattern = std::move(pattern);
  part.ranks = ranks;
  if (part.pattern.starts_with(ptrnvsptrn_pattern.name)) {
    refuse_pattern(whole, "cannot be a part of itself");
  }
  return make_pattern(part);
}

std::unique_ptr<Pattern> make_two_patterns(const PatternSpec& request, std::string_view argument) {
  std::string first = request.first;
  std::string second = request.second;
  if (!argument.empty()) {
    constexpr std::string_view separator = "::";
    const std::size_t at = argument.find(separator);
    if (at == std::string_view::npos) {
      refuse_pattern(request, "names one pattern; expected two, FIRST::SECOND");
    }
    if (!first.empty() || !second.empty()) {
      refuse_pattern(request, "names its two patterns, but options name them as well");
    }
    first = argument.substr(0, at);
    second = argument.substr(at + separator.size());
  }
  if (request.ranks_of_first == 0 || request.ranks_of_first >= request.ranks) {
    refuse_pattern(request, fmt::format("gives {} of {} ranks to its first pattern; each of the "
                                        "two patterns needs at least one",
                                        request.ranks_of_first, request.ranks));
  }
  return std::make_unique<TwoPatterns>(
      make_part(request, std::move(first), request.ranks_of_first),
      make_part(request, std::move(second), request.ranks - request.ranks_of_first),
      request.ranks_of_first);
}

}  // namespace

const PatternDescription ptrnvsptrn_pattern = {
    "ptrnvsptrn", "[FIRST::SECOND]", "two patterns at the same time on two parts of the hosts",
    make_two_patterns};

}  // namespace pssp
