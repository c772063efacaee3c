#pragma once

// All patterns by name. A new pattern needs a source file and a line in registry.cpp.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "evaluator/patterns/pattern.h"

namespace pssp {

/// A pattern as specified by the user.
struct PatternSpec {
  /// "NAME" or "NAME:ARGUMENT" ("shift:3", "neighbor:6", "file:levels.txt").
  std::string pattern = "bisect";
  std::uint32_t ranks = 0;  ///< size of the communicator
  // For ptrnvsptrn only: the two patterns, in the same notation, and the ranks of the first. The
  // patterns can also be its argument, as in ORCS: "ptrnvsptrn:tree::neighbor:6".
  std::string first, second;
  std::uint32_t ranks_of_first = 0;
};

/// The description of a pattern in --help and the documentation, and its factory.
struct PatternDescription {
  std::string_view name;  ///< as in --ptrn
  /// The argument after "NAME:", such as "N"; in brackets if optional; empty: none.
  std::string_view argument;
  std::string_view summary;  ///< one line
  /// `argument` is the part after the colon of request.pattern, empty if there is none. Errors as
  /// in make_pattern().
  std::unique_ptr<Pattern> (*make)(const PatternSpec& request, std::string_view argument);
};

/// In the order of the documentation (docs/reference/patterns.md).
std::span<const PatternDescription> pattern_registry();

/// Throws Error(usage) if the name is unknown, the argument invalid or the pattern undefined for
/// this number of ranks; Error(unreadable_input) with file:line for a pattern file.
std::unique_ptr<Pattern> make_pattern(const PatternSpec& request);

}  // namespace pssp
