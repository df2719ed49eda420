#include "trace/filter.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <string>

#include <fcntl.h>

namespace strut {

namespace {

bool searched(const Call& call, size_t arg) { return (call.effects().not_searched >> arg & 1) == 0; }

/// The name of a file by its path from a directory with a known, canonical name. nullopt: `..` behind a name, which may
/// be a symbolic link.
std::optional<std::string> name_below(std::string name, std::string_view path) {
  bool is_canonical = true;
  while (!path.empty()) {
    std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." && !is_canonical) return std::nullopt;
    if (part == "..") {
      name.resize(name.rfind('/') == std::string::npos ? 0 : name.rfind('/'));
      continue;
    }
    is_canonical = false;
    if (!name.ends_with('/')) name += '/';
    name += part;
  }
  return name.empty() ? "/" : name;
}

/// Looks for one of the request's paths or descriptors in an argument: one that is a path or a descriptor, a set of
/// descriptors, or an array of structures with some (poll). Addresses of sockets and messages are not looked into.
class Search {
 public:
  Search(const TraceRequest& request, DecodeContext scene) : request_(request), scene_(scene) {}

  bool in(const Call& call, const DecodedCall& decoded) const {
    const Fd* directory = nullptr;
    for (size_t i = 0; i < decoded.count; i++) {
      const Value& value = decoded.args[i].value;
      if (searched(call, i) && (in(value) || is_below(directory, value))) return true;
      if (auto* fd = std::get_if<Fd>(&value.is); fd && fd->directory) directory = fd;
    }
    const Array* shown = decoded.count != 0 ? std::get_if<Array>(&decoded.args[0].value.is) : nullptr;
    return shown && shown->cut && call.effects().have(kPolls) && in_unshown(call, shown->items.size());
  }

 private:
  bool in(const Value& value) const {
    if (auto* text = std::get_if<Text>(&value.is)) return matches(*text);
    if (auto* array = std::get_if<Array>(&value.is))
      return std::any_of(array->items.begin(), array->items.end(), [this](const Value& item) { return in_item(item); });
    return in_fd(value);
  }
  /// A relative path from the directory of the descriptor in front of it, or from the current one.
  bool is_below(const Fd* directory, const Value& value) const {
    auto* text = std::get_if<Text>(&value.is);
    bool is_relative =
        text && text->kind == TextKind::Path && !text->cut && !text->bytes.empty() && !text->bytes.starts_with('/');
    if (!request_.resolves_paths || request_.paths.empty() || !is_relative) return false;
    std::optional<FdTarget> current;
    if (!directory) current = scene_.around.fd_target(AT_FDCWD, false);
    const FdTarget* from = directory ? directory->target : current ? &*current : nullptr;
    auto name = from ? name_below(from->path, text->bytes) : std::nullopt;
    return name && wanted(*name);
  }
  bool in_item(const Value& item) const {
    auto* structure = std::get_if<Struct>(&item.is);
    if (!structure) return in_fd(item);
    return std::any_of(structure->fields.begin(), structure->fields.end(),
                       [this](const FieldValue& field) { return in_fd(field.value); });
  }
  bool in_fd(const Value& value) const {
    auto* fd = std::get_if<Fd>(&value.is);
    return fd && fd->number >= 0 && matches(*fd);
  }
  /// The descriptors of poll(2) that -s leaves out of the text.
  bool in_unshown(const Call& call, uint64_t first) const {
    uint64_t count = call.regs[1] & 0xffffffff;
    std::array<pollfd, 64> chunk;
    for (uint64_t i = first; i < count; i += chunk.size()) {
      size_t wanted = std::min<uint64_t>(chunk.size(), count - i) * sizeof(pollfd);
      auto bytes = std::as_writable_bytes(std::span(chunk)).first(wanted);
      size_t read = scene_.memory.read(Addr{call.regs[0]} + i * sizeof(pollfd), bytes).bytes;
      auto whole = std::span(chunk).first(read / sizeof(pollfd));
      if (std::ranges::any_of(whole, [this](const pollfd& polled) { return in_number(polled.fd); })) return true;
      if (read != wanted) break;
    }
    return false;
  }
  bool in_number(int number) const {
    if (number < 0) return false;
    std::optional<FdTarget> target = scene_.around.fd_target(number, false);
    return matches(Fd{number, target ? &*target : nullptr});
  }
  bool matches(const Text& text) const { return text.kind == TextKind::Path && !text.cut && wanted(text.bytes); }
  bool matches(const Fd& fd) const {
    if (!request_.fds.empty() || request_.fds_inverted) {
      bool named = std::find(request_.fds.begin(), request_.fds.end(), fd.number) != request_.fds.end();
      if (named != request_.fds_inverted) return true;
    }
    return fd.target && wanted(fd.target->path);
  }
  bool wanted(std::string_view path) const {
    return std::find(request_.paths.begin(), request_.paths.end(), path) != request_.paths.end();
  }

  const TraceRequest& request_;
  DecodeContext scene_;
};

}  // namespace

bool touches(const TraceRequest& request, const Call& call, DecodeContext scene, const DecodedCall& decoded) {
  if (request.paths.empty() && request.fds.empty() && !request.fds_inverted) return true;
  const DecodeOptions& options = scene.options;
  if (!options.raw.contains(call.abi, call.nr) && options.dereference.contains(call.abi, call.nr))
    return Search(request, scene).in(call, decoded);
  DecodeOptions whole = options;
  whole.raw = SyscallSet{};
  whole.dereference = SyscallSet::all();
  DecodedCall again;
  decode_enter(call, {scene.memory, scene.around, whole}, again);
  return Search(request, scene).in(call, again);
}

bool passes(const StatusFilter& filter, const Call& call) {
  if (call.unavailable) return filter.unavailable;
  if (!call.returned) return filter.unfinished;
  return call.error == 0 ? filter.successful : filter.failed;
}

}  // namespace strut
