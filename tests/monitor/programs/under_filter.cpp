// Runs a command under a filter of system calls, as systemd does for a unit with SystemCallFilter:
//
//   under_filter ERRNO|kill COMMAND...
//
// Reads the names of the permitted calls from standard input, one per line. All other calls fail
// with ERRNO, or end the process. Like systemd, the program sets the filter before it starts the
// command, and ignores names that the kernel or libseccomp does not know.

#include <fcntl.h>
#include <seccomp.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

int main(int count, char** words) {
  constexpr int failed = 125;
  if (count < 3) return failed;
  const bool kills = std::string_view(words[1]) == "kill";
  const auto refused = kills ? SCMP_ACT_KILL_PROCESS
                             : SCMP_ACT_ERRNO(static_cast<std::uint16_t>(std::stoi(words[1])));
  const scmp_filter_ctx filter = seccomp_init(refused);
  if (filter == nullptr) return failed;
  std::string name;
  while (std::getline(std::cin, name)) {
    const int call = seccomp_syscall_resolve_name(name.c_str());
    if (call < 0) continue;
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) != 0) return failed;
  }
  // The command gets an empty standard input instead of the list of calls.
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) return failed;
  if (seccomp_load(filter) != 0) {
    std::perror("under_filter: seccomp_load");
    return failed;
  }
  execvp(words[2], words + 2);
  std::perror(words[2]);
  return failed;
}
