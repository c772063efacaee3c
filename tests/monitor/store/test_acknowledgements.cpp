#include <catch2/catch.hpp>

#include "monitor/store/acknowledgements.h"
#include "tests/temporary_folder.h"

using namespace pssp;

TEST_CASE("an acknowledgement replaces the previous one and removes expired ones") {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "history.db";
  keep_acknowledgement(file, {"a", "cable ordered", 1000, 5000});
  keep_acknowledgement(file, {"b", "known", 2000, 3000});
  keep_acknowledgement(file, {"a", "'quoted'; <b>", 4000, 9000});
  const std::vector<Acknowledgement> kept = read_acknowledgements(file);
  REQUIRE(kept.size() == 1);
  CHECK(kept[0].incident == "a");
  CHECK(kept[0].comment == "'quoted'; <b>");
  CHECK(kept[0].since_ms == 4000);
  CHECK(kept[0].until_ms == 9000);
}
