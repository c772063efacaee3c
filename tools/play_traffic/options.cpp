#include "tools/play_traffic/options.h"

#include "base/error.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* play_description =
    "Traffic to watch without hardware: starts ibsim with a fabric and opensm with an engine, "
    "places jobs with patterns of the evaluator on the hosts, and each second sets the counters of "
    "all ports (data, packets, waiting, some errors) to what these jobs would have made of them "
    "along the tables in force. What each job truly sent over each link stays in truth.json. "
    "Ctrl-C ends all of it.";

constexpr const char* play_footer =
    "COMMAND (behind --) sees the fabric as its own, and its end is the end of all; its status is "
    "handed on. Other programs attach by DIR/attach.sh PROGRAM ...\n"
    "Example: play_traffic fabric.net -- monitor_fabric serve\n\n"
    "PSSP_BUILD_DIR  the build whose plugin and tools are used (default: this one)\n"
    "SIM_HOST        the adapter at which opensm and COMMAND run; it is in no job\n\n"
    "Exit codes: 0 done, 2 usage, 3 unreadable topology or jobs, 4 nodes that the fabric does not "
    "have, 5 opensm used another engine, 8 a result cannot be written, 20 a tool or the plugin is "
    "missing, 21 ibsim or opensm failed, 130 interrupted; else that of COMMAND.";

Activity activity_of(const std::string& word) {
  if (word == "constant") return Activity::constant;
  return word == "drifting" ? Activity::drifting : Activity::phases;
}

}  // namespace

std::optional<PlayTrafficOptions> parse_play_options(int argc, const char* const* argv) {
  PlayTrafficOptions options;
  std::string engine = "pssp", activity = "phases";
  CommandLine line("play_traffic", play_description);
  line.option("TOPO", options.topology, "ibsim net file, or output of ibnetdiscover")
      .required()
      .reads();
  line.option("COMMAND", options.command, "Run on the fabric while there is traffic, behind --");
  line.option("--engine", engine, "Engine, as for compare_engines").show_default();
  const Option jobs = line.option("--jobs", options.jobs, "JSON Lines: a job with its pattern each")
                          .type_name("FILE")
                          .reads();
  line.option("--scatter", options.scatter, "So many jobs of 4 to 64 hosts at random")
      .range(1, 10000)
      .type_name("N")
      .show_default()
      .excludes(jobs);
  line.option("--activity", activity, "Of those: constant, phases or drifting")
      .one_of({"constant", "phases", "drifting"})
      .show_default();
  line.option("--storage-share", options.storage_share,
              "Of their bytes go to eight storage hosts, which are in no job")
      .range(0, 0.9)
      .type_name("X")
      .show_default();
  line.option("--for", options.seconds,
              "Seconds of traffic; then counters stand still, and all ends with COMMAND "
              "(default: until the end)")
      .range(0.1, 1e8)
      .type_name("S");
  line.option("--interval", options.interval, "Seconds between two settings of the counters")
      .range(0.1, 60)
      .type_name("S")
      .show_default();
  line.option("--pace", options.pace, "Seconds that a level of a job's activity lasts")
      .range(0.1, 3600)
      .type_name("S")
      .show_default();
  line.option("--errors", options.errors, "Cables that count errors")
      .range(0, 1000)
      .type_name("N")
      .show_default();
  line.option(
          "--cut", options.cut,
          "After so many seconds of traffic a cable between switches is taken out, and put back "
          "as many later (default: never)")
      .range(0.1, 1e8)
      .type_name("S");
  line.option("--seed", options.seed, "Of all that is random").type_name("S").show_default();
  line.option("--timeout", options.timeout, "Seconds for opensm's first sweep")
      .range(1, 999999)
      .type_name("S")
      .show_default();
  line.option("--out", options.out, "Where results and logs go (default: a new folder in ./out)")
      .type_name("DIR");
  line.footer(play_footer);
  if (!line.parse(argc, argv)) return std::nullopt;
  options.engine = parse_engine(engine);
  options.activity = activity_of(activity);
  return options;
}

}  // namespace pssp
