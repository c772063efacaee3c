#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/closest_name.h"
#include "base/error.h"
#include "routing/engines/best.h"
#include "routing/engines/cassp.h"
#include "routing/engines/dmodk.h"
#include "routing/engines/engine.h"
#include "routing/engines/heal.h"
#include "routing/engines/mesh_dor.h"
#include "routing/engines/p2ssp.h"
#include "routing/engines/pssp.h"
#include "routing/engines/updown.h"

namespace pssp {

std::span<const EngineDescription> engine_registry() {
  static const std::array engines{pssp_engine,   p2ssp_engine, mesh_dor_engine, cassp_engine,
                                  updown_engine, dmodk_engine, heal_engine,     best_engine};
  return engines;
}

const EngineDescription& find_engine(std::string_view name) {
  std::vector<std::string_view> names;
  for (const EngineDescription& engine : engine_registry()) {
    if (engine.name == name) return engine;
    names.push_back(engine.name);
  }
  throw Error(ErrorKind::usage, fmt::format("unknown engine '{}'{}; expected one of {}", name,
                                            did_you_mean(name, names), fmt::join(names, ", ")));
}

std::unique_ptr<RoutingEngine> make_engine(std::string_view name, const EngineOptions& options) {
  options.require_known();
  return find_engine(name).make(options);
}

}  // namespace pssp
