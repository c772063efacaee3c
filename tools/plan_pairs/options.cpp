#include "tools/plan_pairs/options.h"

#include "base/error.h"
#include "tools/kit/command_line.h"
#include "tools/kit/fabric_options.h"

namespace pssp {
namespace {

constexpr const char* about =
    "Plans rounds of node pairs for bandwidth measurements, so that pairs of a round share no "
    "link. pssp locate-slow evaluates the measured rates.";

PlanFormat format_of(const std::string& name) {
  if (name == "clusterkit") return PlanFormat::clusterkit;
  if (name == "mpi") return PlanFormat::mpi;
  if (name == "nccl") return PlanFormat::nccl;
  return name == "ib_write_bw" ? PlanFormat::ib_write_bw : PlanFormat::plain;
}

void take_rails(const CommandLine& line, const std::string& rails, PairPlanOptions& options) {
  const PlanFormat format = options.format.format;
  const bool of_nodes =
      format == PlanFormat::clusterkit || format == PlanFormat::mpi || format == PlanFormat::nccl;
  options.together = rails == "together" || (of_nodes && !line.given("--rails"));
  if (of_nodes && !options.together) {
    throw Error(ErrorKind::usage,
                "--as clusterkit, mpi and nccl measure nodes; use --rails together");
  }
  if (format == PlanFormat::ib_write_bw && options.together) {
    throw Error(ErrorKind::usage, "--as ib_write_bw measures single adapters; use --rails alone");
  }
  if (format == PlanFormat::clusterkit || format == PlanFormat::nccl) {
    options.shape = RoundShape::both_ways;
  }
}

}  // namespace

std::optional<PairPlanOptions> parse_pair_plan_options(int argc, const char* const* argv) {
  PairPlanOptions options;
  std::string format = "plain", rails = "alone";
  CommandLine line("plan_pairs", about);
  add_tables_and_topology(line, options.files).required();
  options.fabric.add_options(line);
  line.option("--rounds", options.rounds, "Number of rounds").range(1, 1000).show_default();
  line.option("--rails", rails,
              "Measure each adapter alone, or all rails of a node together as NCCL and MPI do")
      .one_of({"alone", "together"})
      .show_default();
  line.option("--as", format, "Program that will run the plan")
      .one_of({"plain", "clusterkit", "mpi", "nccl", "ib_write_bw"})
      .show_default();
  line.option("--device", options.format.device,
              "Device name of an adapter in scripts; {} is its name in the description, {rail} its "
              "rail number")
      .type_name("NAME")
      .show_default();
  line.option("--seed", options.seed, "Random seed").show_default();
  line.heading("Simulation");
  line.option(
          "--simulate", options.simulate,
          "Add simulated rates, with WHAT (SWITCH[PORT], NODE/ADAPTER or NODE; append '->' for one "
          "direction only) at this fraction of its speed; repeatable; 'none': a healthy fabric")
      .one_at_a_time()
      .type_name("WHAT=SPEED");
  const Option rehearse = line.option("--rehearse", options.rehearse,
                                      "Report how many of N simulated faults the plan would find, "
                                      "instead of writing the plan")
                              .range(1, 100'000)
                              .type_name("N");
  line.option("--slow", options.slow, "With --rehearse: simulate only faults of these types")
      .one_of({"cable", "direction", "adapter", "node", "cables", "nothing"})
      .separated_by(',')
      .needs(rehearse);
  line.option("--rounds-by", options.rivals,
              "With --rehearse: also evaluate unplanned rounds for comparison")
      .one_of({"random", "shifts"});
  line.heading("");
  line.flag("--json", options.json, "Write the plan or the result of --rehearse as JSON");
  line.option("-o,--output", options.output,
              "Write the plan to this file, or to this folder for mpi, nccl and ib_write_bw; - is "
              "standard output")
      .show_default();
  if (!line.parse(argc, argv)) return std::nullopt;
  options.format.format = format_of(format);
  take_rails(line, rails, options);
  options.is_simulated = line.given("--simulate");
  if (options.is_simulated && (options.format.format != PlanFormat::plain || options.json)) {
    throw Error(ErrorKind::usage,
                "--simulate adds rates to a plain plan; use --as plain without --json");
  }
  if (!options.rivals.empty() && !options.rehearse) {
    throw Error(ErrorKind::usage,
                "--rounds-by needs --rehearse; only planned rounds can be written");
  }
  if (options.is_folder() && options.output == "-" && !options.json && !options.rehearse) {
    throw Error(ErrorKind::usage,
                "--as " + format + " writes several files; specify a folder with -o");
  }
  return options;
}

}  // namespace pssp
