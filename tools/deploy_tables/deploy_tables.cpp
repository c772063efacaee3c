// deploy_tables: tables into a fabric by OpenSM's file engine, and back
// (docs/reference/deploy.md).

#include "tools/deploy_tables/commands.h"
#include "tools/deploy_tables/options.h"
#include "tools/kit/tool.h"

namespace {

int run_command(const pssp::DeployOptions& options) {
  using namespace pssp;
  switch (options.command) {
    case DeployCommand::plan:
      return plan_tables(options);
    case DeployCommand::apply:
      return apply_tables(options);
    case DeployCommand::confirm:
      return confirm_tables(options);
    case DeployCommand::back_out:
      return back_out_tables(options);
    case DeployCommand::status:
      return show_status(options);
    case DeployCommand::guard:
      return guard_tables(options);
    case DeployCommand::check_setup:
      return check_setup(options);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return pssp::run_tool("deploy_tables", argc, argv, pssp::parse_deploy_options, run_command);
}
