#pragma once

// Inputs that are almost valid, for short runs without the engine of a fuzzer, which measures code
// coverage and needs a separate build (docs/explanation/fuzzing.md).

#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace pssp::test {

/// Makes one to eight changes of `input`: changes bytes and numbers, copies or removes lines and
/// pieces, inserts pieces of `others`, or truncates the text. At most `longest_mutation` bytes.
std::string mutated(std::string_view input, const std::vector<std::string>& others,
                    RandomGenerator& random);

inline constexpr std::size_t longest_mutation = std::size_t{16} << 10;

}  // namespace pssp::test
