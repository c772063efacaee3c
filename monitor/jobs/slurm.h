#pragma once

// Reads jobs of Slurm by means of its programs squeue and sacct (tested with 22.05).

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
  std::string squeue = "squeue";  ///< searched in PATH unless the name contains a '/'
  std::string sacct = "sacct";    ///< as squeue
  std::chrono::milliseconds time_out{10'000};
  std::size_t most_output = std::size_t{64} << 20;  ///< limit for the output, in bytes
};

/// All jobs that Slurm lists now. Runs squeue without a shell; SLURM_CONF and other variables come
/// from the environment of the caller. At most one call may run at a time. Throws
/// Error(missing_program) if squeue cannot be started. Throws Error(unreadable_input) if squeue
/// fails, takes too long or prints too much; it is then killed. Throws Stopped.
JobList read_slurm_queue(const SlurmOptions& options = {}, const StopSignal& stop = {});

/// Jobs that ended in the last `seconds`, from Slurm's accounting, because squeue drops jobs some
/// minutes after their end (MinJobAge). Nothing if Slurm keeps no accounts or sacct is missing.
/// Otherwise like read_slurm_queue().
std::optional<JobList> read_slurm_accounts(std::int64_t seconds, const SlurmOptions& options = {},
                                           const StopSignal& stop = {});

/// A separator for the jobs in the output of squeue. Names of jobs may contain line breaks and
/// could imitate the line of another job. Therefore each line of a job starts with an unpredictable
/// word.
std::string random_line_mark();
/// The format for squeue that prints `mark` before each job.
std::string squeue_format(std::string_view mark);

/// Parses lines "MARK|id|state|start|end|nodes|user|name". Times are seconds since 1970, or a word
/// if they are unknown. The name is the rest of the text up to the next mark. Invalid lines are
/// skipped and reported. O(size).
JobList parse_squeue(std::string_view text, std::string_view mark);

/// Parses the fields id, state, start, end, nodes, user and name, separated by `mark`. A line break
/// follows each name, which may itself contain line breaks. Invalid jobs are skipped and reported.
/// O(size).
JobList parse_sacct(std::string_view text, std::string_view mark);

}  // namespace pssp
