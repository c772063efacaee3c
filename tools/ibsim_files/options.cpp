#include "tools/ibsim_files/options.h"

#include "tools/kit/command_line.h"

namespace pssp {

std::optional<IbsimFilesOptions> parse_ibsim_files_options(int argc, char** argv) {
  IbsimFilesOptions options;
  CommandLine line("ibsim_files",
                   "What the scripts around opensm and ibsim must know of topologies and tables.");
  line.require_command();
  CommandLine& playable =
      line.command("playable",
                   "A topology as ibsim can play it: nodes, switches, ports, adapters, in a second "
                   "line the adapter at which opensm attaches, in a third the file to play");
  playable.option("TOPO", options.topology, "ibnetdiscover output or an ibsim net file")
      .required()
      .reads();
  playable.option("COPY", options.copy, "File to write where the topology must be changed")
      .required()
      .writes();
  playable.option("--host", options.host, "Identifier of the adapter at which opensm shall attach")
      .type_name("ID");
  CommandLine& lost =
      line.command("lost-entries",
                   "Tables of a dump of dump_fts that lack their last LID: directed route and "
                   "LID, a line each");
  lost.option("DUMP", options.dump, "What dump_fts wrote").required().reads();
  CommandLine& add = line.command("add-entries", "A dump with the entries that it lacked");
  add.option("DUMP", options.dump, "What dump_fts wrote").required().reads();
  add.option("LID", options.lid, "The LID of the entries").required().range(1, 0xBFFF);
  add.option("PORTS", options.ports, "Directed route and port, a line each").required().reads();
  add.option("DISCOVERED", options.discovered,
             "What ibnetdiscover says of the fabric, for the owner of the LID")
      .required()
      .reads();
  add.option("-o,--output", options.output, "File to write; - is standard output")
      .show_default()
      .writes();
  CommandLine& keep = line.command(
      "keep-last", "Writes what comes in to LOG, and of a long one keeps the last lines alone");
  keep.option("LOG", options.log, "File to write").required().writes();
  if (!line.parse(argc, argv)) return std::nullopt;
  if (keep.chosen()) options.command = IbsimFilesOptions::Command::keep_last;
  if (lost.chosen()) options.command = IbsimFilesOptions::Command::lost_entries;
  if (add.chosen()) options.command = IbsimFilesOptions::Command::add_entries;
  return options;
}

}  // namespace pssp
