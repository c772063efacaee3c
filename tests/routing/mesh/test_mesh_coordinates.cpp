// Compares recognized meshes and tori with plans whose coordinates are known. All other fabrics
// must be refused with the name of a switch near the fault.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <functional>
#include <set>

#include "base/error.h"
#include "routing/mesh/mesh_coordinates.h"
#include "routing/mesh/mesh_recognition.h"
#include "tests/routing/mesh/mesh_plan.h"

namespace pssp {
namespace {

using namespace test;

using Dimensions = std::vector<MeshDimension>;

Dimensions dimensions_of(const Box& box, unsigned seed) {
  const auto meshes = recognise_meshes(make_fabric(draw(box), {.hosts = 1, .seed = seed}));
  REQUIRE(meshes.size() == 1);
  return meshes.front().dimensions;
}

/// Message of the refusal; empty if the fabric is recognized as a mesh.
std::string refusal(const Fabric& fabric) {
  try {
    recognise_meshes(fabric);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unsuitable_topology);
    return error.what();
  }
  return {};
}

/// Plan index of the switch that does not fit according to the message.
std::size_t culprit(const std::string& message) {
  CAPTURE(message);
  const std::string intro = "switch S";
  const std::size_t at = message.find(intro);
  REQUIRE(at != std::string::npos);
  REQUIRE(message.find("does not fit") != std::string::npos);
  return std::stoul(message.substr(at + intro.size()));
}

/// Hops between two switches of a plan.
unsigned hops(const Plan& plan, std::size_t from, std::size_t to) {
  std::vector<unsigned> distance(plan.switches, 1000);
  distance[from] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [a, b] : plan.links) {
      const unsigned best = std::min(distance[a], distance[b]) + 1;
      for (const std::size_t end : {a, b}) {
        if (distance[end] > best) {
          distance[end] = best;
          changed = true;
        }
      }
    }
  }
  return distance[to];
}

std::vector<Box> boxes_to_damage() {
  return {mesh_box({5, 5}),  mesh_box({4, 3}),     mesh_box({3, 3, 3}),   mesh_box({6, 5, 4}),
          torus_box({5, 5}), torus_box({6, 6, 3}), mesh_box({2, 2, 2, 2})};
}

Plan random_regular(std::size_t switches, unsigned degree, unsigned seed) {
  std::mt19937 random(seed);
  Plan plan{switches, {}};
  std::vector<std::size_t> stubs;
  for (std::size_t s = 0; s < switches; ++s) stubs.insert(stubs.end(), degree, s);
  std::shuffle(stubs.begin(), stubs.end(), random);
  for (std::size_t i = 0; i + 1 < stubs.size(); i += 2) {
    if (stubs[i] != stubs[i + 1]) plan.links.emplace_back(stubs[i], stubs[i + 1]);
  }
  return plan;
}

Plan complete_graph(std::size_t switches) {
  Plan plan{switches, {}};
  for (std::size_t a = 0; a < switches; ++a) {
    for (std::size_t b = a + 1; b < switches; ++b) plan.links.emplace_back(a, b);
  }
  return plan;
}

Plan complete_bipartite(std::size_t left, std::size_t right) {
  Plan plan{left + right, {}};
  for (std::size_t a = 0; a < left; ++a) {
    for (std::size_t b = 0; b < right; ++b) plan.links.emplace_back(a, left + b);
  }
  return plan;
}

Plan petersen_graph() {
  Plan plan{10, {}};
  for (std::size_t i = 0; i < 5; ++i) {
    plan.links.emplace_back(i, (i + 1) % 5);
    plan.links.emplace_back(i, i + 5);
    plan.links.emplace_back(i + 5, (i + 2) % 5 + 5);
  }
  return plan;
}

/// Groups of a switches with h links to other groups each; one link between each two groups.
Plan dragonfly(std::size_t a, std::size_t h) {
  const std::size_t groups = a * h + 1;
  Plan plan{groups * a, {}};
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t i = 0; i < a; ++i) {
      for (std::size_t j = i + 1; j < a; ++j) plan.links.emplace_back(g * a + i, g * a + j);
    }
    for (std::size_t other = g + 1; other < groups; ++other) {
      plan.links.emplace_back(g * a + (other - 1) / h, other * a + g / h);
    }
  }
  return plan;
}

