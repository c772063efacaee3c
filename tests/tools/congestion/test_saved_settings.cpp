#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "congestion/profiles.h"
#include "tools/congestion/node_requests.h"
#include "tools/congestion/saved_settings.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

/// A file name that no other process uses; the destructor removes the file.
class File {
 public:
  File()
      : path_(std::filesystem::temp_directory_path() /
              ("pssp-saved-settings-" + std::to_string(getpid()))) {
    remove();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { remove(); }
  std::string name() const { return path_.string(); }
  void write(const std::string& text) const { std::ofstream(path_) << text; }

 private:
  void remove() const {
    std::error_code none;
    std::filesystem::remove(path_, none);
  }
  std::filesystem::path path_;
};

std::vector<SavedNode> sample() {
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  const CcNode leaf{true, 0x10, 4, "S-10", "leaf 'a' \x1b[31m", {PortRole::unconnected}};
  const CcNode host{false, ~Guid{0}, 0xbfff, "H", "", {}};
  return {{leaf, set_requests(leaf, set)}, {host, set_requests(host, set)}};
}

std::string complaint(const File& file, const std::string& text) {
  file.write(text);
  try {
    load_saved_settings(file.name());
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unreadable_input);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("saved settings are read back unchanged") {
  const File file;
  const std::vector<SavedNode> nodes = sample();
  save_settings(file.name(), nodes, "before\nthat");
  const std::vector<SavedNode> loaded = load_saved_settings(file.name());
  REQUIRE(loaded.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(loaded[i].node.is_switch == nodes[i].node.is_switch);
    CHECK(loaded[i].node.guid == nodes[i].node.guid);
    CHECK(loaded[i].node.lid == nodes[i].node.lid);
    CHECK(loaded[i].node.name == nodes[i].node.name);
    CHECK(loaded[i].requests == nodes[i].requests);
  }
  CHECK(loaded[0].node.description == "leaf 'a'  [31m");
  CHECK_THROWS_AS(save_settings(file.name(), nodes, ""), Error);
}

TEST_CASE("a file of saved settings that is incomplete or was changed is refused") {
  const File file;
  const std::string text = saved_settings_text(sample(), "");
  CHECK(complaint(file, text).empty());
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1)) {
    CHECK_THAT(complaint(file, text.substr(0, at + 1)), Contains("incomplete"));
  }
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    return complaint(file, other);
  };
  CHECK_THAT(changed("version 1", "version 2"), Contains(":1: ") && Contains("not a file saved"));
  CHECK_THAT(changed("end of 2", "end of 3"), Contains("2 nodes precede"));
  CHECK_THAT(changed("adapter", "router"), Contains("expected 'switch"));
  CHECK_THAT(changed("SwitchCongestionSetting 0 0", "SwitchCongestionSetting 0 g"),
             Contains("hexadecimal"));
  CHECK_THAT(changed("SwitchCongestionSetting 0 0", "SwitchCongestionSetting 0 "),
             Contains("384 hexadecimal"));
  CHECK_THAT(changed("CACongestionSetting", "CongestionInfo"), Contains("an attribute"));
  CHECK_THAT(changed(" 49151", " 49152"), Contains("at most 49151"));
}
