// monitor_fabric: reads and interprets the counters of a live fabric. It sends only Get requests
// and clears nothing. Each command is a pair of files; commands.cpp has the list.

#include "tools/kit/tool.h"
#include "tools/monitor_fabric/commands.h"

int main(int argc, char** argv) {
  return pssp::run_tool("monitor_fabric", [&] { return pssp::run_command(argc, argv); });
}
