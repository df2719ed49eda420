// Prototypes of the C library and other libraries that programs use: our own, from manual pages and headers.
#pragma once

#include <string_view>
#include <vector>

#include "syscalls/function.hpp"

namespace strut {

/// The description of a function by its symbol's name ("open", "_Znwm"), or by that of the plainer function that it
/// stands for ("open64", "__isoc99_sscanf", "fread_unlocked"). nullptr: there is none.
const FunctionDesc* find_prototype(std::string_view name);

/// How a thread comes back from a function.
enum class ReturnWay : uint8_t {
  Once,
  Again,           ///< and again whenever the thread jumps there: setjmp(3)
  ByAnother,       ///< from the function that its first argument was given to: longjmp(3), with the second as result
  FromOtherStack,  ///< after the thread has run on other stacks: swapcontext(3)
  Never,           ///< the thread or the process ends in it: pthread_exit(3), after the code that runs at exits
};
ReturnWay return_way(const FunctionDesc& row);

/// The soname of the library with this row; empty: the row is not of our table.
std::string_view library_of(const FunctionDesc& row);

/// The rows of one library, and the soname by which it is found.
struct FunctionSubject {
  const char* library;
  std::vector<const FunctionDesc*> rows;  ///< by their names
};
std::vector<FunctionSubject> function_subjects();

}  // namespace strut
