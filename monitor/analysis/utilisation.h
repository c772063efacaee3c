#pragma once

// From when on the direction of a link counts as full, or as waiting
// (docs/explanation/monitoring.md, "Utilization and waiting").

namespace pssp {

struct UseLimits {
  double hot = 0.8;      ///< utilisation above which a channel is full itself
  double held_up = 0.3;  ///< waiting share above which it waits for something behind it
};

}  // namespace pssp
