// Checks that the reference pages have the options, log codes and log topics of the programs.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "routing/engines/engine.h"
#include "routing/options/log_codes.h"
#include "routing/options/plugin_options.h"
#include "tests/source_folder.h"

using namespace pssp;

namespace {

/// Name, values and default of each row, without code marks.
using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const std::string& table) {
  Rows rows;
  std::size_t at = 0;
  while (table.compare(at, 2, "| ") == 0) {
    std::size_t cell = at + 2;
    std::vector<std::string> cells;
    while (cells.size() < 3) {
      const std::size_t end = table.find(" | ", cell);
      std::string text = table.substr(cell, end - cell);
      std::erase(text, '`');
      cells.push_back(std::move(text));
      cell = end + 3;
    }
    rows.push_back(std::move(cells));
    at = table.find('\n', at) + 1;
  }
  return rows;
}

Rows rows_of_page(const std::filesystem::path& page) {
  std::ifstream file(test::source_folder() / "docs/reference" / page, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string head = "| option | values | default | meaning |\n|---|---|---|---|\n";
  const std::size_t at = text.find(head);
  REQUIRE(at != std::string::npos);
  return rows_of(text.substr(at + head.size()));
}

/// Checks the options of `page`. If an option has no default, the page may say what that means.
void compare(const std::filesystem::path& page, const std::vector<OptionDescription>& options) {
  INFO(page);
  Rows found = rows_of_page(page);
  const Rows expected = rows_of(markdown_rows(options));
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (options[i].fallback.empty()) found[i][2] = expected[i][2];
    CHECK(found[i] == expected[i]);
  }
}

}  // namespace

TEST_CASE("the page of each engine has the options of the engine") {
  for (const EngineDescription& engine : engine_registry()) {
    compare(std::filesystem::path("engines") / (std::string(engine.name) + ".md"),
            engine.options());
  }
}

namespace {

std::string page_on_log_messages() {
  std::ifstream file(test::source_folder() / "docs" / "reference" / "log-messages.md",
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A row for each code from `first` to `last`, below the head of the table.
std::string table_of_codes(LogCode first, LogCode last) {
  std::string rows = "| code | meaning | effect on traffic | what to do |\n|---|---|---|---|\n";
  for (const LogCodeDescription& each : log_code_table()) {
    if (each.code < first || each.code > last) continue;
    const std::string code = with_code(each.code, "");
    rows += "| `" + code.substr(0, code.size() - 2) + "` | " + std::string(each.meaning) + " | " +
            std::string(each.effect) + " | " + std::string(each.action) + " |\n";
  }
  return rows + "\n";
}

}  // namespace

TEST_CASE("the page on log messages has all codes and topics of the log") {
  const std::string page = page_on_log_messages();
  const std::string codes = table_of_codes(LogCode(0x7A20), LogCode(0x7AFF));
  INFO("expected in docs/reference/log-messages.md:\n" << codes);
  CHECK(page.find(codes) != std::string::npos);
  const std::string of_options = table_of_codes(LogCode(0x7A10), LogCode(0x7A1F));
  INFO("and:\n" << of_options);
  CHECK(page.find(of_options) != std::string::npos);
  std::string topics =
      "| line begins | meaning | effect on traffic | what to do |\n|---|---|---|---|\n";
  for (const LogTopicDescription& each : log_topic_table()) {
    topics += "| `" + std::string(each.begin.substr(0, each.begin.size() - 1)) + "` | " +
              std::string(each.meaning) + " | " + std::string(each.effect) + " | " +
              std::string(each.action) + " |\n";
  }
  INFO("and:\n" << topics);
  CHECK(page.find(topics + "\n") != std::string::npos);
}

TEST_CASE("OpenSM logs at most fifteen kinds of lines of a running plugin by default") {
  std::size_t kinds = log_topic_table().size();
  unsigned last = 0x7A00;
  for (const LogCodeDescription& each : log_code_table()) {
    // Errors about options, 7A1x, are logged only once, when opensm starts.
    kinds += each.code > LogCode(0x7A1F) ? 1 : 0;
    CHECK(static_cast<unsigned>(each.code) > last);
    last = static_cast<unsigned>(each.code);
    for (const std::string_view text : {each.meaning, each.effect, each.action}) {
      CHECK_FALSE(text.empty());
    }
  }
  CHECK(last <= 0x7AFF);
  CHECK(kinds <= 15);
}

TEST_CASE("the page of the plugin has the options of the plugin") {
  compare("plugin.md", plugin_option_list());
}
