// Runs every installed program with almost valid command lines and files.
//
// The fuzz targets test one reader at a time within one process. Only complete programs show the
// parts between readers and users: options, the order of reading files, exit codes, outputs. Each
// program first runs with its command lines in commands.txt, which fit the files of the playground.
// Then some runs change words of such a line, and others change a file that it names.
//
// Findings are: a signal, an exit status that docs/reference/exit-codes.md does not list, a failure
// without a line that begins with the name of the program, an unfinished output that remains, more
// than 4 GiB of address space (which ends with status 70), and more than a minute.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "ibsim_harness/process.h"
#include "tests/fuzz/mutation.h"
#include "tests/fuzz/programs/command_changes.h"

namespace pssp::test {
namespace {

namespace fs = std::filesystem;

struct Options {
  fs::path bin, playground;
  std::string commands_file, statuses_page;
  std::uint64_t commands = 20, inputs = 40, seed = 1;
  std::vector<std::string> programs;
};

class Playground {
 public:
  explicit Playground(const Options& options) : options_(options) {
    for (const fs::directory_entry& entry : fs::directory_iterator(options.playground)) {
      if (entry.is_regular_file())
        files_[entry.path().filename()] = read_file(entry.path().string());
    }
  }

  bool has(const std::string& word) const { return files_.contains(word); }
  const std::string& text(const std::string& word) const { return files_.at(word); }

  /// A folder with copies of all original files, in which `input` replaces the file `changed`, if
  /// any.
  fs::path fresh(const std::string& changed = {}, const std::string& input = {}) const {
    const fs::path folder = options_.playground / "run";
    fs::remove_all(folder);
    fs::create_directory(folder);
    for (const auto& [name, text] : files_) {
      std::ofstream(folder / name, std::ios::binary) << (name == changed ? input : text);
    }
    return folder;
  }

 private:
  const Options& options_;
  std::map<std::string, std::string> files_;
};

class Trial {
 public:
  Trial(const Options& options, const Playground& playground, const SignalQueue& signals)
      : options_(options),
        playground_(playground),
        signals_(signals),
        documented_(read_documented_statuses(options.statuses_page)) {}

  /// Collects the vocabulary of each program: the options in its --help and the words of its
  /// command lines.
  void learn(const std::vector<CommandLine>& lines);
  void run_unchanged(const CommandLine& line);
  void run_changed_arguments(const CommandLine& line, RandomGenerator& random);
  void run_changed_file(const CommandLine& line, RandomGenerator& random);
  std::uint64_t runs() const noexcept { return runs_; }
  int findings() const noexcept { return findings_; }

 private:
  std::optional<int> run(const CommandLine& line, const fs::path& folder, std::string& errors);
  void evaluate(const CommandLine& line, const fs::path& folder);
  void found(const CommandLine& line, const fs::path& folder, const std::string& what);

  const Options& options_;
  const Playground& playground_;
  const SignalQueue& signals_;
  const DocumentedStatuses documented_;
  std::map<std::string, std::vector<std::string>> words_;
  std::uint64_t runs_ = 0;
  int findings_ = 0;
};

void Trial::learn(const std::vector<CommandLine>& lines) {
  for (const CommandLine& line : lines) {
    if (!fs::exists(options_.bin / line.program)) continue;
    std::vector<std::string>& words = words_[line.program];
    if (words.empty()) {
      const fs::path folder = playground_.fresh();
      std::string ignored;
      run({0, line.program, {"--help"}}, folder, ignored);
      const std::string help = read_file((folder / "stdout").string());
      for (std::size_t at = help.find("--"); at != std::string::npos;
           at = help.find("--", at + 1)) {
        const std::size_t end =
            help.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-", at);
        if (end > at + 2) words.push_back(help.substr(at, end - at));
      }
    }
    words.insert(words.end(), line.words.begin(), line.words.end());
  }
}

std::optional<int> Trial::run(const CommandLine& line, const fs::path& folder,
                              std::string& errors) {
  ++runs_;
  Command command;
  command.program = (options_.bin / line.program).string();
  command.arguments = line.words;
  command.directory = folder;
  command.output = folder / "stdout";
  command.errors = folder / "stderr";
  const std::optional<Ending> ending =
      run_to_end(command, signals_, std::optional(std::chrono::seconds(60)));
  errors = read_file(command.errors.string());
  if (!ending) return std::nullopt;
  return ending->status;
}

void Trial::run_unchanged(const CommandLine& line) {
  const fs::path folder = playground_.fresh();
  std::string errors;
  const auto status = run(line, folder, errors);
  if (status != line.status) {
    found(line, folder,
          fmt::format("status {} instead of {}: {}", status.value_or(-1), line.status, errors));
  }
}

void Trial::run_changed_arguments(const CommandLine& line, RandomGenerator& random) {
  CommandLine now = line;
  now.words = changed(line.words, words_[line.program], random);
  evaluate(now, playground_.fresh());
}

void Trial::run_changed_file(const CommandLine& line, RandomGenerator& random) {
  std::vector<std::string> files;
  for (const std::string& word : line.words)
    if (playground_.has(word)) files.push_back(word);
  if (files.empty()) return;
  const std::string& file = files[random.below(static_cast<std::uint32_t>(files.size()))];
  const std::string& text = playground_.text(file);
  evaluate(line, playground_.fresh(file, mutated(text, {text}, random)));
}

void Trial::evaluate(const CommandLine& line, const fs::path& folder) {
  std::string errors;
  const std::optional<int> status = run(line, folder, errors);
  if (!status) return found(line, folder, "ran for more than a minute");
  if (const auto wrong = wrong_ending(documented_, line.program, *status, errors))
    found(line, folder, fmt::format("{}: {}", *wrong, errors.substr(0, 500)));
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename().string().find(".tmp") != std::string::npos)
      found(line, folder, "temporary file remains: " + entry.path().string());
  }
}

