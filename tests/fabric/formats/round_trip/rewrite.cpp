// Reads a topology and a dump of its tables, and writes both again, for the round trips through
// opensm and ibsim.

#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "base/file_io.h"
#include "fabric/formats/lft_matching.h"
#include "fabric/formats/lft_writer.h"
#include "fabric/formats/net_file_writer.h"

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: rewrite TOPOLOGY DUMP NEW_TOPOLOGY NEW_DUMP\n");
    return 2;
  }
  try {
    const pssp::MatchedTables matched =
        pssp::match_tables(pssp::read_topology(argv[1]), pssp::read_lft(argv[2]));
    for (const std::string& warning : matched.warnings) fmt::print("{}\n", warning);
    pssp::write_file(argv[3], pssp::to_net_file(matched.fabric));
    pssp::write_file(argv[4], pssp::to_lft_dump(matched.fabric, matched.tables));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
