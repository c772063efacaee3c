// When a message begins or ends, only messages on its links can change their rate. So these links
// are noted, and share() examines the messages on them. Most keep their rate, since another link is
// narrower for them: if a link gives less than before, only messages with a higher rate change; if
// it gives more, only those limited by it. A message whose rate changes gets a new position in the
// queue of ends, which is a heap that stores the position of each message.
//
// With max-min shares, a message that ends may change the rate of one that shares no link with it:
// all messages connected to a changed link are shared again.
//
// Remaining bytes are floating-point numbers, and are recomputed only when a rate changes: the same
// messages in the same order give the same times.

#include "applications/networks/shared_links.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pssp {

namespace {
constexpr std::uint32_t heap_children = 4;
}

SharedLinks::SharedLinks(std::vector<double> capacities, LinkSharing sharing)
    : capacities_(std::move(capacities)),
      bytes_(capacities_.size()),
      users_(capacities_.size()),
      load_(capacities_.size()),
      given_(capacities_.size()),
      is_touched_(capacities_.size()),
      sharing_(sharing),
      local_number_(sharing == LinkSharing::max_min ? capacities_.size() : 0) {}

std::uint32_t SharedLinks::add(std::uint32_t id, double bytes, ReplayTime now) {
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
  message.noted = now;
  message.beside.clear();
  return slot;
}

void SharedLinks::use(std::uint32_t slot, LinkPart part) {
  Message& message = messages_[slot];
  touch(part.link);
  std::vector<User>& users = users_[part.link];
  message.uses.push_back({part.link, static_cast<std::uint32_t>(users.size()), part.part});
  users.push_back({slot, static_cast<std::uint32_t>(message.uses.size() - 1)});
  load_[part.link] += part.part;
  if (groups_ != 0) *group_load(part.link, message) += part.part;
}

void SharedLinks::begin(std::uint32_t id, double bytes, std::span<const std::uint32_t> links,
                        ReplayTime now) {
  const std::uint32_t slot = add(id, bytes, now);
  for (const std::uint32_t link : links) use(slot, {link});
}

void SharedLinks::begin_divided(std::uint32_t id, double bytes, std::span<const LinkPart> links,
                                ReplayTime now) {
  const std::uint32_t slot = add(id, bytes, now);
  for (const LinkPart& part : links) use(slot, part);
}

void SharedLinks::touch(std::uint32_t link) {
  if (is_touched_[link] != 0) return;
  is_touched_[link] = 1;
  touched_.push_back(link);
}

void SharedLinks::share(ReplayTime now) {
  ++sharings_;
  if (sharing_ == LinkSharing::max_min) {
    share_max_min(now);
    return;
  }
  gave_.clear();
  for (const std::uint32_t link : touched_) {
    is_touched_[link] = 0;
    gave_.push_back(given_[link]);
    // LinkPart::whole is a power of two: for undivided messages this is exactly capacity /
    // messages.
    given_[link] = capacities_[link] * LinkPart::whole / static_cast<double>(load_[link]);
  }
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    const std::uint32_t link = touched_[i];
    for (const User& user : users_[link]) {
      Message& message = messages_[user.message];
      // Which group delays which may change even with equal rates.
      if (groups_ == 0 && !changes(message.rate, gave_[i], given_[link])) continue;
      if (std::exchange(message.seen, sharings_) == sharings_) continue;
      set_rate(user.message, equal_rate(message), now);
    }
  }
  touched_.clear();
}

/// Whether a message of that rate may get another rate from a link that gives `gives` instead of
/// `gave`; 0 is the rate of a new message.
bool SharedLinks::changes(double rate, double gave, double gives) {
  return rate == 0 || rate > gives || (rate == gave && gives > gave);
}

double SharedLinks::equal_rate(const Message& message) const {
  double rate = std::numeric_limits<double>::infinity();
  for (const Use& use : message.uses) rate = std::min(rate, given_[use.link]);
  return rate;
}

const SharedLinks::Use& SharedLinks::narrowest(const Message& message) const {
  return *std::ranges::min_element(message.uses, {}, [&](const Use& use) {
    return capacities_[use.link] / static_cast<double>(load_[use.link]);
  });
}

