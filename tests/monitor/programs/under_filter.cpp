// Runs a command under a filter of system calls, as systemd does for a unit with SystemCallFilter:
// under_filter ERRNO|kill COMMAND... reads the names of the calls that are allowed from standard
// input, one a line; all others fail with that error, or end the process. systemd itself sets the
// filter before it starts the program, and so does this. Names that this machine's kernel or
// libseccomp do not have are passed over, as systemd passes them over.

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
  // The command gets no input of ours.
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
