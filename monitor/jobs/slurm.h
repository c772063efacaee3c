#pragma once

// Jobs of Slurm (22.05 was tried), asked for by its own programs squeue and sacct.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/stop_signal.h"
#include "monitor/jobs/job.h"

namespace pssp {

struct SlurmOptions {
  std::string squeue = "squeue";  ///< found in PATH, or at its path if it has a '/'
  std::string sacct = "sacct";    ///< likewise
  std::chrono::milliseconds time_out{10'000};
  std::size_t most_output = std::size_t{64} << 20;  ///< bytes
};

/// All jobs that Slurm has now. Starts squeue, without a shell; SLURM_CONF and what else Slurm's
/// programs look at is the caller's environment. One call at a time. Throws Error(missing_program)
/// when it cannot be started; Error(unreadable_input) when it fails, takes too long or says too
/// much: it is ended then; Stopped.
JobList read_slurm_queue(const SlurmOptions& options = {}, const StopSignal& stop = {});

/// Jobs that ended in the last `seconds`, of Slurm's accounting: squeue forgets them after minutes
/// (MinJobAge). Nothing where Slurm keeps no accounts, or has no sacct. Otherwise as
/// read_slurm_queue().
std::optional<JobList> read_slurm_accounts(std::int64_t seconds, const SlurmOptions& options = {},
                                           const StopSignal& stop = {});

/// What separates jobs in the output of squeue. The name of a job may have line ends in it, and so
/// could pretend to be the line of another job: so a line of a job begins with a word that no one
/// can know in advance.
std::string random_line_mark();
/// The format for squeue that puts `mark` before each job.
std::string squeue_format(std::string_view mark);

/// Lines "MARK|id|state|start|end|nodes|user|name", times in seconds since 1970 or a word for none;
/// the name is all that is left, whatever is in it. A line without the mark belongs to the name
/// before it. Bad lines are left out and named. O(size).
JobList parse_squeue(std::string_view text, std::string_view mark);

/// Fields id, state, start, end, nodes, user and name with `mark` between them, and a line end
/// behind each name, which may have such in it, too. Bad jobs are left out and named. O(size).
JobList parse_sacct(std::string_view text, std::string_view mark);

}  // namespace pssp
