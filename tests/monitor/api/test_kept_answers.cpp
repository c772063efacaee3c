#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "monitor/api/kept_answers.h"

namespace pssp {
namespace {

KeptAnswers::Body body_of(std::size_t size) {
  return std::make_shared<const std::string>(size, 'x');
}

TEST_CASE("answers are cached for the newest view only, within limits of number and size") {
  KeptAnswers kept(3, 100);
  const LiveViewPointer view = std::make_shared<const LiveView>();
  CHECK(kept.find("a", view) == nullptr);
  const KeptAnswers::Body body = body_of(60);
  kept.add("a", view, body);
  CHECK(kept.find("a", view) == body);
  kept.add("b", view, body_of(60));
  CHECK(kept.find("b", view) == nullptr);
  for (const char* each : {"c", "d", "e"}) kept.add(each, view, body_of(10));
  CHECK(kept.find("d", view) != nullptr);
  CHECK(kept.find("e", view) == nullptr);
  // An answer made from an old view is not cached.
  const LiveViewPointer next = std::make_shared<const LiveView>();
  CHECK(kept.find("a", next) == nullptr);
  kept.add("a", view, body);
  CHECK(kept.find("a", next) == nullptr);
}

}  // namespace
}  // namespace pssp
