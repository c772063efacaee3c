#pragma once

// Cache of responses that stay the same until the next sweep.

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "monitor/api/live_state.h"

namespace pssp {

/// Functions may be called from several threads.
class KeptAnswers {
 public:
  using Body = std::shared_ptr<const std::string>;

  KeptAnswers(std::size_t most_answers, std::size_t most_bytes)
      : most_answers_(most_answers), most_bytes_(most_bytes) {}

  /// Null if there is no such response. Drops all responses that were made from another view.
  Body find(const std::string& key, const LiveViewPointer& view);
  /// Does nothing if the cache is full, or if a new view has appeared meanwhile.
  void add(const std::string& key, const LiveViewPointer& view, const Body& body);

 private:
  const std::size_t most_answers_, most_bytes_;
  std::mutex mutex_;
  LiveViewPointer view_;
  std::map<std::string, Body> answers_;
  std::size_t bytes_ = 0;
};

}  // namespace pssp
