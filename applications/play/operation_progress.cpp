// Whatever happens at the same time in a play, at each moment something does: some operation holds
// its processor, some message is latent, or the links of a message carry at least one link's worth
// of bytes. So the sum of all of it bounds every time of the play, and is computed without the
// danger that it is about.

#include "applications/play/operation_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace pssp {

void require_time_fits(const Schedule& schedule, const MessageCosts& costs, double per_byte,
                       double compute_scale) {
  constexpr double longest = 4e18;  // of 9.2e18, so that nothing on the way exceeds it
  constexpr double latencies_per_message = 4;
  const double per_message =
      latencies_per_message * static_cast<double>(costs.latency + costs.gap) +
      2 * static_cast<double>(costs.overhead);
  const double byte = per_byte + 2 * static_cast<double>(costs.overhead_per_byte) +
                      2 * static_cast<double>(costs.gap_per_byte);
  double sum = 0;
  for (std::uint32_t i = 0; i < schedule.operation_count(); ++i) {
    const Operation& operation = schedule.operation(i);
    const auto size = static_cast<double>(operation.size);
    sum += operation.kind == OperationKind::compute ? size * 1e3 * std::max(1.0, compute_scale)
                                                    : per_message + size * byte;
    // One after the other by itself each must be representable, too.
    if (sum <= longest) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{}: up to here the operations may last longer than 46 days, which "
                            "is more than is simulated; fewer or smaller ones are possible",
                            schedule.label(i)));
  }
}

}  // namespace pssp
