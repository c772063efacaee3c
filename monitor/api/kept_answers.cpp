// A response belongs to the view that it was made from, so all responses are dropped when a new
// view appears.

#include "monitor/api/kept_answers.h"

namespace pssp {

KeptAnswers::Body KeptAnswers::find(const std::string& key, const LiveViewPointer& view) {
  const std::lock_guard lock(mutex_);
  if (view_ != view) {
    answers_.clear();
    bytes_ = 0;
    view_ = view;
  }
  const auto found = answers_.find(key);
  return found == answers_.end() ? nullptr : found->second;
}

void KeptAnswers::add(const std::string& key, const LiveViewPointer& view, const Body& body) {
  const std::lock_guard lock(mutex_);
  if (view_ != view || answers_.size() >= most_answers_) return;
  if (bytes_ + body->size() > most_bytes_) return;
  if (answers_.emplace(key, body).second) bytes_ += body->size();
}

}  // namespace pssp
