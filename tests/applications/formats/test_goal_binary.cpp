// Tests the reader of binary GOAL files with files that are built here byte by byte from the format
// specification, intact and damaged.

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "applications/formats/goal_binary.h"
#include "applications/formats/goal_file.h"
#include "applications/formats/goal_text.h"
#include "base/error.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

struct BinaryOperation {
  std::uint32_t dependencies;
  std::uint8_t type;
  std::uint32_t peer;
  std::uint64_t size;
  std::uint32_t tag = 0;
  std::uint8_t processor = 0, adapter = 0;
  std::uint32_t by_end = 0, first_by_end = 0, by_begin = 0, first_by_begin = 0;
};

template <class Number>
void append(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) {
    bytes += static_cast<char>(std::uint64_t{number} >> (8 * i) & 0xFFU);
  }
}

struct BinaryPart {
  std::vector<std::uint32_t> roots;
  std::vector<BinaryOperation> operations;
  std::vector<std::uint32_t> successors;

  std::string bytes() const {
    std::string result;
    append(result, static_cast<std::uint32_t>(operations.size()));
    append(result, static_cast<std::uint32_t>(roots.size()));
    for (const std::uint32_t root : roots) append(result, root);
    for (const BinaryOperation& o : operations) {
      append(result, o.dependencies);
      append(result, o.type);
      append(result, o.peer);
      append(result, o.size);
      append(result, o.tag);
      append(result, o.processor);
      append(result, o.adapter);
      for (const std::uint32_t number : {o.by_end, o.first_by_end, o.by_begin, o.first_by_begin}) {
        append(result, number);
      }
    }
    for (const std::uint32_t successor : successors) append(result, successor);
    return result;
  }
};

std::string binary(const std::vector<BinaryPart>& parts, std::uint8_t processors = 3,
                   std::uint8_t adapters = 2) {
  std::string head;
  append(head, std::uint64_t{4223});
  append(head, static_cast<std::uint32_t>(parts.size()));
  append(head, processors);
  append(head, adapters);
  std::uint64_t at = 6 + 16 * parts.size();
  std::string rest;
  for (const BinaryPart& part : parts) {
    const std::string bytes = part.bytes();
    append(head, at);
    append(head, at += bytes.size());
    rest += bytes;
  }
  return head + rest;
}

constexpr std::uint32_t any = 0xFFFFFFFF;

const char* const ping_pong_text =
    "num_ranks 2\n"
    "rank 0 {\n a: calc 5 cpu 1\n b: send 1000b to 1 tag 7 nic 2\n c: recv 1000b from -1 tag -1\n"
    " b irequires a\n c requires b\n}\n"
    "rank 1 {\n a: recv 1000b from 0 tag 7\n b: send 1000b to 0 tag -1 cpu 3\n b requires a\n}\n";

/// The same schedule in binary form. The `first_...` fields of empty lists have arbitrary values.
std::vector<BinaryPart> ping_pong() {
  return {{{0},
           {{0, 3, 0, 5, 0, 1, 0, 0, 99, 1, 0},
            {1, 1, 1, 1000, 7, 0, 2, 1, 1, 0, 0},
            {1, 2, any, 1000, any}},
           {1, 2}},
          {{0}, {{0, 2, 0, 1000, 7, 0, 0, 1, 0, 0, 5}, {1, 1, 0, 1000, any, 3}}, {1}}};
}

std::string refusal_of(const std::string& bytes) {
  try {
    parse_goal_binary(bytes, "f");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unreadable_input);
    return error.what();
  }
  return "taken";
}

void check_refused(const std::vector<BinaryPart>& parts, const std::string& with) {
  const std::string message = refusal_of(binary(parts));
  INFO(message << " <- " << with);
  CHECK(message.find(with) != std::string::npos);
}

TEST_CASE("a binary GOAL file gives the same schedule as its text") {
  const GoalText text = parse_goal_text(ping_pong_text, "text");
  const std::vector<RankSchedule> ranks = parse_goal_binary(binary(ping_pong()), "f");
  REQUIRE(ranks.size() == 2);
  for (std::size_t r = 0; r < 2; ++r) {
    CHECK(ranks[r].operations == text.ranks[r].operations);
    CHECK(ranks[r].dependencies == text.ranks[r].dependencies);
  }
}

TEST_CASE("the first bytes of a file distinguish the GOAL formats") {
  const test::TemporaryFolder folder;
  for (const auto& [name, content] : {std::pair<const char*, std::string>{"text", ping_pong_text},
                                      {"binary", binary(ping_pong())}}) {
    const GoalText goal = read_goal_file(folder.file(name, content));
    REQUIRE(goal.ranks.size() == 2);
    CHECK(goal.ranks[1].operations[1].processor == 3);
  }
}

