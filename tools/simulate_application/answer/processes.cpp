// Times are exchanged as bytes in memory format: all processes run the same program.

#include "tools/simulate_application/answer/processes.h"

#include <array>
#include <cstring>
#include <utility>

#include "base/digest.h"
#include "congestion/parameter_text.h"
#include "evaluator/parallel/agreement.h"
#include "simulator/model_values.h"

namespace pssp {
namespace {

class Packed {
 public:
  template <class Value>
  void add(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    const auto* const bytes = reinterpret_cast<const char*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(Value));
  }
  template <class Value>
  void add_all(const std::vector<Value>& values) {
    add(values.size());
    for (const Value& value : values) add(value);
  }
  const std::vector<char>& bytes() const { return bytes_; }

 private:
  std::vector<char> bytes_;
};

class Unpacked {
 public:
  explicit Unpacked(std::vector<char> bytes) : bytes_(std::move(bytes)) {}
  bool empty() const { return next_ == bytes_.size(); }
  template <class Value>
  void take(Value& value) {
    std::memcpy(&value, &bytes_.at(next_), sizeof(Value));
    next_ += sizeof(Value);
  }
  template <class Value>
  void take_all(std::vector<Value>& values) {
    std::size_t count = 0;
    take(count);
    values.resize(count);
    for (Value& value : values) take(value);
  }

 private:
  std::vector<char> bytes_;
  std::size_t next_ = 0;
};

void pack(const TablesTime& time, Packed& packed) {
  packed.add(time.result.time);
  packed.add_all(time.result.rank_ends);
  packed.add_all(time.result.rank_uses);
  packed.add(time.result.operations);
  packed.add(time.result.eager_together);
  packed.add(time.jobs.size());
  for (const JobTime& job : time.jobs) {
    packed.add(job.together);
    packed.add(job.alone);
    packed.add_all(job.held_up_by);
  }
  packed.add(time.path.has_value());
  if (time.path) {
    packed.add(time.path->last_rank);
    packed.add_all(time.path->parts);
    packed.add_all(time.path->messages);
  }
  packed.add(time.events);
  packed.add(time.packets);
  packed.add(time.overtaken);
  packed.add(time.notifications);
  packed.add(time.losses);
}

TablesTime unpack(Unpacked& packed) {
  TablesTime time;
  packed.take(time.result.time);
  packed.take_all(time.result.rank_ends);
  packed.take_all(time.result.rank_uses);
  packed.take(time.result.operations);
  packed.take(time.result.eager_together);
  std::size_t jobs = 0;
  packed.take(jobs);
  time.jobs.resize(jobs);
  for (JobTime& job : time.jobs) {
    packed.take(job.together);
    packed.take(job.alone);
    packed.take_all(job.held_up_by);
  }
  bool has_path = false;
  packed.take(has_path);
  if (has_path) {
    PathReport& path = time.path.emplace();
    packed.take(path.last_rank);
    packed.take_all(path.parts);
    packed.take_all(path.messages);
  }
  packed.take(time.events);
  packed.take(time.packets);
  packed.take(time.overtaken);
  packed.take(time.notifications);
  packed.take(time.losses);
  return time;
}

Digest digest_of_options(const ApplicationQuestion& question) {
  Digest digest;
  for (const std::string& text : {question.application, question.goal, question.ranks_on,
                                  question.order, question.network, question.adaptive}) {
    digest.add_text(text);
  }
  for (const std::string& job : question.jobs) digest.add_text(job);
  const MessageCosts& costs = question.costs;
  for (const ReplayTime time :
       {costs.overhead, costs.overhead_per_byte, costs.gap, costs.latency, costs.gap_per_byte}) {
    digest.add(static_cast<std::uint64_t>(time));
  }
  digest.add(costs.eager);
  digest.add(question.seed);
  digest.add(question.seeds);
  digest.add_real(question.precision);
  digest.add_real(question.compute_scale);
  for (const bool flag : {question.sharing == LinkSharing::max_min, question.spread,
                          question.cyclic, question.critical_path}) {
    digest.add(static_cast<std::uint64_t>(flag));
  }
  digest.add(question.ranks_per_host);
  digest.add(question.adaptive_busy);
  add_model(question.model, digest);
  if (question.later != nullptr) digest.add(digest_of(*question.later));
  if (question.congestion) digest.add_text(congestion_parameters_text(*question.congestion));
  return digest;
}

}  // namespace

std::vector<TablesTime> gather_times(std::vector<TablesTime> own, const Processes& processes) {
  if (processes.count() == 1) return own;
  Packed packed;
  for (const TablesTime& time : own) pack(time, packed);
  Unpacked all(processes.gather(packed.bytes()));
  std::vector<TablesTime> times;
  while (!all.empty()) times.push_back(unpack(all));
  return times;
}

void require_same_question(Processes& processes, const ApplicationQuestion& question,
                           std::span<const NamedTables> inputs, const Digest& groups,
                           const ApplicationReport& report) {
  if (processes.count() == 1) return;
  InputClaims of_inputs;
  Digest application;
  for (const NamedTables& input : inputs) {
    of_inputs.add(*input.fabric);
    if (input.tables != nullptr) of_inputs.add(*input.tables);
    if (input.levels != nullptr) of_inputs.add(*input.levels);
  }
  application.add(report.ranks);
  application.add(report.messages);
  application.add_real(report.bytes);
  const std::array claims{of_inputs.topology(), of_inputs.tables(),
                          Claim{"other groups of ports", groups.value()},
                          Claim{"other options", digest_of_options(question).value()},
                          Claim{"another application", application.value()}};
  require_agreement(processes, claims);
}

}  // namespace pssp
