// Settings that cc_apply saved, and the requests with which --restore sends them.

#include <algorithm>
#include <string>

#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tests/temporary_file.h"
#include "tools/congestion/dialogues.h"
#include "tools/congestion/saved_settings.h"

namespace pssp::test {
namespace {

bool same_node(const SavedNode& a, const SavedNode& b) {
  return a.node.is_switch == b.node.is_switch && a.node.guid == b.node.guid &&
         a.node.lid == b.node.lid && a.node.name == b.node.name &&
         a.node.description == b.node.description && a.requests == b.requests;
}

/// The dialogue must first ask the node for its identity, and then send only Set requests of
/// congestion control.
void require_requests(const SavedNode& saved) {
  SetDialogue dialogue(saved.node, saved.requests);
  const auto first = dialogue.next();
  require(first && first->method == MadMethod::get && first->to.lid == saved.node.lid,
          "the first request to a node does not query its identity");
  for (const CcRequest& request : saved.requests) {
    const MadBytes mad = encode(mad_request(request, 0, general_services_at(saved.node.lid)), 1);
    const MadHeader header = header_of(mad);
    require(header.management_class == congestion_class.number &&
                header.method == static_cast<std::uint8_t>(MadMethod::set) &&
                decode_answer(mad, congestion_class).data == request.data,
            "encoding a request changes it");
  }
}

}  // namespace

void fuzz_saved_settings(std::string_view input) {
  const TemporaryFile file{std::string(input)};
  const std::vector<SavedNode> nodes = load_saved_settings(file.path());
  for (const SavedNode& saved : nodes) {
    require_message(label(saved.node));
    require_requests(saved);
  }
  const TemporaryFile again{saved_settings_text(nodes, "written again")};
  const std::vector<SavedNode> loaded = load_saved_settings(again.path());
  require(std::ranges::equal(nodes, loaded, same_node), "writing saved settings changes them");
}

}  // namespace pssp::test
