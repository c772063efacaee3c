#include "tools/deploy_tables/log_tail.h"

#include <array>
#include <fstream>
#include <system_error>
#include <utility>

namespace pssp {

LogTail::LogTail(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code problem;
  const std::uintmax_t size = std::filesystem::file_size(file_, problem);
  at_ = problem ? 0 : size;
}

void LogTail::read_more() {
  std::error_code problem;
  const std::uintmax_t size = std::filesystem::file_size(file_, problem);
  if (problem) return;
  if (size < at_) {
    at_ = 0;
    rest_.clear();
  }
  std::ifstream log(file_, std::ios::binary);
  log.seekg(static_cast<std::streamoff>(at_));
  std::array<char, 65536> part{};
  while (log.read(part.data(), part.size()) || log.gcount() > 0) {
    rest_.append(part.data(), static_cast<std::size_t>(log.gcount()));
    at_ += static_cast<std::uintmax_t>(log.gcount());
  }
  const std::size_t end = rest_.rfind('\n');
  if (end == std::string::npos) return;
  text_ += rest_.substr(0, end + 1);
  rest_.erase(0, end + 1);
}

}  // namespace pssp
