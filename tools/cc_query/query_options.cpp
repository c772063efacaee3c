#include "tools/cc_query/query_options.h"

#include "base/error.h"
#include "tools/kit/command_line.h"

namespace pssp {

std::optional<QueryOptions> parse_query_options(int argc, const char* const* argv) {
  QueryOptions options;
  CommandLine line("cc_query",
                   "Reads the congestion control settings of an InfiniBand fabric and shows "
                   "differences from a profile");
  line.option("TOPOLOGY", options.fabric.topology,
              "Topology with LIDs (output of ibnetdiscover); - for standard input")
      .required()
      .reads();
  Option profile =
      line.option("--profile", options.profile,
                  "Profile or parameter file to compare with (default: print the settings)");
  profile.reads();
  line.flag("--as-opensm", options.as_opensm,
            "Compare with the part of the profile that opensm can send: no masks by port role, at "
            "most 128 table entries")
      .needs(profile);
  options.fabric.add_options(line);
  if (!line.parse(argc, argv)) return std::nullopt;
  return options;
}

}  // namespace pssp
