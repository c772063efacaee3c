#include <catch2/catch.hpp>
#include <vector>

#include "ibsim_harness/gnuplot.h"
#include "ibsim_harness/text_table.h"
#include "ibsim_harness/trial_clock.h"

using namespace pssp;

TEST_CASE("The first column stands to the left, words are not cut to columns") {
  const std::vector<TableRow> rows{{"a", "bb", "c"}, {"long", "1", "22"}, {"x", "a remark"}};
  CHECK(text_table(rows) == "a     bb   c\nlong   1  22\nx     a remark\n");
}

TEST_CASE("Rounded numbers have no zeros at the end") {
  CHECK(rounded_text(5.04, 1) == "5");
  CHECK(rounded_text(0.25, 1) == "0.3");
  CHECK(rounded_text(2.6666, 3) == "2.667");
}

TEST_CASE("Nothing of a name is carried out by gnuplot") {
  CHECK(gnuplot_literal("d'; system('touch PWNED'); '") == "'d''; system(''touch PWNED''); '''");
  CHECK(gnuplot_literal("a\nb") == "'a b'");
  CHECK(gnuplot_cell("a\t\"b\"") == "a 'b'");
}

TEST_CASE("Durations in words") {
  CHECK(duration_text(59) == "59 s");
  CHECK(duration_text(125) == "2 min 05 s");
  CHECK(duration_text(3720) == "1 h 02 min");
}
