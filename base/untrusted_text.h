#pragma once

// Names that the fabric or a scheduler gave (node descriptions, names of jobs and users) on
// terminals, in JSON and in CSV. Any byte may be in them. What no one should see done is seen
// instead: unlike printable() of printable.h, which is for messages, no two characters that do
// different things look alike.

#include <string>
#include <string_view>

namespace pssp {

/// Valid UTF-8: what is none becomes U+FFFD; control characters, line and paragraph separators and
/// those that turn the direction of writing become \u{1b}, a backslash \\. Nothing that is left
/// commands a terminal. Zero bytes at the end, with which nodes fill up, are left out.
std::string untrusted_text(std::string_view text);

/// A field of CSV: untrusted_text() between quotes where RFC 4180 wants them, and with an
/// apostrophe before it where a spreadsheet would take it for a formula (= + - @ at its beginning).
std::string csv_text(std::string_view text);

}  // namespace pssp
