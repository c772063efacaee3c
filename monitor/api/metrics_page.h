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
  bool all = false;  ///< also error counters of ports that never counted one
  bool openmetrics = false;
};
/// Of `select` and `all`; throws ApiError.
MetricsChoice metrics_choice(const Target& target);

/// Hands the page over in pieces of about 64 KiB. O(samples). `view` may be null: then the page has
/// the metrics of the monitor alone.
void write_metrics(const LiveView* view, const MetricsChoice& choice, std::size_t event_streams,
                   const std::function<void(std::string_view)>& piece);

}  // namespace pssp
