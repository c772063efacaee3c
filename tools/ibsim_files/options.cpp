#include "tools/ibsim_files/options.h"

#include "tools/kit/command_line.h"

namespace pssp {

std::optional<IbsimFilesOptions> parse_ibsim_files_options(int argc, char** argv) {
  IbsimFilesOptions options;
  CommandLine line(
      "ibsim_files",
      "Prepares topologies and completes table dumps for the scripts that run opensm on ibsim");
  line.require_command();
  CommandLine& playable =
      line.command("playable",
                   "Convert a topology for ibsim and print its size, the adapter for opensm, the "
                   "file to load and the LMC, one per line");
  playable.option("TOPO", options.topology, "Output of ibnetdiscover or an ibsim net file")
      .required()
      .reads();
  playable.option("COPY", options.copy, "File to write if the topology must be changed")
      .required()
      .writes();
  playable.option("--host", options.host, "Identifier of the adapter that opensm attaches to")
      .type_name("ID");
  CommandLine& lost = line.command(
      "lost-entries",
      "List the tables in a dump that lack their last LID: directed route and LID, one per line");
  lost.option("DUMP", options.dump, "Output of dump_fts").required().reads();
  CommandLine& add = line.command("add-entries", "Add missing entries to a dump");
  add.option("DUMP", options.dump, "Output of dump_fts").required().reads();
  add.option("LID", options.lid, "LID of the entries").required().range(1, 0xBFFF);
  add.option("PORTS", options.ports, "File with directed routes and ports, one pair per line")
      .required()
      .reads();
  add.option("DISCOVERED", options.discovered,
             "Output of ibnetdiscover, to find the owner of the LID")
      .required()
      .reads();
  add.output(options.output);
  CommandLine& keep = line.command(
      "keep-last", "Copy standard input to LOG, and keep only the last lines of a long log");
  keep.option("LOG", options.log, "File to write").required().writes();
  if (!line.parse(argc, argv)) return std::nullopt;
  if (keep.chosen()) options.command = IbsimFilesOptions::Command::keep_last;
  if (lost.chosen()) options.command = IbsimFilesOptions::Command::lost_entries;
  if (add.chosen()) options.command = IbsimFilesOptions::Command::add_entries;
  return options;
}

}  // namespace pssp
