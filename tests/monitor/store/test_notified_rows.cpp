#include <catch2/catch.hpp>

#include "monitor/store/history_writer.h"
#include "monitor/store/notified_rows.h"
#include "tests/temporary_folder.h"

using namespace pssp;

TEST_CASE("notified incidents are stored per receiver until they end") {
  const test::TemporaryFolder folder;
  HistoryOptions options;
  options.file = folder.path() / "history.db";
  using Bodies = std::map<std::string, std::string>;
  {
    HistoryWriter writer(options);
    writer.write_notified({});
    writer.write_notified(
        std::vector<NotifiedRecord>{{"webhook", "a", "1"}, {"webhook", "b", "2"}});
    writer.write_notified(std::vector<NotifiedRecord>{{"mail", "a", "3"}, {"webhook", "b", ""}});
    writer.write_notified(std::vector<NotifiedRecord>{{"webhook", "a", "4"}});
  }
  CHECK(read_notified_rows(options.file, "webhook") == Bodies{{"a", "4"}});
  CHECK(read_notified_rows(options.file, "mail") == Bodies{{"a", "3"}});
  CHECK(read_notified_rows(options.file, "pager").empty());
}
