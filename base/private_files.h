#pragma once

// Folders and files that a program trusts because only its user can have written them: state that a
// later call, possibly as root, acts upon.
//
// A file is private if it is a regular file, no link, belongs to the user of this process and
// grants write access to nobody else. The same holds for a folder. Because another user who can
// rename a parent folder could replace it, parent folders must belong to root or to this user, and
// others may write to them only if they are sticky, as /tmp is.
//
// A file in a private folder stays private after the check: nobody else can replace it.

#include <filesystem>

#include "base/file_io.h"

namespace pssp {

/// The path of `folder` without links. Throws Error(output), naming the path, what was found, what
/// was expected and the command that repairs it, unless the folder is private or does not exist.
std::filesystem::path require_private_folder(const std::filesystem::path& folder);

/// Creates the folder if it does not exist, only for this user regardless of the umask. Returns and
/// throws as require_private_folder(), and Error(output) if it cannot be created.
std::filesystem::path make_private_folder(const std::filesystem::path& folder);

/// Throws Error(output), as require_private_folder() does, unless the file is private or does not
/// exist. Does not check the folders above it.
void require_private_file(const std::filesystem::path& file);

/// Writes a file in a private folder, only for this user regardless of the umask: to a new
/// temporary file next to it (O_EXCL, O_NOFOLLOW), flushed to the disk and renamed, so that a
/// symbolic link of that name is replaced and not followed. Throws Error(output), and the
/// exceptions of `content`.
void write_private_file(const std::filesystem::path& path, const ContentSource& content);

}  // namespace pssp