void SharedLinks::watch_groups(std::vector<std::uint32_t> group_of, std::uint32_t groups) {
  groups_ = groups;
  group_of_ = std::move(group_of);
  group_load_.assign(capacities_.size() * groups, 0);
  held_up_.assign(std::size_t{groups} * groups, 0);
}

std::uint64_t* SharedLinks::group_load(std::uint32_t link, const Message& message) {
  return &group_load_[std::size_t{link} * groups_ + group_of_[message.id]];
}

/// Assigns the bandwidth that a message lacked since its last update to the groups that shared its
/// link then; stores the groups that share it now.
void SharedLinks::note_groups(Message& message, ReplayTime now) {
  double alone = std::numeric_limits<double>::infinity();
  for (const Use& use : message.uses) {
    alone = std::min(alone, capacities_[use.link] * LinkPart::whole / use.part);
  }
  std::uint64_t others = 0;
  for (const std::uint64_t load : message.beside) others += load;
  if (others != 0 && message.rate < alone) {
    const double held = static_cast<double>(now - message.noted) * (1 - message.rate / alone);
    double* const by = &held_up_[std::size_t{group_of_[message.id]} * groups_];
    for (std::uint32_t g = 0; g < groups_; ++g) {
      by[g] += held * static_cast<double>(message.beside[g]) / static_cast<double>(others);
    }
  }
  message.noted = now;
  const Use& narrow = narrowest(message);
  const std::uint64_t* const loads = &group_load_[std::size_t{narrow.link} * groups_];
  message.beside.assign(loads, loads + groups_);
  message.beside[group_of_[message.id]] -= narrow.part;
}

/// Extends the changed links to all connected links.
void SharedLinks::collect_connected() {
  connected_.clear();
  std::size_t next = 0;
  while (next < touched_.size()) {
    for (const User& user : users_[touched_[next++]]) {
      Message& message = messages_[user.message];
      if (std::exchange(message.seen, sharings_) == sharings_) continue;
      connected_.push_back(user.message);
      for (const Use& use : message.uses) touch(use.link);
    }
  }
}

void SharedLinks::share_max_min(ReplayTime now) {
  collect_connected();
  // A fixed order, because another order would change the rounding of sums.
  std::ranges::sort(connected_, {}, [&](std::uint32_t slot) { return messages_[slot].number; });
  local_capacities_.clear();
  for (const std::uint32_t link : touched_) {
    is_touched_[link] = 0;
    local_number_[link] = static_cast<std::uint32_t>(local_capacities_.size());
    local_capacities_.push_back(capacities_[link]);
  }
  touched_.clear();
  flows_.resize(connected_.size());
  for (std::size_t i = 0; i < connected_.size(); ++i) {
    flows_[i].links.clear();
    for (const Use& use : messages_[connected_[i]].uses) {
      flows_[i].links.push_back(local_number_[use.link]);
    }
  }
  const std::vector<double> rates = max_min_shares(flows_, local_capacities_);
  for (std::size_t i = 0; i < rates.size(); ++i) set_rate(connected_[i], rates[i], now);
}

void SharedLinks::set_rate(std::uint32_t slot, double rate, ReplayTime now) {
  Message& message = messages_[slot];
  if (groups_ != 0) note_groups(message, now);
  if (rate == message.rate) return;
  message.left -= message.rate * static_cast<double>(now - message.since);
  message.left = std::max(message.left, 0.0);
  message.rate = rate;
  message.since = now;
  message.end = now + static_cast<ReplayTime>(std::ceil(message.left / rate));
  if (message.place == not_queued) {
    queue_.push_back(slot);
    put(static_cast<std::uint32_t>(queue_.size() - 1), slot);
    sift_up(message.place);
  } else {
    sift_up(message.place);
    sift_down(message.place);
  }
}

ReplayTime SharedLinks::next_end() const noexcept {
  return queue_.empty() ? std::numeric_limits<ReplayTime>::max() : messages_[queue_.front()].end;
}

std::uint32_t SharedLinks::take_ended(ReplayTime now) {
  const std::uint32_t slot = queue_.front();
  Message& message = messages_[slot];
  if (groups_ != 0) note_groups(message, now);
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
    bytes_[use.link] += message.all * (use.part / static_cast<double>(LinkPart::whole));
    load_[use.link] -= use.part;
    if (groups_ != 0) *group_load(use.link, message) -= use.part;
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
