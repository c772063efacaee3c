#pragma once

// The JSON of /api/v1/search: nodes and cables whose name, GUID or LID matches a text.

#include <string>
#include <string_view>

#include "monitor/api/json_writer.h"
#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// The request: `q`, and at most `limit` results of each kind, 1 to 100 (default 20).
struct SearchRequest {
  std::string text;  ///< in lower case, without spaces at its ends
  std::size_t limit = 20;
};
/// Throws ApiError for an empty text, and for parameters that are not allowed.
SearchRequest search_request(const Target& target);

/// True if `name` contains the text; the case of letters is ignored.
bool matches(const SearchRequest& request, std::string_view name);

/// Writes `nodes[]` and `ports[]` as members of an open object, exact matches first. A number also
/// matches LIDs, "0x" and digits match the start of a GUID, and "NAME PORT", "NAME port PORT" or
/// "NAME[PORT]" match a port. O(nodes).
void write_found(JsonWriter& json, const LiveView& view, const SearchRequest& request);

}  // namespace pssp
