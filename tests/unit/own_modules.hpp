// The modules of the process that runs the tests.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include "symtab/process/process_modules.hpp"

namespace strut::test {

struct OwnModules {
  ModuleCache cache;
  ProcessModules modules{Pid{::getpid()}, cache};
  OwnModules() { REQUIRE(modules.refresh()); }

  const Module& libc() const {
    const Module* found = modules.named("libc");
    REQUIRE(found);
    return *found;
  }
};

}  // namespace strut::test
