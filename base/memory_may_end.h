#pragma once

// What happens where memory ends: a program ends with it (tools/kit/tool.cpp). Some code would
// rather say what was too large for it.

namespace pssp {

/// As long as one lives, its thread gets std::bad_alloc, whatever the program does otherwise.
class MemoryMayEnd {
 public:
  MemoryMayEnd() noexcept { ++depth(); }
  MemoryMayEnd(const MemoryMayEnd&) = delete;
  MemoryMayEnd& operator=(const MemoryMayEnd&) = delete;
  ~MemoryMayEnd() { --depth(); }

  static bool here() noexcept { return depth() != 0; }

 private:
  static int& depth() noexcept {
    thread_local int depth = 0;
    return depth;
  }
};

}  // namespace pssp
