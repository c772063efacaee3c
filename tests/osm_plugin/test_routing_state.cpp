#include <catch2/catch.hpp>
#include <cstring>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "fabric/fabric_digest.h"
#include "osm_plugin/routing_state.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

struct Routed {
  explicit Routed(const char* topology)
      : fabric(make_fabric(topology)),
        switches(switch_guids(fabric)),
        tables(make_engine("pssp", {})->route(fabric).tables),
        levels(fabric, assign_lanes(fabric, tables).service_levels, true),
        baseline{make_baseline(fabric, tables), levels} {}

  RoutingStateView view(bool with_levels) const {
    return {{7, 8},
            digest_of(fabric),
            switches,
            tables,
            with_levels ? &levels : nullptr,
            with_levels ? &baseline : nullptr};
  }

  Fabric fabric;
  std::vector<Guid> switches;
  ForwardingTables tables;
  PathLevels levels;
  SavedBaseline baseline;
};

std::string content_of(const RoutingStateView& view) { return state_content(view); }

constexpr std::size_t header = 16, body = header + sizeof(DigestValue);

/// Returns the content with a valid checksum.
std::string signed_again(std::string content) {
  Digest digest;
  digest.add_text(std::string_view(content).substr(body));
  std::memcpy(content.data() + header, digest.value().data(), sizeof(DigestValue));
  return content;
}

}  // namespace

TEST_CASE("a routing state is read back unchanged") {
  const Routed ring("torus 5 --hosts 2");
  for (const bool with_levels : {true, false}) {
    const RoutingState state = read_state(content_of(ring.view(with_levels)));
    CHECK(state.options == DigestValue{7, 8});
    CHECK(state.fabric == digest_of(ring.fabric));
    CHECK(state.switches == ring.switches);
    CHECK(state.tables == ring.tables);
    REQUIRE(state.levels.has_value() == with_levels);
    REQUIRE(state.baseline.has_value() == with_levels);
    if (!with_levels) continue;
    CHECK(digest_of_cables(state.baseline->baseline.fabric) == digest_of_cables(ring.fabric));
    CHECK(state.baseline->baseline.tables == ring.tables);
    CHECK(is_part_of(ring.fabric, state.baseline->baseline.fabric));
    CHECK(state.baseline->levels->levels() == ring.levels.levels());
    CHECK(state.levels->reversible());
    CHECK(state.levels->levels() == ring.levels.levels());
    for (const Lid from : ring.fabric.lids()) {
      CHECK(state.levels->between(from, 4) == ring.levels.between(from, 4));
    }
  }
}

TEST_CASE("a routing state that is damaged, truncated or of another version is refused") {
  const Routed ring("torus 3 --hosts 1");
  const std::string content = content_of(ring.view(true));
  for (std::size_t at = 0; at < content.size(); ++at) {
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    CHECK_THROWS_AS(read_state(damaged), Error);
    CHECK_THROWS_AS(read_state(std::string_view(content).substr(0, at)), Error);
  }
  CHECK(content.starts_with("osmpssp state 4\n"));
  for (const char* const version : {"1", "3", "9", "x"}) {
    CHECK_THROWS_WITH(
        read_state("osmpssp state " + std::string(version) + "\n" + content.substr(header)),
        Contains("another version"));
  }
  CHECK_THROWS_WITH(read_state(content + "x"), Contains("checksum"));
  CHECK_THROWS_WITH(read_state(signed_again(content + "x")), Contains("follows its end"));
}

TEST_CASE("a forged routing state with a valid checksum is read safely or refused") {
  const Routed ring("torus 3 --hosts 1");
  const std::string content = content_of(ring.view(true));
  RandomGenerator random(1, 0);
  unsigned taken = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    std::string forged = content;
    for (unsigned change = 1 + random.below(4); change > 0; --change) {
      // Half of the changes hit the first bytes, which hold numbers and lengths.
      const auto range = static_cast<std::uint32_t>(forged.size() - body);
      const std::size_t at = body + random.below(random.below(2) == 0 ? 48U : range);
      forged[at] = static_cast<char>(random.below(256));
    }
    if (random.below(4) == 0) forged.resize(body + random.below(500));
    try {
      const RoutingState state = read_state(signed_again(std::move(forged)));
      ++taken;
      CHECK(state.switches.size() == state.tables.switch_count());
      if (state.levels) {
        for (unsigned lid = 0; lid < 70'000; lid += 331) {
          state.levels->between(static_cast<Lid>(lid), 2);
        }
      }
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
    }
  }
  // Changes of table entries alone remain valid.
  CHECK(taken > 0);
}