/// An n x m torus whose rows are shifted where they close.
Plan twisted_torus(unsigned n, unsigned m, unsigned shift) {
  const Box box{{n, m}, {false, true}};
  Plan plan = draw(box);
  for (unsigned row = 0; row < m; ++row) {
    plan.links.emplace_back(box.index({n - 1, row}), box.index({0, (row + shift) % m}));
  }
  return plan;
}

/// A band of squares whose ends are joined upside down.
Plan moebius_band(unsigned length, unsigned width) {
  const Box box = mesh_box({length, width});
  Plan plan = draw(box);
  for (unsigned row = 0; row < width; ++row) {
    plan.links.emplace_back(box.index({length - 1, row}), box.index({0, width - 1 - row}));
  }
  return plan;
}

}  // namespace

TEST_CASE("sizes and kinds of dimensions are recognized whatever the numbering is") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    CAPTURE(seed);
    CHECK(dimensions_of(mesh_box({}), seed).empty());
    CHECK(dimensions_of(mesh_box({2}), seed) == Dimensions{{2, false}});
    CHECK(dimensions_of(mesh_box({7}), seed) == Dimensions{{7, false}});
    CHECK(dimensions_of(torus_box({3}), seed) == Dimensions{{3, true}});
    CHECK(dimensions_of(torus_box({5}), seed) == Dimensions{{5, true}});
    CHECK(dimensions_of(torus_box({4}), seed) == Dimensions{{2, false}, {2, false}});
    CHECK(dimensions_of(torus_box({2, 5}), seed) == Dimensions{{5, true}, {2, false}});
    CHECK(dimensions_of(mesh_box({3, 8}), seed) == Dimensions{{8, false}, {3, false}});
    CHECK(dimensions_of(torus_box({6, 4, 6}), seed) ==
          Dimensions{{6, true}, {6, true}, {2, false}, {2, false}});
    CHECK(dimensions_of({{3, 5, 4}, {true, false, false}}, seed) ==
          Dimensions{{5, false}, {4, false}, {3, true}});
    CHECK(dimensions_of(mesh_box({2, 2, 2, 2, 2, 2, 2}), seed) == Dimensions(7, {2, false}));
    CHECK(dimensions_of(torus_box({3, 3, 3, 3}), seed) == Dimensions(4, {3, true}));
  }
}

