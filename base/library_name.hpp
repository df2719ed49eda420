// Libraries as truss names them: by file name, without a version.
#pragma once

#include <string_view>

namespace strut {

/// The part of a path's last component before ".so": "libc" of /lib/libc.so.6; "ld" for the dynamic linker, whatever
/// its name.
constexpr std::string_view library_name(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  name = name.substr(0, name.find(".so"));
  bool linker = name.starts_with("ld-linux") || name.starts_with("ld-musl");
  return linker ? "ld" : name;
}

}  // namespace strut
