#pragma once

// Names what a file seems to be, for the message that says it is the wrong one.

#include <string>
#include <string_view>

namespace pssp {

/// For example "forwarding tables (dump_fts)", "a gzip archive: unpack it first", "text of a kind
/// that is not known". Looks at the first 64 KiB.
std::string describe_content(std::string_view text);

}  // namespace pssp
