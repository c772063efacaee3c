#pragma once

// A folder that ibdiagnet or opensm has written, or an archive of it: which of the files are the
// topology and the forwarding tables. Files are considered by name, and chosen by content.
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
  std::vector<std::unique_ptr<FileReader>> files;  ///< whose names fit, not yet read
  std::string sl_to_vl;  ///< file of SL-to-VL tables, which is not read; empty: none
};

/// Opens the files of a folder and of folders in it, at most 4 deep. Links to files are followed,
/// links to folders are not. Throws Error(unreadable_input) for what cannot be opened, and for a
/// pipe or a device of such a name, which is not opened; Error(usage) where there are too many.
FolderFiles open_folder(const std::filesystem::path& folder);
/// The same of an archive; throws what read_archive() throws.
FolderFiles open_archive(FileReader& archive);

struct ChosenFiles {
  FileReader* topology = nullptr;  ///< of the FolderFiles; null: none
  FileReader* tables = nullptr;
  std::string note;  ///< one line that says which files were chosen, and which were not
};

/// Chooses what is needed: of several topologies the output of ibnetdiscover, else the database,
/// else the link list; of opensm's two files of tables `*.fdbs`. Throws Error(usage) where several
/// files of one kind could be chosen, or nothing is needed, and Error(unreadable_input) where
/// nothing is found.
ChosenFiles choose_files(const FolderFiles& of, bool needs_topology, bool needs_tables);

}  // namespace pssp
