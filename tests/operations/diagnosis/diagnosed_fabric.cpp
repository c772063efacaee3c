#include "tests/operations/diagnosis/diagnosed_fabric.h"

#include <numeric>
#include <utility>

#include "routing/engines/engine.h"
#include "topologies/registry.h"

namespace pssp::test {

std::unique_ptr<const DiagnosedFabric> diagnosed_fabric(Fabric fabric, const std::string& engine) {
  auto made =
      std::make_unique<DiagnosedFabric>(DiagnosedFabric{std::move(fabric), nullptr, nullptr, {}});
  const ForwardingTables tables = make_engine(engine, {})->route(made->fabric).tables;
  made->alternatives = std::make_unique<const FlowAlternatives>(made->fabric, tables);
  made->nodes = std::make_unique<const MeasuredNodes>(made->fabric, NodeRails(made->fabric));
  std::vector<std::uint32_t> all(made->nodes->nodes().size());
  std::iota(all.begin(), all.end(), 0U);
  made->units = made->nodes->units(all, false);
  return made;
}

std::unique_ptr<const DiagnosedFabric> diagnosed_fabric(const std::string& spec,
                                                        const std::string& engine) {
  return diagnosed_fabric(make_fabric(spec), engine);
}

}  // namespace pssp::test