TEST_CASE("recognized coordinates equal those of the plan up to symmetry") {
  for (const Box& box :
       {mesh_box({5, 4, 3}), torus_box({7, 5, 3}), Box{{6, 5, 2}, {true, false, false}}}) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      const Fabric fabric = make_fabric(draw(box), {.seed = seed});
      const auto meshes = recognise_meshes(fabric);
      const MeshCoordinates& mesh = meshes.front();
      // The sizes differ, so each recognized dimension corresponds to the dimension of its size.
      // Two switches have the same distance in it as in the plan.
      REQUIRE(mesh.dimensions.size() == box.sizes.size());
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < mesh.switches.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const auto a = box.place(plan_index(fabric, mesh.switches[i]));
          const auto b = box.place(plan_index(fabric, mesh.switches[j]));
          for (std::size_t d = 0; d < box.sizes.size(); ++d) {
            wrong += box.distance(a[d], b[d], d) == box.distance(mesh.of(i)[d], mesh.of(j)[d], d)
                         ? 0
                         : 1;
          }
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("the refusal of a mesh with a missing cable names a switch next to the cable") {
  for (const Box& box : boxes_to_damage()) {
    const Plan whole = draw(box);
    for (std::size_t k = 0; k < whole.links.size(); ++k) {
      const auto [a, b] = whole.links[k];
      Plan plan = whole;
      cut(plan, a, b);
      const std::string message =
          refusal(make_fabric(plan, {.hosts = 1, .seed = static_cast<unsigned>(k)}));
      CAPTURE(box.sizes, box.ring, a, b, message);
      const std::size_t named = culprit(message);
      CHECK(std::min(hops(whole, named, a), hops(whole, named, b)) <= 1);
      const auto mentions = [&](std::size_t s) {
        return (message + ' ').find(fmt::format("S{} ", s)) != std::string::npos ||
               message.find(fmt::format("S{},", s)) != std::string::npos;
      };
      CHECK((mentions(a) || mentions(b)));
    }
  }
}

TEST_CASE("the refusal of a mesh with a surplus cable names one of its ends or a neighbor") {
  const unsigned seed = GENERATE(1U, 2U);
  std::mt19937 random(seed);
  for (const Box& box : boxes_to_damage()) {
    const Plan whole = draw(box);
    for (unsigned round = 0; round < 40; ++round) {
      const std::size_t a = random() % whole.switches;
      const std::size_t b = random() % whole.switches;
      if (hops(whole, a, b) < 2) continue;
      Plan plan = whole;
      plan.links.emplace_back(a, b);
      const std::string message = refusal(make_fabric(plan, {.seed = round}));
      CAPTURE(box.sizes, box.ring, a, b, message);
      const std::size_t named = culprit(message);
      CHECK(std::min(hops(whole, named, a), hops(whole, named, b)) <= 1);
    }
  }
}

TEST_CASE("the refusal of a mesh with a missing switch names a switch close to the gap") {
  for (const Box& box : boxes_to_damage()) {
    const Plan whole = draw(box);
    for (std::size_t s = 0; s < whole.switches; ++s) {
      Plan plan = whole;
      isolate(plan, s);
      const std::string message = refusal(make_fabric(plan, {.seed = static_cast<unsigned>(s)}));
      CAPTURE(box.sizes, box.ring, s, message);
      CHECK(hops(whole, culprit(message), s) <= 2);
    }
  }
}

TEST_CASE("the refusal of a mesh with two swapped cables names a switch next to one of them") {
  const unsigned seed = GENERATE(1U, 2U);
  std::mt19937 random(seed);
  for (const Box& box : {mesh_box({6, 6}), torus_box({6, 6}), mesh_box({4, 4, 4})}) {
    const Plan whole = draw(box);
    for (unsigned round = 0; round < 40; ++round) {
      Plan plan = whole;
      auto& first = plan.links[random() % plan.links.size()];
      auto& second = plan.links[random() % plan.links.size()];
      const std::set<std::size_t> ends{first.first, first.second, second.first, second.second};
      if (ends.size() != 4) continue;
      std::swap(first.second, second.second);
      const std::string message = refusal(make_fabric(plan, {.seed = round}));
      CAPTURE(box.sizes, box.ring, ends, message);
      const std::size_t named = culprit(message);
      CHECK(std::any_of(ends.begin(), ends.end(),
                        [&](std::size_t end) { return hops(whole, named, end) <= 1; }));
    }
  }
}

TEST_CASE("fabrics that are not meshes are refused with the name of a switch") {
  const std::vector<Plan> plans{
      complete_graph(4),         complete_graph(5),        complete_graph(40),
      complete_bipartite(3, 3),  complete_bipartite(1, 3), complete_bipartite(2, 3),
      complete_bipartite(8, 16), petersen_graph(),         dragonfly(4, 2),
      random_regular(64, 8, 1),  random_regular(64, 4, 2), random_regular(30, 3, 3)};
  for (std::size_t k = 0; k < plans.size(); ++k) {
    CAPTURE(k);
    for (unsigned seed = 0; seed < 4; ++seed) {
      CHECK(culprit(refusal(make_fabric(plans[k], {.seed = seed}))) < plans[k].switches);
    }
  }
}

TEST_CASE("fabrics that only locally look like a mesh are refused") {
  for (const Plan& plan :
       {twisted_torus(6, 6, 1), twisted_torus(5, 7, 3), twisted_torus(6, 8, 4), moebius_band(7, 3),
        moebius_band(8, 4), moebius_band(9, 2), twisted_torus(3, 9, 1), moebius_band(3, 5)}) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      CHECK(culprit(refusal(make_fabric(plan, {.seed = seed}))) < plan.switches);
    }
  }
}

