#pragma once

// No program may overwrite what it reads, nor one of its answers with another: where its files are,
// compared before anything is read or written.

#include <string>
#include <vector>

namespace pssp {

/// Collects the files of a program and then compares them. Files are the same by device and inode,
/// whatever they are called; an output that is not there yet, by the path that it will get. Only
/// regular files and standard output are compared: nothing is lost in a device or a pipe.
class OutputTargets {
 public:
  /// `option` is for messages ("--output"); "-" is standard input.
  void add_input(const std::string& option, const std::string& file);
  /// An input that an output may replace, since it is read as a whole before.
  void add_replaceable_input(const std::string& option, const std::string& file);
  /// "-" is standard output.
  void add_output(const std::string& option, const std::string& file);

  /// Throws Error(usage) where two outputs are one file, an output is an input, two inputs are
  /// standard input, or an output has no name.
  void require_separate() const;

 private:
  struct Target {
    std::string option, file;
  };

  std::vector<Target> inputs_, replaceable_, outputs_;
};

}  // namespace pssp
