#include "tests/fuzz/mutation.h"

#include <algorithm>
#include <array>

namespace pssp::test {
namespace {

/// A random position in the text, including its end.
std::size_t place_in(std::string_view text, RandomGenerator& random) {
  return random.below(static_cast<std::uint32_t>(text.size()) + 1);
}

/// A random piece of the text, usually a short one.
std::string_view piece_of(std::string_view text, RandomGenerator& random) {
  const std::size_t longest = random.below(4) == 0 ? 512 : 16;
  const std::size_t length = 1 + random.below(static_cast<std::uint32_t>(longest));
  return text.substr(place_in(text, random), length);
}

/// The line at a random position, with its line feed.
std::string_view line_of(std::string_view text, RandomGenerator& random) {
  const std::size_t place = place_in(text, random);
  const std::size_t before = place == 0 ? std::string_view::npos : text.rfind('\n', place - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return text.substr(begin, text.find('\n', begin) - begin + 1);
}

void change_byte(std::string& text, RandomGenerator& random) {
  constexpr std::string_view special("\0\x01\x1b\x7f\x80\xff\n\r\t \"'#,;:=[]()<>-*/\\%", 28);
  if (text.empty()) return;
  char& at = text[random.below(static_cast<std::uint32_t>(text.size()))];
  switch (random.below(3)) {
    case 0:
      at = static_cast<char>(at ^ (1 << random.below(8)));
      break;
    case 1:
      at = special[random.below(static_cast<std::uint32_t>(special.size()))];
      break;
    default:
      at = static_cast<char>(random.below(256));
  }
}

/// Replaces a random run of digits by a number, usually one near a limit.
void change_number(std::string& text, RandomGenerator& random) {
  constexpr std::array numbers{"0",
                               "1",
                               "-1",
                               "2",
                               "63",
                               "64",
                               "127",
                               "128",
                               "254",
                               "255",
                               "256",
                               "49151",
                               "49152",
                               "65535",
                               "65536",
                               "2147483648",
                               "4294967295",
                               "4294967296",
                               "9223372036854775808",
                               "18446744073709551615",
                               "18446744073709551616",
                               "1e400",
                               "0.0000001",
                               "nan"};
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto from = text.begin() + static_cast<std::ptrdiff_t>(place_in(text, random));
  const auto begin = std::find_if(from, text.end(), is_digit);
  if (begin == text.end()) return;
  text.replace(begin, std::find_if_not(begin, text.end(), is_digit),
               numbers.at(random.below(static_cast<std::uint32_t>(numbers.size()))));
}

void change_once(std::string& text, const std::vector<std::string>& others,
                 RandomGenerator& random) {
  const std::size_t place = place_in(text, random);
  switch (random.below(9)) {
    case 0:
    case 1:
      change_byte(text, random);
      break;
    case 2:
      change_number(text, random);
      break;
    case 3:
      text.erase(place, piece_of(text, random).size());
      break;
    case 4:
      text.insert(place, std::string(piece_of(text, random)));
      break;
    case 5:
      text.insert(place, std::string(line_of(text, random)));
      break;
    case 6: {
      const std::string_view line = line_of(text, random);
      text.erase(static_cast<std::size_t>(line.data() - text.data()), line.size());
      break;
    }
    case 7:
      if (!others.empty()) {
        text.insert(place,
                    std::string(piece_of(
                        others[random.below(static_cast<std::uint32_t>(others.size()))], random)));
      }
      break;
    default:
      if (random.below(8) == 0) text.resize(place);
  }
}

}  // namespace

std::string mutated(std::string_view input, const std::vector<std::string>& others,
                    RandomGenerator& random) {
  std::string text(input);
  // Readers usually still accept an input with one change; several changes reach states that no
  // single change reaches.
  for (std::uint32_t changes = random.below(2) == 0 ? 1 : 1 + random.below(8); changes > 0;
       --changes) {
    change_once(text, others, random);
  }
  text.resize(std::min(text.size(), longest_mutation));
  return text;
}

}  // namespace pssp::test
