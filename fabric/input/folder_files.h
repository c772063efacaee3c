#pragma once

// Finds the topology and the forwarding tables in a folder that ibdiagnet or opensm has written, or
// in an archive of it. Files are preselected by name, and chosen by content.
//
// ibdiagnet2: PREFIX.ibnetdiscover, PREFIX.db_csv, PREFIX.lst, PREFIX.fdbs; opensm:
// opensm-subnet.lst, opensm.fdbs, opensm-lfts.dump.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file_io.h"

namespace pssp {

struct FolderFiles {
  std::string name;                                ///< of the folder or archive
  std::vector<std::unique_ptr<FileReader>> files;  ///< with matching names, not yet read
  std::string sl_to_vl;  ///< file of SL-to-VL tables, which is only named; empty: none
};

/// Opens the files of a folder and its subfolders, at most 4 levels deep. Follows links to files,
/// but not to folders. Throws Error(unreadable_input) for files that cannot be opened, and for
/// pipes and devices with such a name, which are not opened; Error(usage) if there are too many.
FolderFiles open_folder(const std::filesystem::path& folder);
/// The same for an archive; throws the errors of read_archive().
FolderFiles open_archive(FileReader& archive);

struct ChosenFiles {
  FileReader* topology = nullptr;  ///< in FolderFiles; null: none
  FileReader* tables = nullptr;
  std::string note;  ///< one line about the chosen and ignored files
};

/// Chooses the required files: of several topologies the output of ibnetdiscover, else the
/// database, else the link list; of opensm's two files of tables `*.fdbs`. Throws Error(usage) if
/// several files of one kind match or nothing is required, and Error(unreadable_input) if nothing
/// is found.
ChosenFiles choose_files(const FolderFiles& of, bool needs_topology, bool needs_tables);

}  // namespace pssp
