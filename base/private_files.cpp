#include "base/private_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/file_beside.h"
#include "base/printable.h"

namespace pssp {
namespace {

constexpr mode_t writable_by_others = S_IWGRP | S_IWOTH;
constexpr mode_t permissions = 07777;
constexpr mode_t for_this_user_alone = 0600;

/// `path` as one word of a command that can be pasted into a shell.
std::string shell_word(const std::filesystem::path& path) {
  std::string text = printable(path.string());
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,=";
  if (text.find_first_not_of(plain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw Error(ErrorKind::output, fmt::format("{}: {}", printable(path.string()), what));
}

/// None if there is no such file.
std::optional<struct stat> status_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) return status;
  if (errno == ENOENT) return std::nullopt;
  refuse(path, reason(errno));
}

void require_folder_above(const std::filesystem::path& path, const struct stat& status) {
  if (!S_ISDIR(status.st_mode)) refuse(path, "it is not a folder; expected a folder");
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) {
    refuse(path, fmt::format("it belongs to user {}, who can replace its content; expected root or "
                             "user {}: chown {} {}, or choose another folder",
                             status.st_uid, ::geteuid(), ::geteuid(), shell_word(path)));
  }
  const bool is_sticky = (status.st_mode & S_ISVTX) != 0;
  if ((status.st_mode & writable_by_others) != 0 && !is_sticky) {
    refuse(path, fmt::format("its mode {:04o} lets other users replace its content; expected write "
                             "access for its owner alone: chmod go-w {}, or choose another folder",
                             status.st_mode & permissions, shell_word(path)));
  }
}

/// Inserts the components of a path before the remaining ones.
void prepend(std::deque<std::filesystem::path>& rest, const std::filesystem::path& path) {
  const std::filesystem::path relative = path.relative_path();
  rest.insert(rest.begin(), relative.begin(), relative.end());
}

/// The parent folder of `path` without links; checks each component of the path, including links.
std::filesystem::path folder_above(const std::filesystem::path& path) {
  constexpr unsigned most_links = 40;  // as in Linux
  std::filesystem::path place = path.root_path();
  std::deque<std::filesystem::path> rest;
  prepend(rest, path.parent_path());
  require_folder_above(place, *status_of(place));
  for (unsigned links = 0; !rest.empty();) {
    const std::filesystem::path name = rest.front();
    rest.pop_front();
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      place = place.parent_path();
      continue;
    }
    const std::filesystem::path next = place / name;
    const std::optional<struct stat> status = status_of(next);
    if (!status) refuse(next, reason(ENOENT) + "; create this folder first");
    if (!S_ISLNK(status->st_mode)) {
      require_folder_above(next, *status);
      place = next;
      continue;
    }
    if (status->st_uid != 0 && status->st_uid != ::geteuid()) {
      refuse(next, fmt::format("it is a symbolic link of user {}; expected a folder, or a link of "
                               "root or of user {}: name the folder itself",
                               status->st_uid, ::geteuid()));
    }
    if (++links > most_links) refuse(next, reason(ELOOP));
    const std::filesystem::path target = std::filesystem::read_symlink(next);
    if (target.is_absolute()) place = target.root_path();
    prepend(rest, target);
  }
  return place;
}

/// `path` absolute, without a slash at its end.
std::filesystem::path plain_path(const std::filesystem::path& path) {
  std::error_code problem;
  std::filesystem::path plain = std::filesystem::absolute(path, problem);
  if (problem) refuse(path, problem.message());
  while (plain.has_relative_path() && (plain.filename().empty() || plain.filename() == ".")) {
    plain = plain.parent_path();
  }
  return plain;
}

void require_folder(const std::filesystem::path& folder, const struct stat& status) {
  if (S_ISLNK(status.st_mode)) {
    refuse(folder,
           "it is a symbolic link; expected a folder: name the folder that the link leads to");
  }
  if (!S_ISDIR(status.st_mode)) refuse(folder, "it is not a folder; name another path");
  if (status.st_uid != ::geteuid()) {
    refuse(
        folder,
        fmt::format(
            "it belongs to user {}, but the program runs as user {}; run the program as the owner, "
            "choose another folder, or check its content and change the owner: chown {} {}",
            status.st_uid, ::geteuid(), ::geteuid(), shell_word(folder)));
  }
  if ((status.st_mode & writable_by_others) != 0) {
    refuse(folder, fmt::format("its mode {:04o} lets other users write to it; expected 0700: check "
                               "its content, then chmod 0700 {}",
                               status.st_mode & permissions, shell_word(folder)));
  }
}

}  // namespace

std::filesystem::path require_private_folder(const std::filesystem::path& folder) {
  std::filesystem::path place = plain_path(folder);
  if (place.filename() == "..") place = std::filesystem::weakly_canonical(place);
  if (place.has_relative_path()) place = folder_above(place) / place.filename();
  if (const std::optional<struct stat> status = status_of(place)) require_folder(place, *status);
  return place;
}

std::filesystem::path make_private_folder(const std::filesystem::path& folder) {
  std::filesystem::path place = require_private_folder(folder);
  constexpr mode_t folder_for_this_user_alone = 0700;
  if (::mkdir(place.c_str(), folder_for_this_user_alone) == 0) {
    // The umask may have removed permissions of the owner.
    if (::chmod(place.c_str(), folder_for_this_user_alone) != 0) refuse(place, reason(errno));
  } else if (errno != EEXIST) {
    refuse(place, "cannot create it: " + reason(errno));
  }
  require_folder(place, *status_of(place));
  return place;
}

void require_private_file(const std::filesystem::path& file) {
  const std::optional<struct stat> status = status_of(file);
  if (!status) return;
  if (!S_ISREG(status->st_mode)) {
    refuse(file, fmt::format("it is {}; expected a regular file: check it, then rm {}",
                             S_ISLNK(status->st_mode) ? "a symbolic link" : "not a regular file",
                             shell_word(file)));
  }
  if (status->st_uid != ::geteuid()) {
    refuse(file, fmt::format("it belongs to user {}, but the program runs as user {}; expected a "
                             "file of user {}: check its content, then rm {}",
                             status->st_uid, ::geteuid(), ::geteuid(), shell_word(file)));
  }
  if ((status->st_mode & writable_by_others) != 0) {
    refuse(file, fmt::format("its mode {:04o} lets other users write to it; expected 0600: check "
                             "its content, then chmod go-w {}",
                             status->st_mode & permissions, shell_word(file)));
  }
}

void write_private_file(const std::filesystem::path& path, const ContentSource& content) {
  const std::optional<struct stat> there = status_of(path);
  if (there && S_ISDIR(there->st_mode)) refuse(path, "it is a directory; a file was expected");
  FileBeside file(path, for_this_user_alone);
  file.make_durable(for_this_user_alone);
  file.fill(content);
  file.publish();
}

}  // namespace pssp
