// Numbers are read one by one at their offsets, after a check that they lie within their part. The
// length of a part must fit its counts for operations of one size; this distinguishes LogGOPSim2's
// files, which have the same cookie and longer operations.
//
// Redundant numbers can contradict each other: how many operations one waits for, and which
// operations wait for none. Both are computed from the lists.

#include "applications/formats/goal_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "applications/formats/goal_text.h"
#include "base/error.h"

namespace pssp {
namespace {

constexpr std::uint64_t cookie = 4223, used_up_cookie = 2342;
constexpr std::uint64_t table_begin = 14, offsets_begin = 8;
constexpr std::uint64_t range_size = 16, operation_size = 39, operation_size_of_2 = 104;
constexpr std::uint64_t largest_size = std::uint64_t{1} << 63U;

class BinaryReader {
 public:
  BinaryReader(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}

  std::vector<RankSchedule> read() {
    if (bytes_.size() < table_begin) fail(bytes_.size(), "the file ends", "a header of 14 bytes");
    if (number<std::uint64_t>(0) == used_up_cookie) {
      fail(0, "a file that a run of LogGOPSim has consumed (2342)",
           "4223; convert the schedule again with txt2bin");
    }
    const auto count = number<std::uint32_t>(8);
    if (count == 0 || count > most_goal_ranks) {
      fail(8, fmt::format("{} ranks", count), fmt::format("1 .. {}", most_goal_ranks));
    }
    processors_ = number<std::uint8_t>(12);
    adapters_ = number<std::uint8_t>(13);
    ranks_.resize(count);
    parts_begin_ = table_begin + range_size * count;
    if (bytes_.size() < parts_begin_) {
      fail(bytes_.size(), "the file ends", fmt::format("the parts of {} ranks", count));
    }
    read_table();
    for (std::uint32_t r = 0; r < count; ++r) read_part(r);
    return std::move(ranks_);
  }

 private:
  struct Part {
    std::uint64_t begin, end;  // bytes of the file
    std::uint32_t rank;
  };
  /// A list of successors, as an operation specifies it.
  struct Successors {
    std::uint32_t count, first;
    std::uint64_t at;  // where it is specified
  };

  [[noreturn]] void fail(std::uint64_t at, const std::string& found,
                         const std::string& expected) const {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: byte {}: {}; expected {}", name_, at, found, expected));
  }
  template <class Number>
  Number number(std::uint64_t at) const {
    Number value = 0;
    for (std::size_t i = sizeof(Number); i-- > 0;) {
      value = static_cast<Number>(std::uint64_t{value} << 8U |
                                  static_cast<unsigned char>(bytes_[at + i]));
    }
    return value;
  }

