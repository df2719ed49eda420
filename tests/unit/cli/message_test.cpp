// Names in messages cannot do anything to a terminal.
#include <doctest/doctest.h>

#include "cli/common/message.hpp"

namespace strut::test {

TEST_CASE("message: control characters are escaped, text is left alone") {
  CHECK(printable("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80") == "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  CHECK(printable("a\x1b[31m\n\t\x7f") == "a\\033[31m\\n\\t\\177");
  CHECK(printable(std::string_view("\0", 1)) == "\\000");
}

TEST_CASE("message: C1 controls, direction marks and broken UTF-8 are escaped") {
  CHECK(printable("\xc2\x9b") == "\\302\\233");
  CHECK(printable("\xe2\x80\xae") == "\\342\\200\\256");
  CHECK(printable("\xc3") == "\\303");
  CHECK(printable("\xff\xc0\x80") == "\\377\\300\\200");
  CHECK(printable("\xe2\x82") == "\\342\\202");
  CHECK(printable("\xf5\x80\x80\x80") == "\\365\\200\\200\\200");
}

}  // namespace strut::test
