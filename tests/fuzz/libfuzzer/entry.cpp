// The libFuzzer program of one target, PSSP_FUZZ_TARGET.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // An exception ends the program, which libFuzzer reports as a crash.
  pssp::test::run_fuzz_target(pssp::test::PSSP_FUZZ_TARGET,
                              {reinterpret_cast<const char*>(data), size});
  return 0;
}
