// Names and descriptions from the fabric must not control a terminal that shows written files.

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <utility>

#include "fabric/builder.h"
#include "fabric/formats/lft_writer.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/orcs/dot_writer.h"

using namespace pssp;

namespace {

const std::string escape = "\x1b[2J";
const std::string upper_escape =
    "\xC2\x9B"
    "2J";
const std::string no_utf8 = "\xE4\x9B";

Fabric hostile_fabric() {
  FabricBuilder builder;
  builder.add_switch(1, 4, "S" + upper_escape, "a" + escape + "b");
  builder.add_switch(2, 4, "S2", "a" + upper_escape + "b" + no_utf8);
  builder.assign_lids();
  return std::move(builder).build();
}

std::string written(const std::function<void(const ContentSink&)>& write) {
  std::string text;
  write([&text](std::string_view part) { text += part; });
  return text;
}

void check_harmless(const std::string& text) {
  INFO(text);
  CHECK_FALSE(text.empty());
  for (const std::string& part : {std::string("\x1b"), std::string("\xC2\x9B"), no_utf8}) {
    CHECK(text.find(part) == std::string::npos);
  }
}

}  // namespace

TEST_CASE("written files contain no control characters and no invalid UTF-8") {
  const Fabric fabric = hostile_fabric();
  const ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  check_harmless(written([&](const ContentSink& sink) { write_lft_dump(fabric, tables, sink); }));
  check_harmless(to_net_file(fabric));
  check_harmless(written([&](const ContentSink& sink) { write_dot(fabric, nullptr, {}, sink); }));
}
