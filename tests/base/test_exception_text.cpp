#include <catch2/catch.hpp>
#include <new>
#include <stdexcept>
#include <string>

#include "base/exception_text.h"

using namespace pssp;

TEST_CASE("the text of an exception contains no C++ class name") {
  CHECK(std::string(text_of(std::runtime_error("the file is empty"))) == "the file is empty");
  CHECK(std::string(text_of(std::bad_alloc())) == "out of memory");
}
