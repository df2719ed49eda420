#include "libcalls/prototypes/conf_reader.hpp"

#include <array>
#include <cerrno>
#include <fstream>

#include "libcalls/prototypes/conf_lens.hpp"

namespace strut {

namespace {

constexpr size_t kLargestFile = 16u << 20;
constexpr size_t kPart = 16 << 10;
constexpr size_t kMaxErrors = 100;

bool never_shown(const Call&) { return false; }

/// Reads the lines of one file.
class ConfReader {
 public:
  explicit ConfReader(PrototypeStore& store) : store_(store), lenses_(store) {}

  Result<void> read_line(std::string_view line) {
    ConfScanner scan(line);
    if (scan.at_end() || scan.next_is(';')) return {};
    if (scan.peek_word() == "typedef") {
      scan.word();
      TRY_VOID(lenses_.read_typedef(scan));
    } else {
      TRY_VOID(read_prototype(scan));
    }
    // Whatever stands behind the semicolon is a remark.
    if (!scan.at_end() && !scan.take(';'))
      return fail_because("unexpected '" + std::string(scan.here()) + "' at the end");
    return {};
  }

 private:
  Result<void> read_prototype(ConfScanner& scan) {
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
  LensReader lenses_;
};

}  // namespace

std::vector<std::string> read_prototypes(std::string_view text, std::string_view file, PrototypeStore& store) {
  ConfReader reader(store);
  std::vector<std::string> errors;
  for (size_t line = 1; !text.empty(); line++) {
    size_t end = text.find('\n');
    Result<void> read = reader.read_line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (read) continue;
    errors.push_back(std::string(file) + ":" + std::to_string(line) + ": " + read.error().why);
    if (errors.size() < kMaxErrors) continue;
    errors.push_back(std::string(file) + ": too many errors; the rest of the file is left out");
    break;
  }
  return errors;
}

Result<std::vector<std::string>> read_prototype_file(const std::string& path, PrototypeStore& store) {
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
  return read_prototypes(bytes, path, store);
}

}  // namespace strut
