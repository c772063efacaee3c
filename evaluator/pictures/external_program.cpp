#include "evaluator/pictures/external_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace pssp {
namespace {

struct Close {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};

/// A file without a name that is gone when it is closed.
class TemporaryFile {
 public:
  TemporaryFile() : file_(std::tmpfile()) {
    if (!file_) fail("no temporary file could be made");
    // Only the copies that become standard streams are the program's business.
    static_cast<void>(fcntl(descriptor(), F_SETFD, FD_CLOEXEC));
  }

  int descriptor() const { return fileno(file_.get()); }

  void write(std::string_view content) {
    if (std::fwrite(content.data(), 1, content.size(), file_.get()) != content.size() ||
        std::fflush(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_SET) != 0) {
      fail("a temporary file could not be written");
    }
  }

  std::string read() {
    std::string content;
    std::array<char, std::size_t{1} << 16> block{};
    std::rewind(file_.get());
    for (;;) {
      const std::size_t size = std::fread(block.data(), 1, block.size(), file_.get());
      if (size == 0) break;
      content.append(block.data(), size);
    }
    if (std::ferror(file_.get()) != 0) fail("a temporary file could not be read");
    return content;
  }

 private:
  [[noreturn]] static void fail(std::string_view what) {
    throw Error(ErrorKind::output,
                fmt::format("{}: {}; is there room in the folder for temporary files?", what,
                            std::strerror(errno)));
  }

  std::unique_ptr<std::FILE, Close> file_;
};

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void connect(const TemporaryFile& file, int standard_stream) {
    posix_spawn_file_actions_adddup2(&actions_, file.descriptor(), standard_stream);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// The end of what a program said, without the line end.
std::string last_words(std::string text) {
  constexpr std::size_t most = 400;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (text.size() > most) text = "..." + text.substr(text.size() - most);
  return text.empty() ? "it gave no reason" : text;
}

pid_t start(std::vector<std::string> arguments, std::string_view package,
            const SpawnActions& actions) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, argv[0], actions.get(), nullptr, argv.data(), environ);
  if (failure != 0) {
    throw Error(ErrorKind::output,
                fmt::format("the program '{}' cannot be started: {}; it is in the package {} "
                            "(apt-get install {})",
                            arguments[0], std::strerror(failure), package, package));
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      throw Error(ErrorKind::internal, fmt::format("waitpid: {}", std::strerror(errno)));
    }
  }
  return status;
}

}  // namespace

std::string run_program(const std::vector<std::string>& arguments, std::string_view input,
                        std::string_view package) {
  TemporaryFile standard_input;
  TemporaryFile standard_output;
  TemporaryFile standard_error;
  standard_input.write(input);
  SpawnActions actions;
  actions.connect(standard_input, STDIN_FILENO);
  actions.connect(standard_output, STDOUT_FILENO);
  actions.connect(standard_error, STDERR_FILENO);
  const int status = wait_for(start(arguments, package, actions));
  if (WIFSIGNALED(status)) {
    throw Error(ErrorKind::output,
                fmt::format("the program '{}' was ended by signal {}: {}", arguments[0],
                            WTERMSIG(status), last_words(standard_error.read())));
  }
  if (WEXITSTATUS(status) != 0) {
    throw Error(ErrorKind::output,
                fmt::format("the program '{}' failed with code {}: {}", arguments[0],
                            WEXITSTATUS(status), last_words(standard_error.read())));
  }
  return standard_output.read();
}

}  // namespace pssp
