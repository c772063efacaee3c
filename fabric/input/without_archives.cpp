// Replaces archive_reader.cpp if libarchive is missing: rejects archives.

#include <fmt/format.h>

#include "base/error.h"
#include "fabric/input/archive_reader.h"

namespace pssp {

std::vector<std::unique_ptr<FileReader>> read_archive(
    FileReader& file, const std::function<bool(std::string_view name)>& /*is_wanted*/,
    const ArchiveLimits& /*limits*/) {
  throw Error(ErrorKind::unreadable_input,
              fmt::format("{}: this is an archive, and this program was built without libarchive; "
                          "unpack it and name the folder",
                          file.name()));
}

}  // namespace pssp