TEST_CASE("large meshes are recognized, and other large fabrics are refused") {
  CHECK_FALSE(refusal(make_fabric(random_regular(10000, 16, 1))).empty());
  CHECK_FALSE(refusal(make_fabric(random_regular(10000, 60, 1))).empty());
  CHECK_FALSE(refusal(make_fabric(complete_bipartite(120, 250))).empty());
  Plan large = draw(mesh_box({30, 30, 11}));
  cut(large, large.links[5000].first, large.links[5000].second);
  CHECK_FALSE(refusal(make_fabric(large, {.seed = 1})).empty());
  CHECK(refusal(make_fabric(draw(mesh_box({100, 100})), {.seed = 1})).empty());
  CHECK(refusal(make_fabric(draw(mesh_box(std::vector<unsigned>(13, 2))), {.seed = 1})).empty());
}

TEST_CASE("each island is recognized as a separate mesh") {
  Plan plan = draw(mesh_box({3, 4}));
  const std::size_t first_of_ring = plan.switches + 1;  // the switch before it has no links
  for (const auto& [a, b] : draw(torus_box({5})).links) {
    plan.links.emplace_back(a + first_of_ring, b + first_of_ring);
  }
  plan.switches = first_of_ring + 5;
  const auto meshes = recognise_meshes(make_fabric(plan));
  REQUIRE(meshes.size() == 3);
  CHECK(meshes[0].dimensions == Dimensions{{4, false}, {3, false}});
  CHECK(meshes[1].dimensions.empty());
  CHECK(meshes[2].dimensions == Dimensions{{5, true}});
  CHECK(recognise_meshes(make_fabric(Plan{0, {}})).empty());
}

TEST_CASE("mesh_step() gives the direction between neighbors, and nothing for other positions") {
  const std::vector<MeshDimension> dimensions{{5, true}, {3, false}, {2, false}};
  using Position = std::vector<std::uint32_t>;
  const auto step = [&](const Position& from, const Position& to) -> std::string {
    const auto found = mesh_step(dimensions, from, to);
    return found ? fmt::format("{}{}", found->up ? '+' : '-', found->dimension) : "none";
  };
  CHECK(step({1, 1, 1}, {2, 1, 1}) == "+0");
  CHECK(step({4, 1, 1}, {0, 1, 1}) == "+0");
  CHECK(step({0, 1, 1}, {4, 1, 1}) == "-0");
  CHECK(step({0, 0, 1}, {0, 2, 1}) == "none");
  CHECK(step({0, 2, 1}, {0, 1, 1}) == "-1");
  CHECK(step({0, 2, 1}, {0, 2, 0}) == "-2");
  CHECK(step({0, 2, 1}, {0, 1, 0}) == "none");
  CHECK(step({0, 2, 1}, {0, 2, 1}) == "none");
  CHECK(step({0, 2, 1}, {2, 2, 1}) == "none");
}

namespace {

std::string file_for(const Box& box, std::size_t base = 0) {
  std::string text;
  for (std::size_t s = 0; s < box.switches(); ++s) {
    text += fmt::format("S{}", s);
    for (const unsigned c : box.place(s)) text += fmt::format(" {}", c + base);
    text += '\n';
  }
  return text;
}

MeshCoordinates from_file(const Fabric& fabric, const std::string& text) {
  return meshes_from_file(fabric, parse_coordinates(text, "file")).front();
}

/// Numbers of missing switches and missing links.
std::pair<std::size_t, std::size_t> gaps_of(const Fabric& fabric, const std::string& text) {
  const MeshGaps gaps = require_damaged_mesh(fabric, from_file(fabric, text), "file");
  return {gaps.switches, gaps.links};
}

void require_refused(const Fabric& fabric, const std::string& text, ErrorKind kind,
                     const std::string& message) {
  CAPTURE(text);
  try {
    from_file(fabric, text);
    FAIL("the file was taken");
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    CHECK_THAT(error.what(), Catch::Contains(message));
  }
}

}  // namespace

TEST_CASE("coordinates in a file may start at any number") {
  const Box box{{4, 3}, {true, false}};
  const Fabric fabric = make_fabric(draw(box), {.seed = 3});
  for (const std::size_t base : {0U, 1U, 100U}) {
    for (const std::string header : {"", "dimensions 4t 3\n"}) {
      const MeshCoordinates mesh = from_file(fabric, header + file_for(box, base));
      CHECK(mesh.dimensions == Dimensions{{4, true}, {3, false}});
      for (std::size_t i = 0; i < mesh.switches.size(); ++i) {
        const auto expected = box.place(plan_index(fabric, mesh.switches[i]));
        CHECK(std::equal(expected.begin(), expected.end(), mesh.of(i).begin()));
      }
    }
  }
}