/// Keeps the folder for inspection.
void Trial::found(const CommandLine& line, const fs::path& folder, const std::string& what) {
  const fs::path kept = options_.playground / fmt::format("finding-{}", ++findings_);
  fs::remove_all(kept);
  fs::rename(folder, kept);
  fs::create_directory(folder);
  fmt::print("{}: {}\n  in {}: {:?}\n", line.program, what, kept.string(),
             fmt::join(line.words, " "));
}

void limit_memory_and_files() {
  const rlimit memory{4ULL << 30, 4ULL << 30}, file{256ULL << 20, 256ULL << 20}, core{0, 0};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_FSIZE, &file);
  setrlimit(RLIMIT_CORE, &core);
}

int try_all(const Options& options) {
  const SignalQueue signals;
  limit_memory_and_files();
  const Playground playground(options);
  Trial trial(options, playground, signals);
  std::map<std::string, std::vector<CommandLine>> by_program;
  const std::vector<CommandLine> lines = read_command_lines(options.commands_file);
  trial.learn(lines);
  const std::set<std::string> wanted(options.programs.begin(), options.programs.end());
  for (const CommandLine& line : lines)
    if (wanted.empty() || wanted.contains(line.program)) by_program[line.program].push_back(line);

  std::uint64_t stream = 0;
  for (const auto& [program, own] : by_program) {
    if (!fs::exists(options.bin / program)) {
      fmt::print("{} is not built\n", program);
      continue;
    }
    RandomGenerator random(options.seed, ++stream);
    for (const CommandLine& line : own) trial.run_unchanged(line);
    const auto any = [&] { return own[random.below(static_cast<std::uint32_t>(own.size()))]; };
    for (std::uint64_t i = 0; i < options.commands; ++i) trial.run_changed_arguments(any(), random);
    for (std::uint64_t i = 0; i < options.inputs; ++i) trial.run_changed_file(any(), random);
  }
  fmt::print("{} programs, {} runs, {} findings\n", by_program.size(), trial.runs(),
             trial.findings());
  return trial.findings() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace pssp::test

int main(int argc, char** argv) {
  pssp::test::Options options;
  CLI::App app("Runs installed programs with almost valid command lines and files");
  app.add_option("--bin", options.bin, "Folder of the programs")->required();
  app.add_option("--playground", options.playground, "Folder of make_playground.sh")->required();
  app.add_option("--lines", options.commands_file, "File of valid command lines, commands.txt")
      ->required();
  app.add_option("--statuses", options.statuses_page,
                 "Page of exit codes, docs/reference/exit-codes.md")
      ->required();
  app.add_option("--commands", options.commands, "Changed command lines per program");
  app.add_option("--inputs", options.inputs, "Changed files per program");
  app.add_option("--seed", options.seed, "Seed of all changes");
  app.add_option("programs", options.programs, "Programs to run (default: all)");
  CLI11_PARSE(app, argc, argv);
  try {
    return pssp::test::try_all(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "hostile_programs: {}\n", error.what());
    return 70;
  }
}
