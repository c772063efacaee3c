// All three notations have lines of "LID port", grouped by switch; a header begins a switch, a
// footer may end it. One loop reads them; the first header determines the notation for the whole
// file.
//
// A dump of a large fabric repeats the description of each LID's owner for every switch: 666
// switches with 5000 LIDs are 3.3 million lines and 270 MB, 2268 switches with 49,000 LIDs 8.5 GB.
// So the file is read in parts, and the comment of an entry is stored at the first occurrence of a
// LID, and only compared afterwards.
//
// Truncation is detected differently: dump_fts counts entries in its footer; opensm-lfts.dump
// repeats the highest LID there; opensm.fdbs has no footer, but lists every LID up to the highest
// for every switch.

#include "fabric/formats/lft_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"
#include "fabric/formats/lft_lines.h"

namespace pssp {
namespace {

constexpr std::string_view footer_end = "lids dumped";
/// dump_fts 44.0 reads tables in blocks of this many LIDs, and omits the LID after the last full
/// block.
constexpr unsigned lids_per_block = 64;

/// The owner of a LID according to a comment. A description has at most 64 bytes in InfiniBand;
/// longer comments are compared by their content.
struct Owner {
  static constexpr std::size_t max_kept = 256;

  Guid guid = 0;  // 0: unspecified
  bool is_switch = false;
  std::string description;
};

/// The first comment that names the owner of a LID.
struct OwnerComment {
  std::string text;
  Owner owner;
  std::size_t line = 0;
};

class LftParser {
 public:
  LftParser(TextLines& lines, std::string_view name) : name_(name), lines_(lines) {
    file_.name = name;
  }

  LftFile run();

 private:
  void read_line();
  void begin_table(std::string_view text);
  void begin_fdbs_switch(std::string_view text);
  void begin_switch(LftFormat format);
  void read_entry(std::string_view text);
  void read_fdbs_entry(Lid lid, std::string_view text);
  bool is_last_line_whole() const;
  bool read_footer(std::string_view text);
  void add_entry(Lid lid, std::string_view port_text);
  void note_owner(Lid lid, std::string_view comment);
  void check_end_of_switch();
  void check_footers();
  void check_last_lids();
  void list_owners();
  void find_lost_lid();

  struct Table {
    unsigned highest = 0;   // of the header
    unsigned lines = 0;     // entries, including explicit "no route"
    Lid last_lid = no_lid;  // on its last line
    bool has_footer = false;
  };

