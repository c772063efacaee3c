// The closed form (routing/trees/dmodk_tables.h) on the tree as it was when it was whole, and what
// the holes broke mended as engine heal mends: that is heal with another base.

#include "routing/engines/dmodk.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "routing/engines/heal.h"

namespace pssp {
namespace {

constexpr std::string_view engine_name = "dmodk";

struct DmodkOptions {
  HostKinds kinds = HostKinds::by_name;
};
constexpr std::array<std::string_view, 2> kinds_words{"by_name", "one"};
constexpr std::array option_lines{choice_option<&DmodkOptions::kinds>(
    "kinds", kinds_words,
    "hosts that are counted apart: those whose names differ before the first number; one: none")};
constexpr OptionTable<DmodkOptions> option_table{option_lines};

class DmodkEngine : public RoutingEngine {
 public:
  explicit DmodkEngine(const EngineOptions& options)
      : kinds_(options.read(engine_name, option_table).kinds) {}

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    HealedRouting made = route_healed(fabric, kinds_, request);
    return {std::move(made.tables), {.imagined = std::move(made.imagined)}};
  }

  HostKinds kinds_;
};

}  // namespace

constinit const EngineDescription dmodk_engine{
    engine_name, "trees: up by the destination's number modulo the ways, counted by structure",
    [] { return option_table.describe(); },
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<DmodkEngine>(options);
    }};

}  // namespace pssp
