// State files of the plugin, mostly with a valid checksum, and the tables that opensm would get
// from them. The first byte of the input determines how the rest is used:
//   0: as a complete file;
//   1: as the content after a valid header and checksum;
//   others: as changes of the state of the sample fabric, three bytes each: position (two bytes)
//   and new value. A single remaining byte truncates the file.

#include <string>
#include <utility>

#include "base/digest.h"
#include "osm_plugin/routing_state.h"
#include "osm_plugin/table_chooser.h"
#include "routing/verify/verify.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {
namespace {

TableChooser stable_chooser() {
  ChooserOptions options;
  options.stable.emplace();
  return {make_engine("pssp", {}), options,
          [](const LogMessage& message) { require_message(to_line(message)); }};
}

const LaneSupply eight_lanes{true, 8, 8, "the test"};

struct OwnState {
  OwnState() {
    TableChooser chooser = stable_chooser();
    chooser.adopt(sample_fabric(), *chooser.choose(sample_fabric(), eight_lanes).tables);
    content = state_content(chooser.state({1, 2}));
    head = content.find('\n') + 1;
    body = head + sizeof(DigestValue);
  }

  std::string content;
  std::size_t head = 0, body = 0;  ///< offsets of the checksum and of the content that it protects
};

std::string signed_content(const OwnState& own, std::string_view body) {
  Digest digest;
  digest.add_text(body);
  const DigestValue checksum = digest.value();
  std::string content = own.content.substr(0, own.head);
  content.append(reinterpret_cast<const char*>(checksum.data()), sizeof checksum);
  return content.append(body);
}

std::string changed_body(const OwnState& own, std::string_view changes) {
  std::string body = own.content.substr(own.body);
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(changes[at]); };
  std::size_t at = 0;
  for (; at + 2 < changes.size(); at += 3) {
    body[(byte(at) * 256U + byte(at + 1)) % body.size()] = changes[at + 2];
  }
  if (at < changes.size()) body.resize(body.size() * byte(at) / 256);
  return body;
}

std::string content_of(const OwnState& own, std::string_view input) {
  const char kind = input.front();
  input.remove_prefix(1);
  if (kind == 0) return std::string(input);
  return signed_content(own, kind == 1 ? std::string(input) : changed_body(own, input));
}

/// With any restored state, opensm must get tables that reach all hosts.
void require_choice(RoutingState state) {
  TableChooser chooser = stable_chooser();
  chooser.restore(std::move(state));
  const Choice choice = chooser.choose(sample_fabric(), eight_lanes);
  require(choice.tables && verify(sample_fabric(), choice.tables->tables).usable(),
          "the chosen tables are unusable");
}

}  // namespace

void fuzz_routing_state(std::string_view input) {
  static const OwnState own;
  if (input.empty()) return;
  const std::string content = content_of(own, input);
  RoutingState state = read_state(content);
  const std::string again = state_content({state.options, state.fabric, state.switches,
                                           state.tables, state.levels ? &*state.levels : nullptr,
                                           state.baseline ? &*state.baseline : nullptr});
  require(read_state(again).tables == state.tables, "writing a state changes its tables");
  require_choice(std::move(state));
}

}  // namespace pssp::test
