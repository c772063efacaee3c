#pragma once

// A value of the command line that is interpreted after parsing.

#include <fmt/format.h>

#include <string>

#include "base/error.h"

namespace pssp {

/// The result of `read` for the text; its errors become Error(usage) with the option's name in
/// front.
template <class Read>
auto understood(const char* option, const std::string& text, const Read& read) {
  try {
    return read(text);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace pssp
