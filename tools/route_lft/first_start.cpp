#include "tools/route_lft/first_start.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "routing/repair/baseline.h"
#include "routing/repair/inferred_baseline.h"

namespace pssp {

FirstStart start_first(const Fabric& fabric, const FirstStartSteps& steps,
                       const StableOptions& options, const StopSignal& stop) {
  FirstStart first;
  first.routing = steps.route(fabric);
  const std::optional<InferredWhole> whole = infer_whole(fabric);
  if (!whole) return first;
  first.links = whole->links;
  first.switches = whole->switches;
  try {
    const Baseline baseline = make_baseline(whole->fabric, steps.route(whole->fabric).tables);
    ForwardingTables tables = repaired(baseline, fabric, nullptr, options, stop).tables;
    first.why_not_whole =
        why_not_whole(fabric, {tables, steps.falls_short(fabric, tables)},
                      {first.routing.tables, steps.falls_short(fabric, first.routing.tables)});
    // The engine's notes about its own tables do not apply to these.
    if (first.why_not_whole.empty()) first.routing = Routing{std::move(tables)};
  } catch (const Error& error) {
    first.why_not_whole = error.what();
  }
  return first;
}

std::string describe(const FirstStart& first) {
  if (!first.links)
    return "the baseline is the current fabric: no missing link or switch could be inferred";
  const std::string baseline =
      first.why_not_whole.empty()
          ? "the baseline is the complete tree, and the tables are the repaired baseline"
          : "the baseline is the current fabric: " + first.why_not_whole;
  return fmt::format("{} links and {} switches are missing, inferred from the tree structure; {}",
                     *first.links, first.switches, baseline);
}

nlohmann::ordered_json to_json(const FirstStart& first) {
  nlohmann::ordered_json json;
  json["missing_links"] = first.links.value_or(0);
  json["missing_switches"] = first.switches;
  json["baseline"] = first.links && first.why_not_whole.empty() ? "whole" : "as it is";
  if (!first.why_not_whole.empty()) json["reason"] = first.why_not_whole;
  return json;
}

}  // namespace pssp
