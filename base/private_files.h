#pragma once

// Folders and files that a program trusts because no one but its own user can have written them:
// state that a later call acts upon, as root.
//
// A file is private where it is a regular file, no link, belongs to the user of this process and
// grants write access to no one else. A folder likewise; and whoever can rename a folder on the way
// to it could put another one in its place, so the folders above it must belong to root or to this
// user, and others may write to them only where they are sticky, as /tmp is.
//
// A file in a private folder stays private after the check: no one else can replace it.

#include <filesystem>

#include "base/file_io.h"

namespace pssp {

/// Where `folder` is, without links. Throws Error(output) naming the path, what was found, what was
/// expected and the command that repairs it, unless the folder is private or does not exist yet.
std::filesystem::path require_private_folder(const std::filesystem::path& folder);

/// Makes the folder where there is none, for this user alone whatever the umask is. Returns and
/// throws as require_private_folder(), and Error(output) where it cannot be made.
std::filesystem::path make_private_folder(const std::filesystem::path& folder);

/// Throws Error(output), as require_private_folder() does, unless the file is private or does not
/// exist. The folders above it are not looked at.
void require_private_file(const std::filesystem::path& file);

/// Writes a file in a private folder, for this user alone whatever the umask is: to a new temporary
/// file beside it (O_EXCL, O_NOFOLLOW), flushed to the disk and renamed, so that a symbolic link of
/// that name is replaced and not followed. Throws Error(output), and whatever `content` throws.
void write_private_file(const std::filesystem::path& path, const ContentSource& content);

}  // namespace pssp
