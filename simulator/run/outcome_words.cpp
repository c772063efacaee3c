// One function visits every member of an Outcome in one order, both for writing and for reading, so
// that the two always agree.

#include "simulator/run/outcome_words.h"

#include <cstddef>
#include <string>
#include <type_traits>

namespace pssp {
namespace {

class WordWriter {
 public:
  explicit WordWriter(std::vector<std::uint64_t>& words) : words_(words) {}

  template <class Number>
  void visit_number(const Number& number) {
    words_.push_back(static_cast<std::uint64_t>(number));
  }
  template <class Sequence>
  void visit_size(const Sequence& sequence) {
    words_.push_back(sequence.size());
  }

 private:
  std::vector<std::uint64_t>& words_;
};

class WordReader {
 public:
  explicit WordReader(std::span<const std::uint64_t>& words) : words_(words) {}

  template <class Number>
  void visit_number(Number& number) {
    number = static_cast<Number>(next());
  }
  template <class Sequence>
  void visit_size(Sequence& sequence) {
    sequence.resize(static_cast<std::size_t>(next()));
  }

 private:
  std::uint64_t next() {
    const std::uint64_t word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }

  std::span<const std::uint64_t>& words_;
};

template <class Words, class Value>
void visit(Words& words, Value& value);

template <class Words, class... Values>
void visit_all(Words& words, Values&... values) {
  (visit(words, values), ...);
}

/// A number, a string, a sequence of values, or one of the structs below.
template <class Words, class Value>
void visit(Words& words, Value& value) {
  using Plain = std::remove_const_t<Value>;
  if constexpr (std::is_arithmetic_v<Plain> || std::is_enum_v<Plain>) {
    words.visit_number(value);
  } else if constexpr (std::is_same_v<Plain, FlowOutcome>) {
    visit_all(words, value.hosts.source, value.hosts.destination, value.label, value.victim,
              value.delivered_bytes, value.delivered_packets, value.end_bytes, value.messages,
              value.finished, value.gave_up);
  } else if constexpr (std::is_same_v<Plain, LossCounts>) {
    visit_all(words, value.on_links, value.without_route, value.not_taken, value.repeats,
              value.given_up, value.first_lost, value.last_lost, value.recovered);
  } else if constexpr (std::is_same_v<Plain, LatencyHistogram>) {
    visit_all(words, value.count, value.sum, value.carries, value.least, value.most, value.first,
              value.counts);
  } else if constexpr (std::is_same_v<Plain, PortOutcome>) {
    visit_all(words, value.sent_bytes, value.congested, value.blocked, value.marks,
              value.max_queue_bytes);
  } else if constexpr (std::is_same_v<Plain, PortInterval>) {
    visit_all(words, value.bytes, value.marks, value.queue_bytes);
  } else {
    words.visit_size(value);
    for (auto& each : value) visit(words, each);
  }
}

template <class Words, class Whole>
void visit_outcome(Words& words, Whole& outcome) {
  visit_all(words, outcome.end, outcome.simulated, outcome.events, outcome.created,
            outcome.delivered, outcome.in_flight, outcome.losses, outcome.marks, outcome.becns,
            outcome.delivered_bytes, outcome.bytes_by_sample, outcome.flows,
            outcome.flow_bytes_by_sample, outcome.ports, outcome.latencies, outcome.flow_latencies,
            outcome.round_ends, outcome.port_samples, outcome.deadlock);
}

}  // namespace

void add_words(const Outcome& outcome, std::vector<std::uint64_t>& words) {
  WordWriter writer(words);
  visit_outcome(writer, outcome);
}

Outcome take_outcome(std::span<const std::uint64_t>& words) {
  Outcome outcome;
  WordReader reader(words);
  visit_outcome(reader, outcome);
  return outcome;
}

}  // namespace pssp
