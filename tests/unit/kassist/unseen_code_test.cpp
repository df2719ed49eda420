// Libraries that were opened and closed before a look.
#include "kassist/uprobes/unseen_code.hpp"

#include <doctest/doctest.h>

namespace strut::test {
namespace {

using Names = std::vector<std::string>;

TEST_CASE("unseen code: code that is gone is reported once, and of its process alone") {
  UnseenCode code;
  code.mapped(Pid{1}, 10, "/lib/libstays.so");
  code.mapped(Pid{1}, 11, "/lib/libgone.so");
  code.mapped(Pid{1}, 11, "/lib/libgone.so");
  code.mapped(Pid{2}, 12, "/lib/libother.so");
  CHECK(code.looked(Pid{1}, {10, 99}) == Names{"libgone.so"});
  CHECK(code.looked(Pid{1}, {}).empty());
  CHECK(code.looked(Pid{2}, {12}).empty());
}

TEST_CASE("unseen code: code replaced by another program belongs to no process") {
  UnseenCode code;
  code.mapped(Pid{1}, 10, "/lib/libold.so");
  code.forget(Pid{1});
  CHECK(code.looked(Pid{1}, {}).empty());
}

}  // namespace
}  // namespace strut::test
