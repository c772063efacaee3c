#pragma once

// Counts irregularities of a file, for a warning or error in one line with a few examples.

#include <cstddef>
#include <string>

#include "base/printable.h"

namespace pssp {

class Cases {
 public:
  void add(const std::string& example) {
    if (count_++ < max_examples) examples_ += (examples_.empty() ? "" : ", ") + printable(example);
  }
  std::size_t count() const noexcept { return count_; }
  /// The first few examples, followed by "..." if there are more.
  std::string examples() const { return count_ > max_examples ? examples_ + ", ..." : examples_; }

 private:
  static constexpr std::size_t max_examples = 5;
  std::size_t count_ = 0;
  std::string examples_;
};

}  // namespace pssp
