#include "tools/congestion/saved_settings.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/private_files.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

constexpr std::string_view heading_of_settings = "cc_apply: saved settings, version 1";

std::string hexadecimal(const CcData& data) {
  std::string text;
  for (const std::uint8_t byte : data) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

std::optional<CcAttribute> attribute_of(std::string_view name) {
  for (const CcAttribute attribute :
       {CcAttribute::switch_setting, CcAttribute::adapter_setting, CcAttribute::table}) {
    if (name == name_of(attribute)) return attribute;
  }
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path), lines_(file_, file_.name()) {}

  std::vector<SavedNode> read() {
    next();
    if (lines_.line() != heading_of_settings) {
      lines_.fail(
          fmt::format("expected '{}'; not a file saved by pssp cc apply", heading_of_settings));
    }
    next();  // skips the remark
    for (;;) {
      next();
      std::string_view rest = lines_.line();
      if (take(rest, "end of ")) {
        check_end(rest);
        return std::move(nodes_);
      }
      read_node(rest);
    }
  }

 private:
  void next() {
    if (!lines_.next())
      lines_.fail("the file is incomplete; expected 'end of N nodes' as its last line");
  }

  void check_end(std::string_view rest) {
    if (take_number(rest) != nodes_.size() || rest != " nodes") {
      lines_.fail(fmt::format("{} nodes precede this line; the file was changed", nodes_.size()));
    }
    if (lines_.next()) lines_.fail("expected nothing after 'end of N nodes'");
  }

  /// The four kinds of lines below a node begin with a blank, a node does not.
  void read_node(std::string_view rest) {
    if (rest.starts_with(' ')) {
      if (nodes_.empty()) lines_.fail("expected 'switch GUID LID' or 'adapter GUID LID'");
      read_detail(rest.substr(1));
      return;
    }
    CcNode node;
    node.is_switch = take(rest, "switch ");
    if (!node.is_switch && !take(rest, "adapter ")) {
      lines_.fail("expected 'switch GUID LID' or 'adapter GUID LID'");
    }
    node.guid = number(rest, ~std::uint64_t{0});
    node.lid = static_cast<Lid>(number(rest, last_unicast_lid));
    if (!rest.empty()) lines_.fail("expected nothing after the LID");
    nodes_.push_back({std::move(node), {}});
  }

  void read_detail(std::string_view rest) {
    SavedNode& saved = nodes_.back();
    // cc_apply removes control characters, but the file may have been changed.
    if (take(rest, "name ")) {
      saved.node.name = printable(rest);
    } else if (take(rest, "description ")) {
      saved.node.description = printable(rest);
    } else {
      saved.requests.push_back(read_request(rest));
    }
  }

  CcRequest read_request(std::string_view rest) {
    CcRequest request;
    request.method = MadMethod::set;
    const std::optional<CcAttribute> attribute = attribute_of(take_word(rest));
    if (!attribute) lines_.fail("expected 'name', 'description' or an attribute");
    request.attribute = *attribute;
    rest = without_indent(rest);
    request.modifier = static_cast<std::uint32_t>(number(rest, 0xffff));
    read_data(rest, request.data);
    return request;
  }

  void read_data(std::string_view text, CcData& data) {
    if (text.size() != 2 * data.size()) {
      lines_.fail(fmt::format("expected {} hexadecimal digits", 2 * data.size()));
    }
    for (std::uint8_t& byte : data) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + 2, byte, 16);
      if (error != std::errc() || end != text.data() + 2)
        lines_.fail("expected hexadecimal digits");
      text.remove_prefix(2);
    }
  }

  /// A number and the following blanks.
  std::uint64_t number(std::string_view& rest, std::uint64_t largest) {
    const std::optional<std::uint64_t> value = take_c_number(rest);
    if (!value || *value > largest) {
      lines_.fail(fmt::format("expected a number of at most {}", largest));
    }
    rest = without_indent(rest);
    return *value;
  }

  FileReader file_;
  TextLines lines_;
  std::vector<SavedNode> nodes_;
};

}  // namespace

std::string saved_settings_text(std::span<const SavedNode> nodes, const std::string& remark) {
  std::string text = fmt::format("{}\n# {}\n", heading_of_settings, printable(remark));
  for (const SavedNode& saved : nodes) {
    const CcNode& node = saved.node;
    text += fmt::format("{} 0x{:016x} {}\n name {}\n description {}\n",
                        node.is_switch ? "switch" : "adapter", node.guid, node.lid,
                        printable(node.name), printable(node.description));
    for (const CcRequest& request : saved.requests) {
      text += fmt::format(" {} {} {}\n", name_of(request.attribute), request.modifier,
                          hexadecimal(request.data));
    }
  }
  return text + fmt::format("end of {} nodes\n", nodes.size());
}

void save_settings(const std::string& path, std::span<const SavedNode> nodes,
                   const std::string& remark) {
  std::error_code none;
  // A link without a target exists, too: another user may have created it.
  if (std::filesystem::exists(std::filesystem::symlink_status(path, none))) {
    throw Error(ErrorKind::output,
                fmt::format("{}: file exists and may hold the only copy of earlier settings; "
                            "nothing was set; specify another file",
                            path));
  }
  write_private_file(path,
                     [&](const ContentSink& sink) { sink(saved_settings_text(nodes, remark)); });
}

std::vector<SavedNode> load_saved_settings(const std::string& path) { return Reader(path).read(); }

}  // namespace pssp
