#pragma once

// All patterns by name. Whoever adds a family writes one file pair and one line here
// (registry.cpp).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "evaluator/patterns/pattern.h"

namespace pssp {

/// A pattern as users ask for it.
struct PatternSpec {
  /// "NAME" or "NAME:ARGUMENT" ("shift:3", "neighbor:6", "file:levels.txt").
  std::string pattern = "bisect";
  std::uint32_t ranks = 0;  ///< size of the communicator
  // Of ptrnvsptrn only: the two patterns, in the same notation, and the ranks of the first. The
  // patterns can be its argument instead, as in ORCS: "ptrnvsptrn:tree::neighbor:6".
  std::string first, second;
  std::uint32_t ranks_of_first = 0;
};

/// What --help and the docs say of a pattern, and who makes it.
struct PatternDescription {
  std::string_view name;  ///< as in --ptrn
  /// What stands behind "NAME:", e.g. "N"; in brackets where it may be left out; empty: nothing.
  std::string_view argument;
  std::string_view summary;  ///< one line
  /// `argument` is what stands behind the colon of request.pattern, empty where nothing does.
  /// Errors as of make_pattern().
  std::unique_ptr<Pattern> (*make)(const PatternSpec& request, std::string_view argument);
};

/// In the order of the documentation (docs/reference/patterns.md).
std::span<const PatternDescription> pattern_registry();

/// Throws Error(usage) when the name is unknown, the argument wrong or the pattern undefined for so
/// many ranks; Error(unreadable_input) with file:line for a pattern file.
std::unique_ptr<Pattern> make_pattern(const PatternSpec& request);

}  // namespace pssp
