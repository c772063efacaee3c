// D-mod-K (routing/trees/dmodk_tables.h) on the complete tree, repaired as in engine heal: engine
// heal with another base.

#include "routing/engines/dmodk.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "routing/engines/heal.h"

namespace pssp {
namespace {

constexpr std::string_view dmodk_name = "dmodk";

constexpr std::array<std::string_view, 2> node_types_text{"by_name", "one"};
constexpr std::array<std::string_view, 2> dmodk_start_text{"next", "first"};
constexpr std::array dmodk_lines{
    choice_option<&DmodkCount::node_types>(
        "node_types", node_types_text,
        "groups of hosts with separate numbering: by_name: by node types from a file, or by host "
        "names up to the first number; one: a single group"),
    choice_option<&DmodkCount::start>("start", dmodk_start_text,
                                      "uplink of a leaf's first host: the uplink after the last "
                                      "one of the previous leaf, or the first uplink"),
    number_option<&DmodkCount::gap>(
        "gap", 0, 63, "numbers left out after the hosts of each leaf, with start=next")};
constexpr OptionTable<DmodkCount> dmodk_table{dmodk_lines};

class DmodkEngine : public RoutingEngine {
 public:
  explicit DmodkEngine(const EngineOptions& options)
      : plan_{HealBase::dmodk, dmodk_count(options)} {}

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    HealRouting made = route_heal(fabric, plan_, request);
    return {std::move(made.tables), {.inferred = std::move(made.inferred)}};
  }

  HealPlan plan_;
};

}  // namespace

DmodkCount dmodk_count(const EngineOptions& options) {
  return options.read(dmodk_name, dmodk_table);
}

constinit const EngineDescription dmodk_engine{
    dmodk_name, "trees: D-mod-K, upward by destination number modulo the number of uplinks",
    [] { return dmodk_table.describe(); },
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<DmodkEngine>(options);
    }};

}  // namespace pssp
