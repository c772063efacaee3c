#pragma once

// What deploy_tables keeps between its calls: the file that opensm reads, the tables before, and
// whether an administrator must confirm them.
//
//   active.lft               the file that lfts_file names; replaced by rename
//   history/NNNN_TIME.lft    what the switches held before a change, oldest first; the last few
//   topology/DIGEST.topo     the fabric that tables with this digest were made for
//   pending                  a change that is not confirmed yet; absent otherwise
//   aside.lft                tables that `guard --on-change fallback` took away from opensm
//   log                      a line for each action
//   lock                     held by the process that changes this folder
//
// Later calls, some of them by root's timers, act on what they find here, so it must be private to
// the user of this process (base/private_files.h); commands are never taken from it.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "tools/deploy_tables/manager_options.h"
#include "wire/adapter_pair.h"

namespace pssp {

/// A time that is not affected by changes of the clock or sleep of the machine, and that ends with
/// a reboot.
struct BootTime {
  std::string boot;     ///< identifier of the boot
  std::int64_t ns = 0;  ///< since it
  static BootTime now();
};

/// Number of previous tables that are kept, and of changes that can be undone one after the other.
inline constexpr std::size_t kept_changes = 20;

/// The progress of a change. Each phase is written before its step.
enum class ChangePhase : std::uint8_t {
  applying,      ///< the switches have not been read back
  unconfirmed,   ///< they hold the new tables, and `confirm` is awaited
  going_back,    ///< to the previous tables, which the switches may not hold yet
  handing_over,  ///< repaired tables of `guard`, which the switches may not hold yet
  falling_back,  ///< `guard` removes the file, so that opensm falls back
};
/// For `pending`, and for the JSON of status: "applying", ..
std::string_view phase_name(ChangePhase phase);

/// An unfinished change: not confirmed, or not read back from the switches.
struct Pending {
  ChangePhase phase = ChangePhase::unconfirmed;
  std::string id;               ///< of the change: name of the previous file, without .lft
  std::string previous;         ///< file name in history/
  std::string previous_digest;  ///< of that file, which becomes active.lft when going back
  std::string digest;           ///< of the new active.lft
  BootTime deadline;
  std::int64_t deadline_ms = 0;  ///< for display: wall clock
  std::string timer;             ///< "process PID START" or "unit NAME"
  ManagerOptions manager;        ///< how to reach the subnet manager
  AdapterChoice adapters;        ///< for reading the fabric
  std::string m_key_file;

  bool is_over() const;  ///< by time, or because the machine was restarted
  /// A step of `guard`, which needs no confirmation.
  bool is_of_guard() const {
    return phase == ChangePhase::handing_over || phase == ChangePhase::falling_back;
  }
};

class StateFolder {
 public:
  enum class IfMissing : std::uint8_t { fail, make, go_on };

  /// Opens the folder. Throws Error(output) if it cannot be created, or if another user could have
  /// written to it; Error(usage) if it does not exist and must.
  StateFolder(const std::filesystem::path& folder, IfMissing if_missing);

  /// Throws Error(output) if another user can write to the folder, or has written to it.
  void require_private() const;

  const std::filesystem::path& folder() const noexcept { return folder_; }
  std::filesystem::path active() const { return folder_ / "active.lft"; }
  std::filesystem::path aside() const { return folder_ / "aside.lft"; }
  std::filesystem::path in_history(const std::string& name) const {
    return folder_ / "history" / name;
  }

  /// None if there is no change. Throws Error(unreadable_input).
  std::optional<Pending> pending() const;
  /// Durable when it returns. Throws Error(output).
  void write(const Pending& pending) const;
  /// Whether going back has begun and is incomplete.
  bool is_going_back(const Pending& pending) const;
  void remove_pending() const;
  /// Removes unfinished files of killed processes. Requires the lock.
  void remove_leftovers() const;
  /// Removes all but the newest kept_changes previous tables, and the fabrics of removed tables.
  /// Ignores failures. Requires the lock.
  void remove_old() const;
  /// By age.
  std::vector<std::string> history() const;
  /// A name that comes after all others.
  std::string next_history_name() const;

  /// Digest of a file of tables, as text; empty if it does not exist.
  static std::string digest_of_file(const std::filesystem::path& file);
  std::filesystem::path topology_of(const std::string& digest) const;
  /// Writes the fabric of the tables with this digest. Throws Error(output).
  void note_topology(const std::string& digest, const Fabric& fabric) const;

  /// Writes a line to the log, and to standard error unless `quiet`. Never throws.
  void note(std::string_view text, bool quiet = false) const noexcept;

  /// Renames, and flushes both folders to the disk. Throws Error(output).
  static void rename(const std::filesystem::path& from, const std::filesystem::path& to);
  /// After write_file(): flushes the folder to the disk.
  static void flush_folder(const std::filesystem::path& folder);

 private:
  std::filesystem::path folder_;
};

/// The lock of a state folder during the lifetime of the object.
class StateLock {
 public:
  /// Waits up to `patience` for the current owner. Throws Error(output), naming that process, if it
  /// keeps the lock, and if the folder is not private.
  StateLock(const StateFolder& state, std::chrono::seconds patience);
  StateLock(const StateLock&) = delete;
  StateLock& operator=(const StateLock&) = delete;
  ~StateLock();

 private:
  int descriptor_ = -1;
};

}  // namespace pssp
