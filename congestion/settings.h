#pragma once

// Text of the form `name = value`, one per line; '#' begins a comment.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

struct Setting {
  std::string name, value;
  std::size_t line = 0;
};

/// The settings in the order of the text; `name` stands for the file in messages. Throws
/// Error(unreadable_input), "name:line: ...", for lines of another form, repeated names, and text
/// without settings.
std::vector<Setting> read_settings(std::string_view text, std::string_view name);

}  // namespace pssp
