#pragma once

// Programs end if memory is exhausted (tools/kit/tool.cpp), unless the code wants to report what
// was too large.

namespace pssp {

/// While an object exists, its thread gets std::bad_alloc.
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
