#pragma once

// Compresses responses in gzip format, for clients that accept it.

#include <memory>
#include <string>
#include <string_view>

namespace pssp {

/// Compresses piece by piece, so that a large response is never in memory as plain text. Optimized
/// for speed and not for size (zlib's level 1). Throws std::bad_alloc.
class Gzip {
 public:
  Gzip();
  ~Gzip();
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  void add(std::string_view piece);
  /// The complete result; nothing can be added afterwards.
  std::string finish();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
  std::string packed_;
};

std::string gzipped(std::string_view text);

}  // namespace pssp
