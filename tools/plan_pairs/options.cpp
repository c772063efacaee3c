#include "tools/plan_pairs/options.h"

#include "base/error.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* about =
    "Who measures with whom? Rounds of pairs that share no link, so that every rate says something "
    "of its own way, and that cross what earlier rounds have not; written for the program that "
    "measures. locate_slow finds the slow cable in what that prints.";

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
    throw Error(ErrorKind::usage, "--as clusterkit, mpi and nccl measure nodes: --rails together");
  }
  if (format == PlanFormat::ib_write_bw && options.together) {
    throw Error(ErrorKind::usage, "--as ib_write_bw measures single adapters: --rails alone");
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
  line.option(
          "files", options.files,
          "Tables and topology (routing.lft topo.osm), or one file that has both; - is standard "
          "input")
      .required()
      .values(1, 2)
      .type_name("FILE")
      .reads();
  options.fabric.add_options(line);
  line.option("--rounds", options.rounds, "Rounds").range(1, 1000).show_default();
  line.option(
          "--rails", rails,
          "What measures: each end port alone, or all rails of a node together, as NCCL and MPI "
          "do")
      .one_of({"alone", "together"})
      .show_default();
  line.option("--as", format, "Who reads the plan")
      .one_of({"plain", "clusterkit", "mpi", "nccl", "ib_write_bw"})
      .show_default();
  line.option("--device", options.format.device,
              "What the driver calls an adapter, in scripts: {} is its word in the description, "
              "{rail} its rail's number")
      .type_name("NAME")
      .show_default();
  line.option("--seed", options.seed, "Seed of all that is random").show_default();
  line.option("--play", options.play,
              "Add rates, as a fabric would give them in which WHAT (SWITCH[PORT], NODE/ADAPTER, "
              "NODE; '->' behind it: that direction alone) has this part of its speed; repeatable; "
              "'none' for a healthy one")
      .one_at_a_time()
      .type_name("WHAT=SPEED")
      .group("Before anybody measures");
  const Option rehearse =
      line.option("--rehearse", options.rehearse,
                  "Do not write the plan: say how many of so many played faults its rates find")
          .range(1, 100'000)
          .type_name("N")
          .group("Before anybody measures");
  line.option("--slow", options.slow, "With --rehearse: faults of these kinds alone")
      .one_of({"cable", "direction", "adapter", "node", "cables", "nothing"})
      .separated_by(',')
      .needs(rehearse)
      .group("Before anybody measures");
  line.option("--rounds-by", options.rivals,
              "With --rehearse: rounds that are not planned, to compare with")
      .one_of({"random", "shifts"})
      .group("Before anybody measures");
  line.flag("--json", options.json, "Plan or rehearsal as JSON");
  line.option("-o,--output", options.output,
              "File for the plan; a folder for mpi, nccl and ib_write_bw; - is standard output")
      .show_default();
  if (!line.parse(argc, argv)) return std::nullopt;
  options.format.format = format_of(format);
  take_rails(line, rails, options);
  options.is_played = line.given("--play");
  if (options.is_played && (options.format.format != PlanFormat::plain || options.json)) {
    throw Error(ErrorKind::usage, "--play adds rates to a plain plan: --as plain, without --json");
  }
  if (!options.rivals.empty() && !options.rehearse) {
    throw Error(ErrorKind::usage, "--rounds-by needs --rehearse: only planned rounds are written");
  }
  if (options.is_folder() && options.output == "-" && !options.json && !options.rehearse) {
    throw Error(ErrorKind::usage, "--as " + format + " writes several files: -o FOLDER");
  }
  return options;
}

}  // namespace pssp
