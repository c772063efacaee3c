// At each time of a simulation, some operation occupies its processor, some message is in its
// latency, or the links of a message carry at least one link's worth of bytes. So the sum of all
// these durations is an upper bound of every time, and can be computed without overflow.

#include "applications/replay/operation_progress.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace pssp {
namespace {

constexpr double longest = 4e18;  // of 9.2e18, so that no intermediate value exceeds it

/// The longest durations of sends, receives and computations in picoseconds.
struct LongestTimes {
  LongestTimes(const MessageCosts& costs, double byte, double compute_scale)
      : per_message(latencies_per_message * static_cast<double>(costs.latency + costs.gap) +
                    2 * static_cast<double>(costs.overhead)),
        per_byte(byte + 2 * static_cast<double>(costs.overhead_per_byte) +
                 2 * static_cast<double>(costs.gap_per_byte)),
        per_nanosecond(1e3 * std::max(1.0, compute_scale)) {}
  static constexpr double latencies_per_message = 4;
  double per_message, per_byte, per_nanosecond;
};

[[noreturn]] void refuse_length(const std::string& what) {
  throw Error(ErrorKind::usage, what +
                                    " may last longer than 46 days, the limit of the simulation; "
                                    "use fewer or smaller operations");
}

}  // namespace

void require_time_fits(const Schedule& schedule, const MessageCosts& costs, double per_byte,
                       double compute_scale) {
  const LongestTimes times(costs, per_byte, compute_scale);
  double sum = 0;
  for (std::uint32_t i = 0; i < schedule.operation_count(); ++i) {
    const Operation& operation = schedule.operation(i);
    const auto size = static_cast<double>(operation.size);
    sum += operation.kind == OperationKind::compute ? size * times.per_nanosecond
                                                    : times.per_message + size * times.per_byte;
    // Each duration must also be representable alone.
    if (sum > longest) refuse_length(schedule.label(i) + ": the operations up to this one");
  }
}

void require_time_fits(const ApplicationExtent& extent, const MessageCosts& costs, double per_byte,
                       double compute_scale) {
  const LongestTimes times(costs, per_byte, compute_scale);
  const double sum = static_cast<double>(extent.operations) * times.per_message +
                     (extent.bytes + extent.received) * times.per_byte +
                     extent.compute_ns * times.per_nanosecond;
  if (sum > longest) refuse_length("the operations of the application");
}

}  // namespace pssp
