// The choice of reported calls: the request of a command line, whatever its syntax.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "syscalls/function.hpp"

namespace strut {

/// A module as choices see it.
struct FilteredModule {
  std::string_view soname;  ///< DT_SONAME, else the file's base name
  std::string_view path;
  bool is_main = false;  ///< the program itself
};

/// How a thread came from its caller's code to a function.
enum class CallWay : uint8_t {
  Import,   ///< through a word that the dynamic linker fills in, by the function's name
  Pointer,  ///< through a pointer of the caller's own: dlsym(3), a table of functions
  Direct,   ///< from within the function's own module, by its address
};

/// Answers may not change while processes are traced: they are remembered. Called by one thread at a time.
class CallChoice {
 public:
  virtual ~CallChoice() = default;

  /// False: this module's calls are not reported unless the called function is wanted itself (defined()).
  virtual bool calls_from(const FilteredModule& caller) const = 0;
  /// False: defined() says no to all functions of this module.
  virtual bool looks_into(const FilteredModule& callee) const = 0;
  /// True: a function of this name is wanted itself, however it is reached. label() decides which of its calls are
  /// reported.
  virtual bool defined(std::string_view symbol, const FilteredModule& callee) const = 0;
  /// How a call is reported, or would be if it were made; nullopt: it is not. `caller`: nullptr: code of no known
  /// module. Where `way` is Import, `symbol` is the name that the caller uses, else the best of the function's names.
  virtual std::optional<FunctionLabel> label(std::string_view symbol, const FilteredModule& callee,
                                             const FilteredModule* caller, CallWay way) const = 0;
};

}  // namespace strut
