#pragma once

// /metrics in Prometheus' text format 0.0.4, or OpenMetrics 1.0.
//
// Names and labels of ports are those of treydock/infiniband_exporter, so that its dashboards work
// unchanged. A counter that is not known has no sample.

#include <cstdint>
#include <functional>
#include <string_view>

#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

struct MetricsChoice {
  bool switches = true, adapters = true, own = true;
  /// Error counters that are 0, too: without them the first errors of a port are no increase, for
  /// there is nothing before them.
  bool zeros = true;
  bool openmetrics = false;
};
/// Of `select` and `all`, and of `otherwise` what they do not say; throws ApiError.
MetricsChoice metrics_choice(const Target& target, const MetricsChoice& otherwise = {});

/// Hands the page over in pieces of about 64 KiB. O(samples). `view` may be null: then the page has
/// the metrics of the monitor alone.
void write_metrics(const LiveView* view, const MetricsChoice& choice, std::size_t event_streams,
                   const std::function<void(std::string_view)>& piece);

}  // namespace pssp