TEST_CASE("a coordinates file may omit switches without links and have dimensions of size 1") {
  Plan plan = draw(mesh_box({3}));
  plan.switches = 4;
  const auto meshes = meshes_from_file(make_fabric(plan, {.hosts = 1}),
                                       parse_coordinates("S2 7 2\nS1 7 1\nS0 7 0\n", "file"));
  REQUIRE(meshes.size() == 2);
  CHECK(meshes[0].dimensions == Dimensions{{1, false}, {3, false}});
  CHECK(meshes[0].values == std::vector<std::uint32_t>{0, 0, 0, 1, 0, 2});
  CHECK(meshes[1].switches == std::vector<SwitchId>{SwitchId(3)});
  CHECK(meshes[1].dimensions.empty());
}

TEST_CASE("a coordinates file that contradicts the cabling is refused with the name of a switch") {
  const Box box = mesh_box({3, 2});  // S0 S1 S2 / S3 S4 S5
  const Fabric fabric = make_fabric(draw(box));
  const auto unfit = ErrorKind::unsuitable_topology;
  const std::string good = file_for(box);
  CHECK_NOTHROW(from_file(fabric, good));
  require_refused(fabric, "S0 0 0\nS1 1 0\nS2 2 0\nS3 0 1\nS4 1 1\nS5 1 1\n", unfit,
                  "switch S5 at (1, 1) (coordinates of file) does not fit: S4 has the same");
  require_refused(fabric, "S0 0 0\nS1 1 0\nS2 2 0\nS3 1 1\nS4 0 1\nS5 2 1\n", unfit,
                  "switch S0 at (0, 0) (coordinates of file) does not fit: port 3 is cabled to "
                  "S3 at (1, 1), which is not a neighbor");
  require_refused(fabric, "S0 0 0\nS1 1 0\nS2 2 0\nS3 0 1\nS4 1 1\nS5 3 1\n", unfit,
                  "switch S2 at (2, 0) (coordinates of file) does not fit");
  require_refused(fabric, "dimensions 3t 2\n" + good, unfit,
                  "switch S0 at (0, 0) (coordinates of file) does not fit: it is not cabled to "
                  "its neighbor S2 at (2, 0)");
  require_refused(fabric, "dimensions 4 2\n" + good, ErrorKind::unreadable_input,
                  "file:1: dimension sizes do not fit: size 4 is given for dimension 0");
  require_refused(fabric, "S0 0 0\nS1 1 0\nS2 2 0\nS3 0 1\nS4 9 9\nS5 2 1\n", unfit,
                  "switch S1 at (1, 0) (coordinates of file) does not fit: port 4 is cabled to "
                  "S4 at (9, 9), which is not a neighbor");
  Plan cut_plan = draw(box);
  cut(cut_plan, 1, 4);
  CHECK(gaps_of(make_fabric(cut_plan), good) == std::pair<std::size_t, std::size_t>{0, 1});
  cut(cut_plan, 2, 5);
  require_refused(make_fabric(cut_plan), good, unfit,
                  "switch S1 at (1, 0) (coordinates of file) does not fit: it is not cabled to "
                  "its neighbor S4 at (1, 1)");
  Plan gap = draw(box);
  isolate(gap, 5);
  require_refused(make_fabric(gap), "S0 0 0\nS1 1 0\nS2 2 0\nS3 0 1\nS4 1 1\n", unfit,
                  "switch S2 at (2, 0) (coordinates of file) does not fit: there is no neighbor "
                  "switch at (2, 1)");
  // Lines of switches that are down give the former positions of these switches.
  const Box larger = mesh_box({4, 3});
  Plan hole = draw(larger);
  isolate(hole, 6);
  const std::string text = file_for(larger);
  const std::size_t line = text.find("S6 ");
  CHECK(gaps_of(make_fabric(hole), text.substr(0, line) + "Gone" + text.substr(line + 2)) ==
        std::pair<std::size_t, std::size_t>{1, 4});
}

}  // namespace pssp
