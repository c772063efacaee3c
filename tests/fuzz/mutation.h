#pragma once

// Inputs that are nearly right: for a short run without a fuzzer's own engine, which measures what
// code an input reaches and needs a build of its own (docs/explanation/fuzzing.md).

#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace pssp::test {

/// One to eight changes of `input`: bytes, numbers, lines and pieces are changed, doubled, moved or
/// left out, and pieces of `others` are put in. At most `longest_mutation` bytes.
std::string mutated(std::string_view input, const std::vector<std::string>& others,
                    RandomGenerator& random);

inline constexpr std::size_t longest_mutation = std::size_t{16} << 10;

}  // namespace pssp::test
