#pragma once

// Shared parts of the tests of file formats: sample files, errors as text, comparison of fabrics
// field by field, and random damage to texts.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/fabric.h"
#include "fabric/formats/topology_file.h"
#include "tests/source_folder.h"

namespace pssp::test {

/// Path of a file in tests/fabric/formats.
inline std::filesystem::path sample(const std::string& name) {
  return source_folder() / "tests" / "fabric" / "formats" / name;
}

/// Text of a file in tests/fabric/formats.
inline std::string sample_text(const std::string& name) { return read_file(sample(name)); }

/// A saved real fabric; an empty path if this machine does not have it.
inline std::filesystem::path saved_fabric(const std::string& name) {
  const char* const folder = std::getenv("PSSP_FABRICS_DIR");
  const std::filesystem::path path =
      (folder != nullptr ? std::filesystem::path(folder)
                         : source_folder() / ".." / "shared" / "fabrics") /
      name;
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

/// The Error that the action throws, as "exit code: message"; fails the test if it throws none.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::to_string(error.exit_code()) + ": " + error.what();
  }
  FAIL("no error");
  return {};
}

inline Fabric built(TopologyFile file) { return std::move(file.builder).build(); }

inline void check_equal(const Fabric& a, const Fabric& b) {
  REQUIRE(a.switch_count() == b.switch_count());
  for (std::size_t i = 0; i < a.switch_count(); ++i) {
    const Switch& x = a.switches()[i];
    const Switch& y = b.switches()[i];
    CHECK(x.guid == y.guid);
    CHECK(x.ports == y.ports);
    CHECK(x.lid == y.lid);
    CHECK(x.lmc == y.lmc);
    CHECK(x.name == y.name);
    CHECK(x.description == y.description);
  }
  REQUIRE(a.end_port_count() == b.end_port_count());
  CHECK(a.host_count() == b.host_count());
  for (std::size_t i = 0; i < a.end_port_count(); ++i) {
    const EndPort& x = a.end_ports()[i];
    const EndPort& y = b.end_ports()[i];
    CHECK(x.node_guid == y.node_guid);
    CHECK(x.port_guid == y.port_guid);
    CHECK(x.port == y.port);
    CHECK(x.kind == y.kind);
    CHECK(x.host == y.host);
    CHECK(x.lid == y.lid);
    CHECK(x.lmc == y.lmc);
    CHECK(x.attached == y.attached);
    CHECK(x.switch_port == y.switch_port);
    CHECK(x.rate == y.rate);
    CHECK(x.name == y.name);
    CHECK(x.description == y.description);
  }
  const auto same = [](auto x, auto y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
  };
  CHECK(same(a.channel_head(), b.channel_head()));
  CHECK(same(a.channel_tail(), b.channel_tail()));
  CHECK(same(a.channel_out_port(), b.channel_out_port()));
  CHECK(same(a.channel_in_port(), b.channel_in_port()));
  CHECK(same(a.channel_rate(), b.channel_rate()));
}

inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

/// Replaces the first occurrence; fails the test if there is none.
inline std::string replaced_once(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  INFO(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

/// Random numbers that are the same in every run.
inline std::mt19937 repeatable_random(unsigned seed) { return std::mt19937(seed); }

/// One to four random edits: overwrites a byte, removes a piece, or inserts a copy of a piece.
inline std::string damaged(std::string text, std::mt19937& random) {
  const auto below = [&random](std::size_t n) { return n == 0 ? 0 : random() % n; };
  constexpr std::string_view spiteful = "\n\t \"'#[](){}@=:-0x9F\xFF\r";
  for (std::size_t edits = 1 + below(4); edits != 0 && !text.empty(); --edits) {
    const std::size_t at = below(text.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(text.size() - at, 40));
    switch (below(4)) {
      case 0:
        text[at] = spiteful[below(spiteful.size())];
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      default:
        text[at] = static_cast<char>(1 + below(255));
        break;
    }
  }
  return text;
}

}  // namespace pssp::test
