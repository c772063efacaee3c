#pragma once

// What nodes had before something was set, in a file, so that there is a way back.
//
// The file is text. A node is a line with its kind, GUID and LID, two with its name and
// description, and a line for each setting that gives it back what it had: attribute, modifier and
// the 192 bytes in hexadecimal. The last line counts the nodes, so that half a file is known as
// such.

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

/// `remark` is a line on what this is of, for people.
std::string saved_settings_text(std::span<const SavedNode> nodes, const std::string& remark);

/// Writes the file, durably, and never over another: Error(output) when `path` is there already or
/// cannot be written.
void save_settings(const std::string& path, std::span<const SavedNode> nodes,
                   const std::string& remark);

/// Throws Error(unreadable_input) with file and line when it is not such a file, or not whole.
std::vector<SavedNode> load_saved_settings(const std::string& path);

}  // namespace pssp
