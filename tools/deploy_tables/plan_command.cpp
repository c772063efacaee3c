#include <utility>

#include "tools/deploy_tables/commands.h"
#include "tools/deploy_tables/handed_over.h"
#include "tools/deploy_tables/live_fabric.h"
#include "tools/deploy_tables/new_tables.h"
#include "tools/kit/report.h"

namespace pssp {
namespace {

constexpr const char* the_fabric = "fabric";

int answer(const DeployOptions& options, PlanInput input) {
  const VerifyReport verified =
      require_deployable(input.after_name, input.fabric, input.after, options.plan);
  input.verified = &verified;
  const Plan plan = make_plan(input, options.plan);
  write_answer(
      "-", options.json, [&] { return to_text(plan, input.fabric); },
      [&] { return to_json(plan, input.fabric); });
  require_few_moves(plan, options.plan);
  return 0;
}

}  // namespace

int plan_tables(const DeployOptions& options) {
  const Report report("deploy_tables");
  const LftFile file = read_tables(options.tables);
  const Fabric expected = read_fabric_for(options.topology, file);
  if (options.against != the_fabric) {
    report.warn(require_whole(file, expected));
    const LftFile before = read_tables(options.against);
    require_of_fabric(before, expected);
    return answer(options, {options.against, options.tables, expected,
                            handed_over(before, expected), handed_over(file, expected), nullptr});
  }
  LiveFabric live(options.port, options.m_key_file);
  const HeldTables held = live.read();
  require_same_fabric(options.topology, expected, *held.fabric);
  report.warn(require_whole(file, *held.fabric));
  return answer(options, {the_fabric, options.tables, *held.fabric, held.tables,
                          handed_over(file, *held.fabric), nullptr});
}

}  // namespace pssp
