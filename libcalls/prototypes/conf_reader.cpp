#include "libcalls/prototypes/conf_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <set>
#include <utility>

#include <unistd.h>

#include "libcalls/prototypes/conf_lens.hpp"

namespace strut {

namespace {

constexpr size_t kLargestFile = 16u << 20;
constexpr size_t kPart = 16 << 10;
constexpr size_t kMaxErrors = 100;

bool never_shown(const Call&) { return false; }

Result<std::string> text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail({errno, "open", path, {}, {}});
  // Part by part: memory for the largest one would take longer to be had than all else until the first call.
  std::string bytes;
  for (std::array<char, kPart> part; file && bytes.size() <= kLargestFile;) {
    file.read(part.data(), part.size());
    bytes.append(part.data(), static_cast<size_t>(file.gcount()));
  }
  if (file.bad()) return fail({errno, "read", path, {}, {}});
  if (bytes.size() > kLargestFile) return fail({0, "read", path, "it is larger than 16 MiB", {}});
  return bytes;
}

/// Reads a file, and once each those that it imports.
class ConfReader {
 public:
  ConfReader(PrototypeStore& store, const ImportPath& imports) : store_(store), imports_(imports), lenses_(store) {}

  /// A file that imports this one does not read it again.
  void read_once(std::string_view text, const std::string& file) {
    if (imported_.insert(file).second) read_text(text, file);
  }
  std::vector<std::string> take_errors() { return std::move(errors_); }

 private:
  void read_text(std::string_view text, std::string_view file) {
    std::string_view outer = std::exchange(file_, file);
    for (size_t line = 1; !text.empty() && errors_.size() <= kMaxErrors; line++) {
      size_t end = text.find('\n');
      Result<void> read = read_line(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (!read) add_error(line, read.error().why);
    }
    file_ = outer;
  }

  void add_error(size_t line, std::string_view why) {
    if (errors_.size() >= kMaxErrors) return;
    errors_.push_back(std::string(file_) + ":" + std::to_string(line) + ": " + std::string(why));
    if (errors_.size() == kMaxErrors)
      errors_.push_back(std::string(file_) + ": too many errors; the rest of the file is left out");
  }

  Result<void> read_line(std::string_view line) {
    ConfScanner scan(line);
    if (scan.at_end() || scan.next_is(';') || scan.next_is('#')) return {};
    if (scan.take_word("typedef")) TRY_VOID(lenses_.read_typedef(scan));
    else if (scan.take_word("import")) TRY_VOID(read_import(scan));
    else TRY_VOID(read_prototype(scan));
    // Whatever stands behind the semicolon is a remark.
    if (!scan.at_end() && !scan.take(';'))
      return fail_because("unexpected '" + std::string(scan.here()) + "' at the end");
    return {};
  }

  Result<void> read_import(ConfScanner& scan) {
    std::string name(scan.quoted_or_word());
    if (name.empty()) return fail_because("the name of a file is missing");
    std::optional<std::string> path = imports_.find(name, file_);
    if (!path) return fail_because("no file " + name + ".conf was found");
    if (imported_.contains(*path)) return {};
    Result<std::string> text = text_of(*path);
    if (!text) return fail_because(text.error().why.empty() ? *path + " cannot be read" : text.error().why);
    read_once(*text, *path);
    return {};
  }

  Result<void> read_prototype(ConfScanner& scan) {
    scan.take_word("function");
    Lens result = TRY(lenses_.read(scan));
    if (result.is_format) return fail_because("a function cannot return a format");
    std::string_view name = scan.name();
    if (name.empty()) return fail_because("a function's name is missing");
    if (!scan.take('(')) return fail_because("expected '(' instead of '" + std::string(scan.here()) + "'");
    FunctionDesc desc;
    desc.result = decayed(result.type);
    std::vector<ArgType> args;
    if (!scan.take(')')) {
      do TRY_VOID(read_argument(scan, desc, args));
      while (scan.take(','));
      if (!scan.take(')')) return fail_because("expected ',' or ')' instead of '" + std::string(scan.here()) + "'");
    }
    store_.add(desc, name, std::move(args));
    return {};
  }

  Result<void> read_argument(ConfScanner& scan, FunctionDesc& desc, std::vector<ArgType>& args) {
    ArgType arg;
    arg.name = "";
    if (scan.take('+')) arg.direction = Direction::Out;
    Lens lens = TRY(lenses_.read(scan));
    if (lens.is_void)
      return args.empty() && scan.next_is(')') ? Result<void>{} : fail_because("an argument cannot be void");
    if (desc.varargs != Varargs::No) return fail_because("nothing can follow a format");
    if (args.size() == kMaxDecodedArgs)
      return fail_because("more than " + std::to_string(kMaxDecodedArgs) + " arguments");
    if (lens.is_format) desc.varargs = Varargs::Printf;
    if (lens.hidden) arg.when = never_shown;
    arg.type = decayed(lens.type);
    args.push_back(arg);
    return {};
  }

  PrototypeStore& store_;
  const ImportPath& imports_;
  LensReader lenses_;
  std::string_view file_;
  std::set<std::string> imported_;
  std::vector<std::string> errors_;
};

}  // namespace

std::optional<std::string> ImportPath::find(const std::string& name, std::string_view importer) const {
  std::vector<std::string> candidates;
  if (size_t slash = importer.rfind('/'); slash != std::string_view::npos)
    candidates.emplace_back(importer.substr(0, slash));
  candidates.insert(candidates.end(), directories.begin(), directories.end());
  for (const std::string& directory : candidates)
    for (const char* ending : {".conf", ""})
      if (std::string path = directory + "/" + name + ending; ::access(path.c_str(), R_OK) == 0) return path;
  return std::nullopt;
}

std::vector<std::string> read_prototypes(std::string_view text, std::string_view file, PrototypeStore& store,
                                         const ImportPath& imports) {
  ConfReader reader(store, imports);
  reader.read_once(text, std::string(file));
  return reader.take_errors();
}

Result<std::vector<std::string>> read_prototype_file(const std::string& path, PrototypeStore& store,
                                                     const ImportPath& imports) {
  return read_prototypes(TRY(text_of(path)), path, store, imports);
}

}  // namespace strut
