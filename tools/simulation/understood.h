#pragma once

// A value of the command line that is understood after parsing.

#include <fmt/format.h>

#include <string>

#include "base/error.h"

namespace pssp {

/// What `read` makes of the text; where it throws, Error(usage) with the option's name before it.
template <class Read>
auto understood(const char* option, const std::string& text, const Read& read) {
  try {
    return read(text);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace pssp
