#include "tools/deploy_tables/manager_options.h"

#include "tools/kit/command_line.h"

namespace pssp {

void ManagerOptions::add_options(CommandLine& line) {
  line.heading("Subnet manager");
  line.option("--unit", unit,
              "systemd unit of opensm (default: the running one of opensm.service, "
              "opensm@GUID.service and opensmd.service)");
  line.option("--pid-file", pid_file, "File with the process ID of opensm").type_name("FILE");
  line.option("--opensm-pid", process, "Process ID of opensm").range(1, 4194304);
  line.option("--reload", reload,
              "Shell command that makes another subnet manager reread its file, instead of SIGHUP "
              "to opensm; not stored, so give it in each call")
      .type_name("COMMAND");
  line.option("--opensm-log", log, "Log of opensm (default: the one that opensm was started with)")
      .type_name("FILE");
  line.option("--patience", patience_s, "Seconds to wait for a sweep of the subnet manager")
      .range(1, 86400)
      .show_default();
  line.heading("");
}

}  // namespace pssp