  void read_table() {
    parts_.reserve(ranks_.size());
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      const std::uint64_t at = table_begin + range_size * r;
      const auto begin = number<std::uint64_t>(at);
      const auto end = number<std::uint64_t>(at + 8);
      const std::uint64_t size = bytes_.size() - offsets_begin;
      if (begin > end || end > size || begin < parts_begin_ - offsets_begin) {
        fail(at, fmt::format("a part of rank {} from {} to {}", r, begin, end),
             fmt::format("begin and end within {} .. {}, in ascending order",
                         parts_begin_ - offsets_begin, size));
      }
      parts_.push_back({begin + offsets_begin, end + offsets_begin, r});
    }
    std::vector<Part> sorted = parts_;
    std::ranges::sort(sorted, {}, [](const Part& part) { return std::pair(part.begin, part.end); });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i].begin >= sorted[i - 1].end) continue;
      fail(table_begin + range_size * sorted[i].rank,
           fmt::format("the part of rank {} overlaps that of rank {}", sorted[i].rank,
                       sorted[i - 1].rank),
           "parts that do not overlap");
    }
  }

  void read_part(std::uint32_t rank) {
    const Part& part = parts_[rank];
    const std::uint64_t length = part.end - part.begin;
    if (length < 8) fail(part.begin, fmt::format("a part of {} bytes", length), "at least 8");
    const std::uint64_t count = number<std::uint32_t>(part.begin);
    const std::uint64_t roots = number<std::uint32_t>(part.begin + 4);
    first_operation_ = part.begin + 8 + 4 * roots;
    operations_end_ = first_operation_ + operation_size * count;
    if (operations_end_ > part.end) {
      fail(part.begin, fmt::format("{} operations and {} roots", count, roots),
           fmt::format("at most as many as fit into a part of {} bytes", length));
    }
    operations_ += count;
    if (operations_ > most_operations) {
      fail(part.begin, fmt::format("more than {} operations so far", most_operations),
           "at most this number");
    }
    require_length(part, count, roots);
    RankSchedule& schedule = ranks_[rank];
    schedule.operations.reserve(count);
    waits_for_.assign(count, 0);
    for (std::uint32_t i = 0; i < count; ++i) read_operation(rank, i);
    for (std::uint32_t i = 0; i < count; ++i) read_successors(part, schedule, i);
    require_counts(count);
    require_roots(part, count, roots);
  }

  /// Checks that the length of the part fits operations of 39 bytes.
  void require_length(const Part& part, std::uint64_t count, std::uint64_t roots) const {
    const std::uint64_t length = part.end - part.begin;
    const std::uint64_t listed = successor_count(count, operation_size);
    const std::uint64_t rest = length - (operations_end_ - part.begin);
    if (rest == 4 * listed) return;
    const std::uint64_t long_operations = 8 + 4 * roots + operation_size_of_2 * count;
    if (count != 0 && long_operations <= length) {
      fail(first_operation_,
           fmt::format("{} operations in {} bytes, more than 39 bytes each: a file of LogGOPSim2, "
                       "whose operations cannot be simulated",
                       count, length),
           "a file written by LogGOPSim's txt2bin");
    }
    fail(part.begin,
         fmt::format("{} bytes of successors in a part whose operations list {} successors", rest,
                     listed),
         "4 bytes for each successor");
  }
  std::uint64_t successor_count(std::uint64_t count, std::uint64_t size) const {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = first_operation_ + size * i;
      sum += std::uint64_t{number<std::uint32_t>(at + 23)} + number<std::uint32_t>(at + 31);
    }
    return sum;
  }

  void read_operation(std::uint32_t rank, std::uint32_t i) {
    const std::uint64_t at = first_operation_ + operation_size * i;
    Operation operation;
    const auto type = number<std::uint8_t>(at + 4);
    constexpr std::uint8_t last_type = 3;
    if (type == 0 || type > last_type) {
      fail(at + 4, fmt::format("type {} of operation {} of rank {}", type, i, rank),
           "1 (send), 2 (receive) or 3 (computation)");
    }
    operation.kind = type == 1   ? OperationKind::send
                     : type == 2 ? OperationKind::receive
                                 : OperationKind::compute;
    operation.size = number<std::uint64_t>(at + 9);
    if (operation.size > largest_size) {
      fail(at + 9, fmt::format("a size of {}", operation.size), "at most 2^63");
    }
    if (operation.kind != OperationKind::compute) {
      operation.peer = number<std::uint32_t>(at + 5);
      const bool may_be_any = operation.kind == OperationKind::receive;
      if (operation.peer >= ranks_.size() && !(may_be_any && operation.peer == any_rank)) {
        fail(at + 5, fmt::format("rank {}", operation.peer),
             fmt::format("0 .. {}{}", ranks_.size() - 1, may_be_any ? ", or 2^32 - 1: any" : ""));
      }
      operation.tag = number<std::uint32_t>(at + 17);
      operation.adapter = number<std::uint8_t>(at + 22);
    }
    operation.processor = number<std::uint8_t>(at + 21);
    require_resource(at + 21, "processor", operation.processor, processors_);
    require_resource(at + 22, "adapter", operation.adapter, adapters_);
    ranks_[rank].operations.push_back(operation);
  }
  void require_resource(std::uint64_t at, const char* what, std::uint8_t number,
                        std::uint8_t most) const {
    if (number <= most) return;
    fail(at, fmt::format("{} {}", what, number),
         fmt::format("at most {}, the largest number according to the header", most));
  }

  void read_successors(const Part& part, RankSchedule& schedule, std::uint32_t earlier) {
    const std::uint64_t at = first_operation_ + operation_size * earlier;
    for (const bool by_begin : {false, true}) {
      const std::uint64_t reported = at + (by_begin ? 31U : 23U);
      read_list(part, schedule, earlier, by_begin,
                {number<std::uint32_t>(reported), number<std::uint32_t>(reported + 4), reported});
    }
  }
  void read_list(const Part& part, RankSchedule& schedule, std::uint32_t earlier, bool by_begin,
                 const Successors& list) {
    const std::uint64_t there = (part.end - operations_end_) / 4;
    if (list.count == 0) return;
    if (std::uint64_t{list.first} + list.count > there) {
      fail(list.at, fmt::format("{} successors, the first at position {}", list.count, list.first),
           fmt::format("positions in a list of {}", there));
    }
    listed_.clear();
    for (std::uint32_t k = 0; k < list.count; ++k) {
      const std::uint64_t place = operations_end_ + 4 * (std::uint64_t{list.first} + k);
      const auto later = number<std::uint32_t>(place);
      if (later >= waits_for_.size()) {
        fail(place, fmt::format("successor {}", later),
             fmt::format("an operation of the rank, 0 .. {}", waits_for_.size() - 1));
      }
      if (!listed_.insert(later).second) {
        fail(place, fmt::format("successor {} of operation {} listed twice", later, earlier),
             "each successor once");
      }
      ++waits_for_[later];
      schedule.dependencies.push_back({earlier, later, by_begin});
    }
  }

  void require_counts(std::uint64_t count) const {
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = first_operation_ + operation_size * i;
      const auto reported = number<std::uint32_t>(at);
      if (reported == waits_for_[i]) continue;
      fail(at,
           fmt::format(
               "operation {} waits for {} operations, but {} operations list it as a successor", i,
               reported, waits_for_[i]),
           "the same number");
    }
  }
  void require_roots(const Part& part, std::uint64_t count, std::uint64_t roots) {
    std::vector<char> is_root(count);
    for (std::uint64_t i = 0; i < roots; ++i) {
      const std::uint64_t at = part.begin + 8 + 4 * i;
      const auto root = number<std::uint32_t>(at);
      if (root >= count || waits_for_[root] != 0 || is_root[root] != 0) {
        fail(at, fmt::format("operation {} as a root", root),
             "operations of the rank that wait for no operation, each once");
      }
      is_root[root] = 1;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      if (waits_for_[i] != 0 || is_root[i] != 0) continue;
      fail(first_operation_ + operation_size * i,
           fmt::format("operation {} waits for no operation and is not a root", i), "a root");
    }
  }

  std::string_view bytes_, name_;
  std::uint64_t parts_begin_ = 0;
  std::uint8_t processors_ = 0, adapters_ = 0;  // largest
  std::vector<Part> parts_;
  std::vector<RankSchedule> ranks_;
  std::uint64_t operations_ = 0;  // of all ranks so far
  // For the current part.
  std::uint64_t first_operation_ = 0, operations_end_ = 0;
  std::vector<std::uint32_t> waits_for_;
  std::unordered_set<std::uint32_t> listed_;
};

}  // namespace

bool is_goal_binary(std::string_view first_bytes) {
  constexpr std::string_view good("\x7F\x10\0\0\0\0\0\0", 8);
  constexpr std::string_view used_up("\x26\x09\0\0\0\0\0\0", 8);
  static_assert(cookie == 0x107F && used_up_cookie == 0x0926);
  return first_bytes.starts_with(good) || first_bytes.starts_with(used_up);
}

std::vector<RankSchedule> parse_goal_binary(std::string_view bytes, std::string_view name) {
  if (!is_goal_binary(bytes)) {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("{}: byte 0: not a binary GOAL file; expected 4223 in 8 bytes, little-endian",
                    name));
  }
  return BinaryReader(bytes, name).read();
}

}  // namespace pssp
