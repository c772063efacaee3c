#pragma once

// Names from the fabric or a scheduler (node descriptions, names of jobs and users) in terminals,
// JSON and CSV. They can contain any byte. Special characters are made visible: unlike printable()
// in printable.h, which is for messages, different characters never look alike.

#include <string>
#include <string_view>

namespace pssp {

/// Valid UTF-8: invalid bytes become U+FFFD; control characters, line and paragraph separators and
/// characters that change the direction of writing become \u{1b}, a backslash \\. The result cannot
/// control a terminal. Trailing zero bytes, with which nodes pad, are removed.
std::string untrusted_text(std::string_view text);

/// A field of CSV: untrusted_text(), quoted if RFC 4180 requires it, and with an apostrophe before
/// anything that a spreadsheet would treat as a formula (= + - @ at its beginning).
std::string csv_text(std::string_view text);

}  // namespace pssp
