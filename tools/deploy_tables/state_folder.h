#pragma once

// What deploy_tables keeps between its calls: the file that opensm reads, the tables before, and
// whether somebody has to confirm them.
//
//   active.lft               the one name in lfts_file; replaced by rename
//   history/NNNN_TIME.lft    what the switches held before a change, oldest first; the last few
//   topology/DIGEST.topo     the fabric that tables with this digest were made for
//   pending                  a change that is not confirmed yet; absent otherwise
//   aside.lft                what `guard --on-change fallback` took away from opensm
//   log                      a line for each thing that was done
//   lock                     held by whoever changes anything
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

/// A time that neither a clock that is set nor sleep of the machine disturbs, and that ends with a
/// reboot.
struct BootTime {
  std::string boot;     ///< id of the boot
  std::int64_t ns = 0;  ///< since it
  static BootTime now();
};

/// So many tables of before are kept: so many changes can be taken back one after the other.
inline constexpr std::size_t kept_changes = 20;

/// How far a change has come. Each one is written before the step that it names.
enum class ChangePhase : std::uint8_t {
  applying,      ///< the switches were not read back yet
  unconfirmed,   ///< they hold the new tables; `confirm` is waited for
  going_back,    ///< to the tables of before, which the switches need not hold yet
  handing_over,  ///< repaired tables of `guard`, which the switches need not hold yet
  falling_back,  ///< `guard` takes the file away from opensm
};
/// For `pending`, and for the JSON of status: "applying", ..
std::string_view phase_name(ChangePhase phase);

/// A change that is not over: not confirmed yet, or not read back from the switches.
struct Pending {
  ChangePhase phase = ChangePhase::unconfirmed;
  std::string id;               ///< of the change: name of the file before, without .lft
  std::string previous;         ///< file name in history/
  std::string previous_digest;  ///< of that file, which becomes active.lft on the way back
  std::string digest;           ///< of the new active.lft
  BootTime deadline;
  std::int64_t deadline_ms = 0;  ///< for people: wall clock
  std::string timer;             ///< "process PID START" or "unit NAME"
  ManagerOptions manager;        ///< how to reach the subnet manager
  AdapterChoice adapters;        ///< from which the fabric is read
  std::string m_key_file;

  bool is_over() const;  ///< by time, or since the machine was started again
  /// A step of `guard`, which no one is asked to confirm.
  bool is_of_guard() const {
    return phase == ChangePhase::handing_over || phase == ChangePhase::falling_back;
  }
};

class StateFolder {
 public:
  enum class IfMissing : std::uint8_t { fail, make, go_on };

  /// Opens the folder. Throws Error(output) where it cannot be made, or where another user could
  /// have written something in it; Error(usage) where there is none and that is a failure.
  StateFolder(const std::filesystem::path& folder, IfMissing if_missing);

  /// Throws Error(output) where another user can write to the folder, or has written in it.
  void require_private() const;

  const std::filesystem::path& folder() const noexcept { return folder_; }
  std::filesystem::path active() const { return folder_ / "active.lft"; }
  std::filesystem::path aside() const { return folder_ / "aside.lft"; }
  std::filesystem::path in_history(const std::string& name) const {
    return folder_ / "history" / name;
  }

  /// Nothing where there is none. Throws Error(unreadable_input).
  std::optional<Pending> pending() const;
  /// Durable when it returns. Throws Error(output).
  void write(const Pending& pending) const;
  /// The way back has begun, and was not brought to its end.
  bool is_going_back(const Pending& pending) const;
  void remove_pending() const;
  /// Removes what calls that were killed left unfinished. Under the lock.
  void remove_leftovers() const;
  /// Removes all but the newest kept_changes tables of before, and the fabrics of tables that are
  /// no more. What cannot be removed stays. Under the lock.
  void remove_old() const;
  /// By age.
  std::vector<std::string> history() const;
  /// A name that comes after all others.
  std::string next_history_name() const;

  /// Digest of a file of tables, as text; empty where there is none.
  static std::string digest_of_file(const std::filesystem::path& file);
  std::filesystem::path topology_of(const std::string& digest) const;
  /// Writes the fabric that tables of this digest were made for. Throws Error(output).
  void note_topology(const std::string& digest, const Fabric& fabric) const;

  /// A line in the log, and on standard error unless `quiet`. Never throws.
  void note(std::string_view text, bool quiet = false) const noexcept;

  /// Renames, and flushes both folders to the disk. Throws Error(output).
  static void rename(const std::filesystem::path& from, const std::filesystem::path& to);
  /// After write_file(): the folder, too, is on the disk.
  static void flush_folder(const std::filesystem::path& folder);

 private:
  std::filesystem::path folder_;
};

/// The lock of a state folder, as long as the object lives.
class StateLock {
 public:
  /// Waits so long for whoever has it. Throws Error(output), naming that process, where it keeps
  /// it, and where the folder is not private.
  StateLock(const StateFolder& state, std::chrono::seconds patience);
  StateLock(const StateLock&) = delete;
  StateLock& operator=(const StateLock&) = delete;
  ~StateLock();

 private:
  int descriptor_ = -1;
};

}  // namespace pssp
