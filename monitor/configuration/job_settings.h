#pragma once

#include <cstdint>
#include <string>

namespace pssp {

enum class JobSource : std::uint8_t { none, slurm, file };
enum class UsersView : std::uint8_t { show, hide };

/// Section [jobs].
struct JobSettings {
  JobSource source = JobSource::none;
  std::string file;  ///< only with source = file
  std::uint32_t poll_s = 15;
  std::string node_names;    ///< NodeNameRule; empty: the first word of a description
  std::string shared_hosts;  ///< node names, separated by commas
  UsersView users = UsersView::show;
};

}  // namespace pssp
