// Of a link that a message has left or entered all messages may have another rate, and no others.
// So links are noted when that happens, and share() looks at the messages on them, each once. Most
// keep their rate, since another link is narrower for them; one that does not has sent what it
// could by now, and is put elsewhere in the queue of ends. The queue is a heap that knows where
// each message is.
//
// Bytes left are floating-point numbers, and computed anew only where a rate changes: the same
// messages in the same order give the same times.

#include "applications/networks/shared_links.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pssp {

namespace {
constexpr std::uint32_t heap_children = 4;
}

SharedLinks::SharedLinks(std::vector<double> capacities)
    : capacities_(std::move(capacities)),
      bytes_(capacities_.size()),
      users_(capacities_.size()),
      is_touched_(capacities_.size()) {}

void SharedLinks::begin(std::uint32_t id, double bytes, std::span<const std::uint32_t> links,
                        PlayTime now) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(messages_.size()));
    messages_.emplace_back();
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  Message& message = messages_[slot];
  message.id = id;
  message.number = begun_++;
  message.all = message.left = bytes;
  message.rate = 0;
  message.since = now;
  message.seen = 0;
  message.uses.clear();
  for (const std::uint32_t link : links) {
    touch(link);
    message.uses.push_back({link, static_cast<std::uint32_t>(users_[link].size())});
    users_[link].push_back({slot, static_cast<std::uint32_t>(message.uses.size() - 1)});
  }
}

void SharedLinks::touch(std::uint32_t link) {
  if (is_touched_[link] != 0) return;
  is_touched_[link] = 1;
  touched_.push_back(link);
}

void SharedLinks::share(PlayTime now) {
  ++sharings_;
  for (const std::uint32_t link : touched_) {
    is_touched_[link] = 0;
    for (const User& user : users_[link]) {
      if (std::exchange(messages_[user.message].seen, sharings_) == sharings_) continue;
      share_message(user.message, now);
    }
  }
  touched_.clear();
}

void SharedLinks::share_message(std::uint32_t slot, PlayTime now) {
  Message& message = messages_[slot];
  double rate = std::numeric_limits<double>::infinity();
  for (const Use& use : message.uses) {
    rate = std::min(rate, capacities_[use.link] / static_cast<double>(users_[use.link].size()));
  }
  if (rate == message.rate) return;
  message.left -= message.rate * static_cast<double>(now - message.since);
  message.left = std::max(message.left, 0.0);
  message.rate = rate;
  message.since = now;
  message.end = now + static_cast<PlayTime>(std::ceil(message.left / rate));
  if (message.place == not_queued) {
    queue_.push_back(slot);
    put(static_cast<std::uint32_t>(queue_.size() - 1), slot);
    sift_up(message.place);
  } else {
    sift_up(message.place);
    sift_down(message.place);
  }
}

PlayTime SharedLinks::next_end() const noexcept {
  return queue_.empty() ? std::numeric_limits<PlayTime>::max() : messages_[queue_.front()].end;
}

std::uint32_t SharedLinks::take_ended(PlayTime /*now*/) {
  const std::uint32_t slot = queue_.front();
  Message& message = messages_[slot];
  const std::uint32_t last = queue_.back();
  queue_.pop_back();
  message.place = not_queued;
  if (last != slot) {
    put(0, last);
    sift_down(0);
  }
  leave_links(message);
  free_slots_.push_back(slot);
  return message.id;
}

void SharedLinks::leave_links(const Message& message) {
  for (const Use& use : message.uses) {
    touch(use.link);
    bytes_[use.link] += message.all;
    std::vector<User>& users = users_[use.link];
    users[use.place] = users.back();
    messages_[users[use.place].message].uses[users[use.place].use].place = use.place;
    users.pop_back();
  }
}

double SharedLinks::rate(std::uint32_t id) const {
  for (const std::uint32_t slot : queue_) {
    if (messages_[slot].id == id) return messages_[slot].rate;
  }
  return 0;
}

bool SharedLinks::is_before(std::uint32_t a, std::uint32_t b) const {
  const Message& first = messages_[a];
  const Message& second = messages_[b];
  return first.end != second.end ? first.end < second.end : first.number < second.number;
}

void SharedLinks::put(std::uint32_t place, std::uint32_t slot) {
  queue_[place] = slot;
  messages_[slot].place = place;
}

void SharedLinks::sift_up(std::uint32_t place) {
  const std::uint32_t slot = queue_[place];
  while (place != 0) {
    const std::uint32_t parent = (place - 1) / heap_children;
    if (!is_before(slot, queue_[parent])) break;
    put(place, queue_[parent]);
    place = parent;
  }
  put(place, slot);
}

void SharedLinks::sift_down(std::uint32_t place) {
  const std::uint32_t slot = queue_[place];
  const auto size = static_cast<std::uint32_t>(queue_.size());
  while (std::uint64_t{place} * heap_children + 1 < size) {
    const std::uint32_t first = place * heap_children + 1;
    std::uint32_t least = first;
    for (std::uint32_t child = first + 1; child < std::min(first + heap_children, size); ++child) {
      if (is_before(queue_[child], queue_[least])) least = child;
    }
    if (!is_before(queue_[least], slot)) break;
    put(place, queue_[least]);
    place = least;
  }
  put(place, slot);
}

}  // namespace pssp