  std::string_view name_;
  TextLines& lines_;
  LftFile file_;
  std::vector<Table> tables_;  // one per switch
  std::unordered_map<Guid, std::size_t> line_of_switch_;
  std::vector<std::uint32_t> entered_ =  // by LID: number of the last switch that has an entry
      std::vector<std::uint32_t>(last_unicast_lid + 1, 0);
  std::size_t first_orphan_ = 0;      // line of the first entry before any header
  std::vector<OwnerComment> owners_;  // by LID, grown as needed
};

LftFile LftParser::run() {
  while (lines_.next()) read_line();
  if (file_.switches.empty()) {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("{}: these are not forwarding tables: it looks like {}; expected the output of "
                    "dump_fts, or opensm-lfts.dump or opensm.fdbs of opensm -D 0x47",
                    name_, describe_content(lines_.beginning(), name_)));
  }
  if (first_orphan_ != 0) {
    fail_at(name_, first_orphan_,
            "an entry above the header of the first switch; the beginning of the file is missing");
  }
  check_end_of_switch();
  if (file_.format == LftFormat::opensm_fdbs) {
    check_last_lids();
  } else {
    check_footers();
  }
  list_owners();
  find_lost_lid();
  return std::move(file_);
}

void LftParser::read_line() {
  std::string_view text = without_indent(lines_.line());
  if (text.empty() || text.front() == '#') return;
  if (take(text, "0x") || take(text, "0X")) {
    if (!tables_.empty()) return read_entry(text);
    if (first_orphan_ == 0) first_orphan_ = lines_.number();
    return;
  }
  if (take(text, lft_header)) return begin_table(text);
  if (take_fdbs_header(text)) return begin_fdbs_switch(text);
  if (text.starts_with(multicast_header)) {
    lines_.fail("these are multicast tables; unicast tables were expected (dump_fts without -M)");
  }
  if (tables_.empty() || read_footer(text)) return;
  // Messages of dump_fts may occur between its entries, which are counted; any text may follow a
  // footer.
  const bool is_title = text.starts_with("LID ");
  if (is_title || tables_.back().has_footer || file_.format == LftFormat::dump_fts) return;
  lines_.fail(fmt::format("'{}' is not an entry; expected e.g. 0x0012 007", excerpt(text)));
}

void LftParser::begin_switch(LftFormat format) {
  if (!tables_.empty()) {
    check_end_of_switch();
    if (format != file_.format)
      lines_.fail("another kind of dump begins here; a file must hold one kind only");
  }
  if (tables_.size() >= last_unicast_lid) {
    lines_.fail(fmt::format("more than {} switches: an InfiniBand subnet has no LIDs for more",
                            last_unicast_lid));
  }
  file_.format = format;
  LftSwitch& added = file_.switches.emplace_back();
  added.line = lines_.number();
  tables_.emplace_back();
}

/// `[0-24] of switch Lid 2 guid 0x0000000000200000 ('S00000'):`, from after the bracket.
void LftParser::begin_table(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x");
  begin_switch(is_hexadecimal ? LftFormat::dump_fts : LftFormat::opensm_lfts);
  LftSwitch& added = file_.switches.back();

  const std::optional<std::uint64_t> lowest = take_c_number(text);
  const bool dash = take(text, "-");
  const std::optional<std::uint64_t> highest = take_c_number(text);
  if (!lowest || !dash || !highest || !take(text, "]") || *highest > last_unicast_lid) {
    lines_.fail(fmt::format(
        "the range of LIDs is garbled or beyond {}; expected e.g. Unicast lids [0-24] of switch",
        last_unicast_lid));
  }
  tables_.back().highest = static_cast<unsigned>(*highest);

  constexpr std::string_view before_guid = " guid 0x";
  const std::size_t guid_at = text.find(before_guid);
  if (guid_at == std::string_view::npos)
    lines_.fail("the switch's GUID is missing; expected e.g. guid 0x0002c90200405060");
  if (const std::size_t lid_at = text.substr(0, guid_at).find(" Lid ");
      lid_at != std::string_view::npos) {
    std::string_view lid_text = text.substr(lid_at + 5);
    const std::optional<std::uint64_t> lid = take_number(lid_text);
    if (!lid || *lid > last_unicast_lid) lines_.fail("the switch's LID is garbled or out of range");
    added.lid = static_cast<Lid>(*lid);
  }
  text.remove_prefix(guid_at + before_guid.size());
  const std::optional<std::uint64_t> guid = take_number(text, 16);
  if (!guid || *guid == 0) lines_.fail("the switch's GUID is garbled");
  added.guid = *guid;
  text = trimmed(text);
  if (take(text, "(") && text.ends_with("):")) {
    text.remove_suffix(2);
    // opensm quotes the name; in dump_fts, quotes belong to the name.
    const bool quoted =
        !is_hexadecimal && text.size() >= 2 && text.front() == '\'' && text.back() == '\'';
    added.description = trimmed(quoted ? text.substr(1, text.size() - 2) : text);
  }
}

/// `0x0000000000200000`
void LftParser::begin_fdbs_switch(std::string_view text) {
  begin_switch(LftFormat::opensm_fdbs);
  const std::optional<std::uint64_t> guid = take_c_number(text);
  if (!guid || *guid == 0)
    lines_.fail("the switch's GUID is garbled; expected e.g. Switch 0x0002c90200405060");
  file_.switches.back().guid = *guid;
}

void LftParser::check_end_of_switch() {
  LftSwitch& last = file_.switches.back();
  const auto [other, is_new] = line_of_switch_.try_emplace(last.guid, last.line);
  if (!is_new) {
    fail_at(
        name_, last.line,
        fmt::format(
            "switch 0x{:016x} already has a table at line {}; check that the file is a single dump",
            last.guid, other->second));
  }
}

/// `24 lids dumped`, `24 valid lids dumped`
bool LftParser::read_footer(std::string_view text) {
  const std::optional<std::uint64_t> count = take_number(text);
  text = trimmed(text);
  take(text, "valid ");
  if (!count || text != footer_end) return false;
  Table& table = tables_.back();
  const bool counts_entries = file_.format == LftFormat::dump_fts;
  const std::size_t expected = counts_entries ? table.lines : table.highest;
  if (*count != expected) {
    lines_.fail(fmt::format(
        "the table of switch 0x{:016x} is incomplete: its last line states {}, but {} {}",
        file_.switches.back().guid, *count,
        counts_entries ? "the number of entries is" : "its header states", expected));
  }
  if (table.has_footer)
    lines_.fail("the table has ended already; the header of the next switch was expected");
  table.has_footer = true;
  return true;
}

/// `0012 007 ...`, from after the 0x.
void LftParser::read_entry(std::string_view text) {
  Table& table = tables_.back();
  if (table.has_footer)
    lines_.fail("an entry after the end of a table; the header of the next switch was expected");
  const std::optional<std::uint64_t> number = take_number(text, 16);
  if (!number || text.empty() || (!is_blank(text.front()) && text.front() != ':')) {
    lines_.fail(
        fmt::format("'{}' is not an entry; expected e.g. 0x0012 007", excerpt(lines_.line())));
  }
  if (*number > last_unicast_lid) {
    lines_.fail(fmt::format("LID 0x{:x} is beyond the last unicast LID 0x{:x}", *number,
                            unsigned{last_unicast_lid}));
  }
  const auto lid = static_cast<Lid>(*number);
  const auto switch_number = static_cast<std::uint32_t>(tables_.size());
  if (entered_[lid] == switch_number) {
    lines_.fail(fmt::format("LID 0x{:04x} already has an entry in this table", lid));
  }
  entered_[lid] = switch_number;
  ++table.lines;
  table.last_lid = lid;
  if (file_.format == LftFormat::opensm_fdbs) {
    read_fdbs_entry(lid, text);
  } else {
    add_entry(lid, text);
  }
}

/// ` : 001  : 01   : yes`, ` : UNREACHABLE`
void LftParser::read_fdbs_entry(Lid lid, std::string_view text) {
  text = without_indent(text);
  if (!take(text, ":")) {
    lines_.fail(fmt::format("'{}' is not an entry; expected e.g. 0x0012 : 007  : 01   : yes",
                            excerpt(lines_.line())));
  }
  if (trimmed(text) != "UNREACHABLE") add_entry(lid, text);
}

/// `007`, and the rest of the line.
void LftParser::add_entry(Lid lid, std::string_view text) {
  text = without_indent(text);
  const std::optional<std::uint64_t> port = take_number(text);
  if (!port || (!text.empty() && !is_blank(text.front()))) {
    lines_.fail(fmt::format("'{}': a port number was expected after the LID, e.g. 007",
                            excerpt(lines_.line())));
  }
  if (*port > no_port) {
    lines_.fail(fmt::format(
        "port {} does not exist: InfiniBand has ports 0 to 254, and 255 for no route", *port));
  }
  if (*port == no_port || lid == no_lid) return;  // LID 0 does not exist
  file_.switches.back().entries.set(lid, static_cast<PortNumber>(*port));
  note_owner(lid, trimmed(text));
}

/// `# Switch portguid 0x0000000000200000: 'S1'`, `: (Channel Adapter portguid 0x..: 'H1')`, `:
/// (path #2 out of 4: portguid 0x..)`.
Owner parse_owner(std::string_view comment) {
  constexpr std::string_view before_guid = "portguid 0x";
  const std::size_t at = comment.find(before_guid);
  if (at == std::string_view::npos || at > comment.find('\'')) return {};  // part of a name
  Owner owner;
  owner.is_switch = comment.substr(0, at).find("Switch") != std::string_view::npos;
  comment.remove_prefix(at + before_guid.size());
  owner.guid = take_number(comment, 16).value_or(0);
  const std::size_t end = comment.rfind('\'');
  if (take(comment, ": '") && end != std::string_view::npos && end >= 3) {
    owner.description = comment.substr(0, std::min(end - 3, Owner::max_kept));
  }
  return owner;
}

void LftParser::note_owner(Lid lid, std::string_view comment) {
  if (file_.format == LftFormat::opensm_fdbs || comment.empty()) return;
  if (lid >= owners_.size()) owners_.resize(std::size_t{lid} + 1);
  OwnerComment& known = owners_[lid];
  if (known.text == comment) return;
  const Owner owner = parse_owner(comment);
  if (owner.guid == 0) return;
  if (known.owner.guid == 0) {
    known = {std::string(comment.substr(0, Owner::max_kept)), owner, lines_.number()};
  } else if (known.owner.guid != owner.guid) {
    lines_.fail(
        fmt::format("LID 0x{:04x} leads to port 0x{:016x} here and to 0x{:016x} at line {}; LIDs "
                    "may have changed while the tables were dumped: dump the tables again",
                    lid, owner.guid, known.owner.guid, known.line));
  }
}

/// Without a line end, the last line is complete only if nothing can be missing: after a port of
/// three digits and its comment, or after the last word of an entry of opensm.fdbs.
bool LftParser::is_last_line_whole() const {
  if (lines_.ends_with_line_feed()) return true;
  std::string_view line = trimmed(lines_.line());
  if (file_.format == LftFormat::opensm_fdbs) {
    return line.ends_with(": yes") || line.ends_with('!') || line.ends_with(": UNREACHABLE");
  }
  constexpr std::size_t digits_of_port = 3;
  take_word(line);
  const std::string_view port = take_word(line);
  return port.size() == digits_of_port && (without_indent(line).empty() || line.ends_with('\''));
}

void LftParser::check_footers() {
  const auto without =
      std::find_if(tables_.begin(), tables_.end(), [](const Table& t) { return !t.has_footer; });
  if (without == tables_.end()) return;
  const bool has_any =
      std::any_of(tables_.begin(), tables_.end(), [](const Table& t) { return t.has_footer; });
  const LftSwitch& cut = file_.switches[static_cast<std::size_t>(without - tables_.begin())];
  if (has_any || file_.format == LftFormat::dump_fts || !is_last_line_whole()) {
    fail_at(name_, cut.line,
            fmt::format("the table of switch 0x{:016x} is cut off: its last line, '... lids "
                        "dumped', is missing; "
                        "dump the tables again",
                        cut.guid));
  }
  file_.warnings.push_back(fmt::format(
      "{}: no table ends in 'lids dumped', so a truncated file would not be detected", name_));
}

void LftParser::check_last_lids() {
  const auto by_last_lid = [](const Table& a, const Table& b) { return a.last_lid < b.last_lid; };
  const Lid highest = std::max_element(tables_.begin(), tables_.end(), by_last_lid)->last_lid;
  const auto cut = std::find_if(tables_.begin(), tables_.end(),
                                [highest](const Table& t) { return t.last_lid != highest; });
  if (cut == tables_.end() && is_last_line_whole()) return;
  const std::size_t index =
      cut == tables_.end() ? tables_.size() - 1 : static_cast<std::size_t>(cut - tables_.begin());
  const std::string end = cut == tables_.end()
                              ? std::string("its last line is not complete")
                              : fmt::format("it ends at LID 0x{:04x}, other tables at 0x{:04x}",
                                            tables_[index].last_lid, highest);
  fail_at(name_, file_.switches[index].line,
          fmt::format("the table of switch 0x{:016x} is cut off: {}; dump the tables again",
                      file_.switches[index].guid, end));
}

void LftParser::list_owners() {
  // The base LID's comment has more information than those of a port's other LIDs.
  std::unordered_map<Guid, const Owner*> described;
  for (std::size_t lid = first_unicast_lid; lid < owners_.size(); ++lid) {
    const Owner* owner = &owners_[lid].owner;
    if (owner->guid == 0) continue;
    if (!owner->description.empty()) {
      described.try_emplace(owner->guid, owner);
    } else if (const auto base = described.find(owner->guid); base != described.end()) {
      owner = base->second;
    }
    file_.destinations.push_back({.lid = static_cast<Lid>(lid),
                                  .port_guid = owner->guid,
                                  .is_switch = owner->is_switch,
                                  .description = std::string(trimmed(owner->description))});
  }
}

void LftParser::find_lost_lid() {
  if (file_.format != LftFormat::dump_fts) return;
  unsigned highest = 0;
  for (const Table& table : tables_) highest = std::max(highest, table.highest);
  if (highest == 0 || highest % lids_per_block != 0 || entered_[highest] != 0) return;
  file_.lost_lid = static_cast<Lid>(highest);
  file_.warnings.push_back(
      fmt::format("{}: the highest LID, {}, is a multiple of {} and has no entry in any table: "
                  "dump_fts of infiniband-diags 44.0 omits it, and its owner appears unreachable; "
                  "use opensm-lfts.dump, which has it",
                  name_, highest, lids_per_block));
}

}  // namespace

LftFile parse_lft(std::string_view text, std::string_view name) {
  TextLines lines(text, name, describe_content);
  return LftParser(lines, name).run();
}

LftFile read_lft(const std::filesystem::path& path) {
  FileReader file(path);
  return read_lft(file, path.string());
}

LftFile read_lft(FileReader& file, std::string_view name) {
  TextLines lines(file, name, describe_content);
  return LftParser(lines, name).run();
}

}  // namespace pssp
