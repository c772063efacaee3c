#pragma once

// Discovery blocks, so it has a thread of its own: it walks when it is time, or when somebody
// wishes, and keeps the last result until it is fetched.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "monitor/discovery/found_fabric.h"

namespace pssp {

/// What a walk came to: a fabric, or why there is none.
struct DiscoveryResult {
  std::optional<DiscoveredFabric> fabric;
  std::string failure;
};

class DiscoveryThread {
 public:
  /// `discover` is called in the thread, at least two seconds after its last call; what it throws
  /// is a failure.
  DiscoveryThread(std::function<DiscoveredFabric()> discover, std::chrono::seconds interval);
  /// Waits for a walk that is under way.
  ~DiscoveryThread();

  void wish();
  /// The last result, once.
  std::optional<DiscoveryResult> take();

 private:
  void work();
  bool wait_for_work();

  std::function<DiscoveredFabric()> discover_;
  std::chrono::seconds interval_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool wished_ = false, ending_ = false;
  std::optional<DiscoveryResult> result_;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace pssp
