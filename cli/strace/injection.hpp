// The language of strace's -e inject=SET:… and -e fault=SET:… (strace(1), "Tampering").
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "trace/request.hpp"

namespace strut {

enum class InjectionKind : uint8_t {
  Inject,
  Fault,  ///< only errors, ENOSYS unless one is named
};

/// The Error's `why` is "invalid inject argument 'chdir:when=0'", or the error of the call set.
Result<Injection> parse_injection(std::string_view text, InjectionKind kind);

/// A warning about a result that the target may take for an error; nullopt: none.
std::optional<std::string> warn_of_retval(int64_t retval);

/// Adds one: it takes the calls it names away from those before it.
void add_injection(std::vector<Injection>& injections, Injection added);

}  // namespace strut
