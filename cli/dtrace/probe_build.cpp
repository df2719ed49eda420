#include "cli/dtrace/probe_build.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

#include "cli/dtrace/probe_header.hpp"
#include "symtab/elf/empty_object.hpp"

namespace strut {
namespace {

Result<std::string> header_of(const DtraceOptions& options, std::span<const DSource> sources) {
  std::vector<DeclaredProbe> probes;
  for (const DSource& source : sources)
    std::ranges::move(TRY(declared_probes(source.text)), std::back_inserter(probes));
  return probe_header(options.output.substr(options.output.rfind('/') + 1), probes);
}

Result<void> check_objects(const DtraceOptions& options) {
  for (const std::string& object : options.arguments)
    if (::access(object.c_str(), R_OK) != 0)
      return fail(
          {errno, "failed to link script " + options.programs[0].text + ": failed to open " + object, {}, {}, {}});
  return {};
}

}  // namespace

Result<void> build_probes(const DtraceOptions& options, std::span<const DSource> sources) {
  bool is_header = options.action == DtraceOptions::Action::Header;
  if (!is_header) TRY_VOID(check_objects(options));
  std::string bytes = is_header ? TRY(header_of(options, sources)) : empty_object();
  errno = 0;
  std::ofstream file(options.output, std::ios::binary);
  if (!file) return fail({errno, "failed to open output file", options.output, {}, {}});
  if (!(file << bytes << std::flush)) return fail({errno, "write", options.output, {}, {}});
  return {};
}

}  // namespace strut