TEST_CASE("a binary GOAL file is refused if it is truncated at any byte") {
  const std::string whole = binary(ping_pong());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(refusal_of(whole.substr(0, size)).starts_with("f: byte "));
  }
  CHECK(refusal_of(whole) == "taken");
}

TEST_CASE("a binary GOAL file with inconsistent numbers is refused with the byte offset") {
  const auto with = [&](const auto& change, const std::string& expected) {
    std::vector<BinaryPart> changed = ping_pong();
    change(changed);
    check_refused(changed, expected);
  };
  // Rank 0 has 8 bytes of counts, one root and then operations of 39 bytes each, from byte 58 on.
  with([](auto& p) { p[0].operations[0].type = 4; }, "f: byte 62: type 4 of operation 0 of rank 0");
  with([](auto& p) { p[0].operations[0].type = 0; }, "type 0");
  with([](auto& p) { p[0].operations[1].peer = 2; }, "f: byte 102: rank 2; expected 0 .. 1");
  with([](auto& p) { p[0].operations[1].peer = any; }, "rank 4294967295; expected 0 .. 1");
  with([](auto& p) { p[0].operations[1].size = (std::uint64_t{1} << 63U) + 1; }, "at most 2^63");
  with([](auto& p) { p[1].operations[1].processor = 4; }, "processor 4; expected at most 3");
  with([](auto& p) { p[0].operations[1].adapter = 3; }, "adapter 3; expected at most 2");
  with([](auto& p) { p[0].operations[1].dependencies = 2; },
       "operation 1 waits for 2 operations, but 1 operations list it");
  with([](auto& p) { p[0].roots = {1}; }, "operation 1 as a root");
  with([](auto& p) { p[0].roots = {0, 0}; }, "operation 0 as a root");
  with([](auto& p) { p[0].roots = {7}; }, "operation 7 as a root");
  with([](auto& p) { p[0].roots = {}; }, "operation 0 waits for no operation and is not a root");
  with([](auto& p) { p[0].successors[0] = 3; }, "successor 3; expected an operation of the rank");
  with([](auto& p) { p[0].operations[1].first_by_end = 2; },
       "1 successors, the first at position 2; expected positions in a list of 2");
  with([](auto& p) { p[0].operations[1].by_end = 0xFFFFFFFF; }, "in a part whose operations list");
  with(
      [](auto& p) {
        p[0].operations[1].by_end = 2;
        p[0].successors = {1, 2, 2};
        p[0].operations[2].dependencies = 2;
      },
      "successor 2 of operation 1 listed twice");
}

TEST_CASE("binary GOAL files with an invalid header or table or of another format are refused") {
  const std::string whole = binary(ping_pong());
  const auto with_byte = [&](std::size_t at, char value) {
    std::string changed = whole;
    changed[at] = value;
    return refusal_of(changed);
  };
  CHECK(with_byte(8, 0).find("byte 8: 0 ranks; expected 1 .. 1000000") != std::string::npos);
  CHECK(with_byte(11, 1).find("byte 8: 16777218 ranks") != std::string::npos);
  // Invalid bounds of rank 1: out of the file, reversed, overlapping rank 0, inside the table.
  CHECK(with_byte(40, 9).find("byte 30: a part of rank 1") != std::string::npos);
  CHECK(with_byte(39, 0).find("byte 30: a part of rank 1") != std::string::npos);
  CHECK(with_byte(30, whole[14]).find("overlaps that of rank") != std::string::npos);
  CHECK(with_byte(30, 0).find("byte 30: a part of rank 1 from 0") != std::string::npos);
  // Roots and operations that do not fit in the part of the rank.
  CHECK(with_byte(49, 1).find("byte 46: 16777219 operations and 1 roots") != std::string::npos);
  CHECK(with_byte(50, 100).find("byte 46: 3 operations and 100 roots") != std::string::npos);

  std::string used_up = whole;
  used_up[0] = '\x26';
  used_up[1] = '\x09';
  CHECK(refusal_of(used_up).find("consumed") != std::string::npos);
  CHECK(refusal_of("num_ranks 1\n").find("not a binary GOAL") != std::string::npos);

  // Operations of 104 bytes, as in LogGOPSim2.
  std::string part;
  append(part, std::uint32_t{2});
  append(part, std::uint32_t{2});
  append(part, std::uint32_t{0});
  append(part, std::uint32_t{1});
  part += std::string(208, '\0');
  std::string long_operations;
  append(long_operations, std::uint64_t{4223});
  append(long_operations, std::uint32_t{1});
  append(long_operations, std::uint16_t{0});
  append(long_operations, std::uint64_t{22});
  append(long_operations, std::uint64_t{22 + part.size()});
  CHECK(refusal_of(long_operations + part).find("LogGOPSim2") != std::string::npos);
}

}  // namespace
}  // namespace pssp
