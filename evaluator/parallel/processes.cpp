#include "evaluator/parallel/processes.h"

#include <algorithm>
#include <utility>

// Decisions that must agree in all processes depend only on exchanges of Communicator; a single
// process exchanges nothing.

namespace pssp {

Processes::Processes(std::unique_ptr<Communicator> others)
    : others_(std::move(others)),
      rank_(others_ ? others_->rank() : 0),
      count_(others_ ? others_->count() : 1) {}

Processes::~Processes() {
  // An exception may leave the others waiting for this process forever. A launcher that sees a
  // process end without leave() ends them.
  if (std::uncaught_exceptions() == 0) leave();
}

void Processes::leave() {
  if (others_) others_->leave();
  others_.reset();
}

Share Processes::share(std::uint64_t all) const noexcept {
  const auto processes = static_cast<std::uint64_t>(count_);
  const auto rank = static_cast<std::uint64_t>(rank_);
  const std::uint64_t each = all / processes;
  const std::uint64_t larger = all % processes;  // this many processes have one more
  return {.first = rank * each + std::min(rank, larger), .count = each + (rank < larger ? 1 : 0)};
}

void Processes::add_up(std::vector<std::uint64_t>& numbers) const {
  if (count_ > 1) others_->add_up(numbers);
}

void Processes::add_up(std::map<double, std::uint64_t>& histogram) const {
  if (count_ == 1) return;
  std::vector<double> keys;
  std::vector<std::uint64_t> numbers;
  for (const auto& [key, number] : histogram) {
    keys.push_back(key);
    numbers.push_back(number);
  }
  keys = gather(keys);
  numbers = gather(numbers);
  histogram.clear();
  for (std::size_t i = 0; i < keys.size(); ++i) histogram[keys[i]] += numbers[i];
}

int Processes::first_where(bool here) const {
  const std::vector<std::uint64_t> answers = gather_number(here ? 1 : 0);
  const auto found = std::find(answers.begin(), answers.end(), 1U);
  return static_cast<int>(found - answers.begin());
}

std::vector<std::uint64_t> Processes::gather_number(std::uint64_t number) const {
  if (count_ == 1) return {number};
  return others_->gather_number(number);
}

}  // namespace pssp
