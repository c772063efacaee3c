#pragma once

// Helpers for the tests of patterns: the flows of each phase as pairs of ranks, and the messages of
// refused requests. The code calls a phase a level.

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "evaluator/patterns/registry.h"

namespace pssp::test {

using RankPair = std::pair<std::uint32_t, std::uint32_t>;
using Pairs = std::vector<RankPair>;
using Levels = std::vector<Pairs>;

inline Pairs level_of(const Pattern& pattern, std::uint32_t level,
                      const RandomGenerator& random = {1, 1}) {
  Pairs pairs;
  const auto collect = [&pairs](std::span<const Flow> flows) {
    for (const Flow& flow : flows) pairs.emplace_back(flow.source, flow.destination);
  };
  FlowWriter writer(collect);
  pattern.write_level(level, random, writer);
  collect(writer.block());
  return pairs;
}

inline Levels levels_of(const PatternSpec& request) {
  const auto pattern = make_pattern(request);
  Levels levels;
  for (std::uint32_t l = 0; l < pattern->level_count(); ++l)
    levels.push_back(level_of(*pattern, l));
  return levels;
}

inline Levels levels_of(const std::string& pattern, std::uint32_t ranks) {
  PatternSpec request;
  request.pattern = pattern;
  request.ranks = ranks;
  return levels_of(request);
}

inline Levels levels_of_two(const std::string& first, const std::string& second,
                            std::uint32_t ranks_of_first, std::uint32_t ranks) {
  PatternSpec request;
  request.pattern = "ptrnvsptrn";
  request.first = first;
  request.second = second;
  request.ranks_of_first = ranks_of_first;
  request.ranks = ranks;
  return levels_of(request);
}

/// Message of the usage error that the request causes. Fails the test if the request is accepted.
inline std::string refusal_of(const PatternSpec& request) {
  try {
    make_pattern(request);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  FAIL("'" << request.pattern << "' was taken for " << request.ranks << " ranks");
  return {};
}

inline std::string refusal_of(const std::string& pattern, std::uint32_t ranks) {
  PatternSpec request;
  request.pattern = pattern;
  request.ranks = ranks;
  return refusal_of(request);
}

}  // namespace pssp::test
