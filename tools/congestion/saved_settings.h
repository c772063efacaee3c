#pragma once

// A file with the previous settings of nodes, for restoring them.
//
// The file is text. A node consists of a line with its kind, GUID and LID, two lines with its name
// and description, and a line for each setting that restores it: attribute, modifier and the 192
// bytes in hexadecimal. The last line contains the number of nodes, so that a truncated file is
// detected.

#include <span>
#include <string>
#include <vector>

#include "tools/congestion/cc_nodes.h"
#include "wire/congestion/cc_mad.h"

namespace pssp {

struct SavedNode {
  CcNode node;                      ///< without the roles of its ports
  std::vector<CcRequest> requests;  ///< Sets, in the order in which they must be sent
};

/// `remark` is a line that describes the content for the user.
std::string saved_settings_text(std::span<const SavedNode> nodes, const std::string& remark);

/// Writes the file durably, and never replaces another: Error(output) if `path` exists or cannot be
/// written.
void save_settings(const std::string& path, std::span<const SavedNode> nodes,
                   const std::string& remark);

/// Throws Error(unreadable_input) with file and line if it is another file, or incomplete.
std::vector<SavedNode> load_saved_settings(const std::string& path);

}  // namespace pssp
