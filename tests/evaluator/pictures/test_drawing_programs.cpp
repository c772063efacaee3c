#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "evaluator/pictures/drawing_programs.h"

using namespace pssp;

TEST_CASE("the error output of a drawing program is reported") {
  try {
    drawn_by_graphviz({"-V"}, "");
  } catch (const Error&) {
    WARN("skipped: graphviz is not installed");
    return;
  }
  CHECK(drawn_by_graphviz({"-Tplain"}, "graph { a -- b }").starts_with("graph"));
  try {
    drawn_by_graphviz({"-Tplain"}, "graph { a -- ");
    FAIL("half a graph was drawn");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::output);
    CHECK_THAT(error.what(),
               Catch::Contains("'dot' failed with code 1") && Catch::Contains("syntax error"));
  }
}

TEST_CASE("the suffix of a file name selects the format of the picture") {
  CHECK(picture_format("a.svg") == "svg");
  CHECK(picture_format("folder.svg/b.PNG") == "png");
  for (const char* const name : {"a.pdf", "svg", "a.svg.gz", ""}) {
    CHECK_THROWS_WITH(picture_format(name), Catch::Contains("ends in .svg or .png"));
  }
}

TEST_CASE("gnuplot does not execute any part of a name") {
  CHECK(gnuplot_literal("d'; system('touch PWNED'); '") == "'d''; system(''touch PWNED''); '''");
  CHECK(gnuplot_literal("a\nb") == "'a b'");
  CHECK(gnuplot_cell("a\t\"b\"") == "a 'b'");
}
