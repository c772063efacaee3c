#include "tools/deploy_tables/manager_options.h"

#include "tools/kit/command_line.h"

namespace pssp {

void ManagerOptions::add_options(CommandLine& line) {
  const std::string group = "Subnet manager";
  line.option("--unit", unit,
              "systemd unit of opensm (default: the running one of opensm.service, "
              "opensm@GUID.service and opensmd.service)")
      .group(group);
  line.option("--pid-file", pid_file, "File with the process ID of opensm")
      .type_name("FILE")
      .group(group);
  line.option("--opensm-pid", process, "Process ID of opensm").range(1, 4194304).group(group);
  line.option("--reload", reload,
              "Shell command that makes another subnet manager reread its file, instead of SIGHUP "
              "to opensm; not stored, so give it in each call")
      .type_name("COMMAND")
      .group(group);
  line.option("--opensm-log", log, "Log of opensm (default: the one that opensm was started with)")
      .type_name("FILE")
      .group(group);
  line.option("--patience", patience_s, "Seconds to wait for a sweep of the subnet manager")
      .range(1, 86400)
      .show_default()
      .group(group);
}

}  // namespace pssp
