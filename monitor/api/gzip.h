#pragma once

// Answers in gzip's format, for clients that take it.

#include <memory>
#include <string>
#include <string_view>

namespace pssp {

/// Compresses piece by piece, so that the plain text of a large answer is never whole in memory.
/// Fast rather than small (zlib's level 1). Throws std::bad_alloc.
class Gzip {
 public:
  Gzip();
  ~Gzip();
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  void add(std::string_view piece);
  /// All of it; nothing can be added after that.
  std::string finish();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
  std::string packed_;
};

std::string gzipped(std::string_view text);

}  // namespace pssp
