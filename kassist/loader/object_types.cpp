#include "kassist/loader/object_types.hpp"

#include <cerrno>
#include <string_view>

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kassist/loader/file_size_limit.hpp"

namespace strut {
namespace {

/// Without its flavour (libbpf: file___socket is the kernel's struct file).
std::string plain_name(std::string_view name) { return std::string(name.substr(0, name.find("___"))); }

}  // namespace

TypesWanted types_named_by(bpf_object* object) {
  TypesWanted wanted;
  const btf* types = bpf_object__btf(object);
  auto name = [&](uint32_t offset) { return btf__name_by_offset(types, offset); };
  for (uint32_t id = 1; id < btf__type_cnt(types); id++) {
    const btf_type* type = btf__type_by_id(types, id);
    if (!btf_is_composite(type)) continue;
    if (type->name_off != 0) wanted.structs.push_back(plain_name(name(type->name_off)));
    for (const btf_member& member : std::span(btf_members(type), btf_vlen(type)))
      if (member.name_off != 0) wanted.members.emplace_back(name(member.name_off));
  }
  return wanted;
}

MemoryFile::MemoryFile()
    : fd_(::memfd_create("strut-btf", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(fd_.number())) {}

Result<void> MemoryFile::write(std::span<const std::byte> bytes) {
  if (!fd_) return fail(refused("memfd_create", errno));
  FileSizeLimitRaised limit;
  ssize_t written = ::write(fd_.number(), bytes.data(), bytes.size());
  if (written == static_cast<ssize_t>(bytes.size())) return {};
  return fail(refused("write the kernel's types", written < 0 ? errno : EFBIG));
}

Error refused(std::string op, int code) {
  return {code, std::move(op), {}, {}, "strut doctor says what is missing; --backend=ptrace needs none of it"};
}

bpf_object* open_bpf_object(std::span<const std::byte> bytes, const char* name, const char* types_path) {
  bpf_object_open_opts options{};
  options.sz = sizeof(options);
  options.object_name = name;
  options.btf_custom_path = types_path;
  return bpf_object__open_mem(bytes.data(), bytes.size(), &options);
}

}  // namespace strut
