#include "symtab/dwarf/line_search.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "symtab/dwarf/debug_information.hpp"
#include "symtab/dwarf/source_paths.hpp"

namespace strut {
namespace {

/// A row of a line table.
struct Row {
  uint64_t address = 0;
  uint32_t line = 0, column = 0;
  const char* file = nullptr;
  bool begins_statement = false, ends_sequence = false;
};

Row row_of(Dwarf_Line* row) {
  Row copy;
  int line = 0, column = 0;
  ::dwarf_lineaddr(row, &copy.address);
  ::dwarf_lineno(row, &line);
  ::dwarf_linecol(row, &column);
  ::dwarf_linebeginstatement(row, &copy.begins_statement);
  ::dwarf_lineendsequence(row, &copy.ends_sequence);
  copy.line = static_cast<uint32_t>(line);
  copy.column = static_cast<uint32_t>(column);
  copy.file = ::dwarf_linesrc(row, nullptr, nullptr);
  return copy;
}

/// Functions and inlined bodies, each by a number of its own.
class Blocks {
 public:
  explicit Blocks(const DebugInformation& debug) : debug_(debug) {}

  /// For the innermost one around an address; 0: there is none.
  uint64_t around(uint64_t address) {
    std::optional<Die> function = debug_.function_at(address);
    if (!function) return 0;
    auto [slot, is_new] = inlined_.try_emplace(function->entry.addr);
    if (is_new) read(*function, slot->second);
    const RangeMap::Range* body = slot->second.find(address);
    return body ? body->id : reinterpret_cast<uint64_t>(function->entry.addr);
  }

 private:
  static void read(const Die& function, RangeMap& bodies) {
    uint64_t budget = function.file->range_budget();
    function.walk([&](const Die& die, int depth) {
      bool is_body = depth > 0 && die.tag() == DW_TAG_inlined_subroutine;
      if (is_body)
        for (AddressRange range : die.ranges(budget))
          bodies.add(range.low, range.high, reinterpret_cast<uint64_t>(die.entry.addr));
      return depth == 0 || is_body || die.tag() == DW_TAG_lexical_block ? Descend::Into : Descend::Over;
    });
    bodies.sort();
  }

  const DebugInformation& debug_;
  std::map<void*, RangeMap> inlined_;  ///< by the function's entry
};

struct Candidate {
  uint64_t block = 0;
  uint32_t file = 0, line = 0, column = 0;  ///< `file`: index into the search's paths
  uint64_t address = 0;
  bool is_marked = false;  ///< the compiler marks beginnings of statements
};

class Search {
 public:
  Search(const DebugInformation& debug, const LineQuery& query) : debug_(debug), query_(query), blocks_(debug) {}

  LinesFound run() {
    for (const Die& root : debug_.roots()) look_at(root);
    take();
    return std::move(found_);
  }

 private:
  void look_at(const Die& root) {
    Dwarf_Lines* lines = nullptr;
    size_t count = 0;
    if (!debug_.has_readable_lines(root) || ::dwarf_getsrclines(&root.entry, &lines, &count) != 0) return;
    std::vector<Row> rows;
    rows.reserve(count);
    for (size_t i = 0; i < count; i++) rows.push_back(row_of(::dwarf_onesrcline(lines, i)));
    known_.clear();
    look_at(root, rows);
  }

  /// The index of the file's path; nullopt: it is not asked for.
  std::optional<uint32_t> file_of(const Die& root, const char* name) {
    auto [slot, is_new] = known_.try_emplace(name);
    std::string_view path = is_new ? paths_.of(name, root) : std::string_view();
    if (is_new && !path.empty() && query_.is_file(path)) {
      slot->second = numbers_.try_emplace(std::string(path), numbers_.size()).first->second;
    }
    return slot->second;
  }

  void look_at(const Die& root, const std::vector<Row>& rows) {
    bool has_marks = std::ranges::any_of(rows, [](const Row& row) { return !row.begins_statement; });
    std::optional<Candidate> last;  // the rows of one line
    for (size_t i = 0; i < rows.size(); i++) {
      const Row& row = rows[i];
      bool goes_on =
          i > 0 && !rows[i - 1].ends_sequence && rows[i - 1].line == row.line && rows[i - 1].file == row.file;
      if (!goes_on) last.reset();
      if (row.ends_sequence || !row.begins_statement || row.line == 0 || !query_.is_code(row.address)) continue;
      auto file = file_of(root, row.file);
      if (!file) continue;
      note(row.line);
      if (!query_.is_line(row.line)) continue;
      Candidate here{blocks_.around(row.address), *file, row.line, row.column, row.address, has_marks};
      if (last && !is_another(here, *last)) continue;
      last = here;
      candidates_.push_back(here);
    }
  }

  /// Whether it begins once more behind another row of the line: in copies of a statement marks are repeated.
  static bool is_another(const Candidate& here, const Candidate& last) {
    bool is_copy = here.column == last.column && here.address != last.address;
    return here.is_marked && (here.block != last.block || is_copy);
  }

  void note(uint32_t line) {
    found_.has_file = true;
    if (query_.number == 0) return;
    if (line < query_.number) found_.below = std::max(found_.below, line);
    if (line > query_.number && (found_.above == 0 || line < found_.above)) found_.above = line;
  }

  /// Keeps of each block the candidates with the lowest column of their line, or without marks the first.
  void take() {
    std::vector<std::string_view> paths(numbers_.size());
    for (const auto& [path, number] : numbers_) paths[number] = path;
    std::map<std::tuple<uint64_t, uint32_t, uint32_t>, uint64_t> lowest;
    auto key = [](const Candidate& one) { return std::tuple(one.block, one.file, one.line); };
    auto order = [](const Candidate& one) { return one.is_marked ? one.column : one.address; };
    for (const Candidate& one : candidates_) {
      auto [slot, is_new] = lowest.try_emplace(key(one), order(one));
      slot->second = std::min(slot->second, order(one));
    }
    // Code without a function has no blocks.
    std::erase_if(candidates_,
                  [&](const Candidate& one) { return one.block != 0 && order(one) != lowest.at(key(one)); });
    auto place = [](const Candidate& one) { return std::tuple(one.address, one.file, one.line); };
    std::ranges::sort(candidates_, {}, place);
    auto repeated = std::ranges::unique(candidates_, {}, place);
    candidates_.erase(repeated.begin(), repeated.end());
    for (const Candidate& one : candidates_)
      found_.starts.push_back({one.address, one.line, std::string(paths[one.file])});
  }

  const DebugInformation& debug_;
  const LineQuery& query_;
  Blocks blocks_;
  SourcePaths paths_;
  std::map<const char*, std::optional<uint32_t>> known_;  ///< for the names of one unit
  std::map<std::string, uint32_t> numbers_;
  std::vector<Candidate> candidates_;
  LinesFound found_;
};

}  // namespace

LinesFound find_lines(const DebugInformation* debug, const LineQuery& query) {
  return debug ? Search(*debug, query).run() : LinesFound{};
}

}  // namespace strut
