#pragma once

// Limits above which a direction of a link counts as saturated or as waiting
// (docs/explanation/monitoring.md, "Utilization and waiting").

namespace pssp {

struct UseLimits {
  double hot = 0.8;      ///< utilization above which the channel itself is saturated
  double held_up = 0.3;  ///< waiting share above which the channel waits for links behind it
};

}  // namespace pssp
