// Key files. No message may contain their content, even if it is invalid, because a key with a
// typing error is almost the key.

#include <string>

#include "base/error.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tests/temporary_file.h"
#include "tools/kit/key_file.h"

namespace pssp::test {
namespace {

std::string refusal_of(std::string_view key, const std::string& where) {
  try {
    read_key(key, "CC_Key", where);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

void fuzz_key_file(std::string_view input) {
  const TemporaryFile file{std::string(input)};
  try {
    const std::uint64_t key = read_key_file(file.path(), "CC_Key");
    require(read_key(std::to_string(key), "CC_Key", "input") == key, "writing a key changes it");
  } catch (const Error& error) {
    require(error.kind() != ErrorKind::usage || error.what() == refusal_of("no key", file.path()),
            "a message depends on the content of the key file");
    throw;
  }
}

}  // namespace pssp::test
