#include "evaluator/report/bound_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "evaluator/scoring/index_over_bound.h"

namespace pssp {
namespace {

std::string count_of(std::size_t switches) {
  return fmt::format("{} switch{}", switches, switches == 1 ? "" : "es");
}

}  // namespace

std::string describe_bound(const Fabric& fabric, const IndexBound& bound, std::size_t names) {
  if (bound.value == 0) return "no route needs a channel";
  if (bound.cut.routes_per_channel < bound.price_bound) return "by the lengths of all routes";
  const CutSide side = smaller_side(fabric, bound.cut);
  std::string text = fmt::format("by the links between {} and the other {}",
                                 count_of(side.switches.size()), side.others);
  for (std::size_t i = 0; i < std::min(names, side.switches.size()); ++i) {
    text += (i == 0 ? ": " : ", ") + fabric.label(side.switches[i]);
  }
  if (names != 0 && side.switches.size() > names) text += ", ...";
  return text;
}

}  // namespace pssp
