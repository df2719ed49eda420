#include "cli/common/last_resort.hpp"

#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include <sys/uio.h>
#include <unistd.h>

namespace strut {
namespace {

std::string_view program_name;

constexpr int kFailure = 1;

iovec part(std::string_view text) { return {const_cast<char*>(text.data()), text.size()}; }

/// Without memory of its own. The line is one write, so that it is not mixed with another process's.
[[noreturn]] void give_up(std::string_view what, std::string_view why) {
  std::array<iovec, 6> line{part(program_name), part(": "),
                            part(what),         part(why.empty() ? "" : ": "),
                            part(why),          part("; the traced processes run on, untraced\n")};
  [[maybe_unused]] ssize_t written = ::writev(STDERR_FILENO, line.data(), line.size());
  ::_exit(kFailure);
}

[[noreturn]] void out_of_memory() { give_up("out of memory", {}); }

/// Here std::system_error can only come from std::thread's constructor.
[[noreturn]] void unhandled() {
  std::exception_ptr thrown = std::current_exception();
  if (!thrown) give_up("internal error", "std::terminate() was called");
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    out_of_memory();
  } catch (const std::system_error& error) {
    give_up("cannot start a thread", std::strerror(error.code().value()));
  } catch (const std::exception& error) {
    give_up("internal error", error.what());
  } catch (...) {
    give_up("internal error", "an exception of an unknown type");
  }
}

}  // namespace

void install_last_resort(std::string_view program) {
  program_name = program;
  std::set_new_handler(out_of_memory);
  std::set_terminate(unhandled);
}

}  // namespace strut
