#include "kassist/loader/kernel_types.hpp"

#include <array>
#include <bitset>
#include <cerrno>
#include <cstring>
#include <optional>
#include <unordered_set>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/btf_records.hpp"

namespace strut {

namespace {

constexpr const char* kPath = "/sys/kernel/btf/vmlinux";

/// The commonest kinds have branches of their own: those are predicted, and the next types are read before this one has
/// come. That halves the time.
inline size_t tail_bytes(const btf_type& type) {
  uint32_t kind = BTF_INFO_KIND(type.info);
  if (kind == BTF_KIND_FUNC || kind == BTF_KIND_PTR) return 0;
  if (kind == BTF_KIND_FUNC_PROTO) return sizeof(btf_param) * BTF_INFO_VLEN(type.info);
  return btf_tail_bytes(type.info);
}

/// Names to find among very many: most differ in their first letters.
class Names {
 public:
  explicit Names(const std::vector<std::string>& names) : names_(names.begin(), names.end()) {
    for (const std::string& name : names) letters_.set(place(name.c_str()));
  }
  bool empty() const { return names_.empty(); }
  bool may_have(const char* name) const { return letters_.test(place(name)); }
  bool has(const char* name) const { return may_have(name) && names_.contains(name); }

 private:
  static constexpr size_t kPlaces = 4096;
  static size_t place(const char* name) {
    size_t place = 0;
    for (int i = 0; i < 4 && name[i]; i++) place = place * 37 + static_cast<unsigned char>(name[i]);
    return place % kPlaces;
  }

  std::unordered_set<std::string_view> names_;
  std::bitset<kPlaces> letters_;
};

bool is_structure(uint32_t kind) { return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION; }

/// The wanted names, by kind of type.
using Sought = std::array<const Names*, kBtfTails.size()>;

/// A whole BTF blob, its types by id.
class Blob {
 public:
  /// nullopt: it is malformed.
  static std::optional<Blob> over(std::span<const std::byte> bytes, const Sought& sought) {
    Blob blob;
    if (bytes.size() < sizeof(btf_header)) return std::nullopt;
    auto* header = reinterpret_cast<const btf_header*>(bytes.data());
    if (header->magic != BTF_MAGIC || header->hdr_len > bytes.size()) return std::nullopt;
    auto body = bytes.subspan(header->hdr_len);
    if (uint64_t{header->type_off} + header->type_len > body.size()) return std::nullopt;
    if (uint64_t{header->str_off} + header->str_len > body.size() || header->str_len == 0) return std::nullopt;
    blob.types_ = body.subspan(header->type_off, header->type_len);
    blob.strings_ = body.subspan(header->str_off, header->str_len);
    if (blob.strings_.back() != std::byte{0} || !blob.index(sought)) return std::nullopt;
    return blob;
  }

  uint32_t count() const { return count_; }
  struct Found {
    uint32_t id;
    const btf_type* type;
  };
  /// The types that may have one of the names that were sought.
  std::span<const Found> likely() const { return likely_; }
  const btf_type& type(uint32_t id) const {
    const btf_type* type = at(offsets_[(id - 1) / kStride]);
    for (uint32_t behind = (id - 1) % kStride; behind > 0; behind--) type = next(type);
    return *type;
  }
  const char* name(uint32_t offset) const {
    return offset < strings_.size() ? reinterpret_cast<const char*>(strings_.data()) + offset : "";
  }

 private:
  static constexpr uint32_t kStride = 32;  ///< the places of all 126,000 would take longer to write than to find again

  const btf_type* at(size_t offset) const { return reinterpret_cast<const btf_type*>(types_.data() + offset); }
  static const btf_type* next(const btf_type* type) {
    return reinterpret_cast<const btf_type*>(reinterpret_cast<const std::byte*>(type + 1) + tail_bytes(*type));
  }

  /// A loop of its own, so that its variables stay in registers.
  [[gnu::noinline]] bool index(const Sought& sought) {
    offsets_.reserve(types_.size() / 24 / kStride);
    const std::byte *at = types_.data(), *end = at + types_.size();
    uint32_t id = 1;
    for (; static_cast<size_t>(end - at) >= sizeof(btf_type); id++) {
      const btf_type& type = *reinterpret_cast<const btf_type*>(at);
      if ((id - 1) % kStride == 0) offsets_.push_back(static_cast<uint32_t>(at - types_.data()));
      uint32_t kind = BTF_INFO_KIND(type.info);
      if (!kBtfTails[kind].known) return false;
      if (sought[kind] && sought[kind]->may_have(name(type.name_off))) likely_.push_back({id, &type});
      at += sizeof(btf_type);
      size_t tail = tail_bytes(type);
      if (tail > static_cast<size_t>(end - at)) return false;
      at += tail;
    }
    count_ = id;
    return true;
  }

  std::span<const std::byte> types_, strings_;
  std::vector<uint32_t> offsets_;  ///< for types 1, 1 + kStride …
  std::vector<Found> likely_;
  uint32_t count_ = 1;  ///< id 0 is void
};

/// Writes a BTF blob type by type.
class Extract {
 public:
  /// `members`: of structures, all others are left out.
  Extract(const Blob& kernel, const Names& members) : kernel_(kernel), members_(members) { strings_.push_back('\0'); }

  /// The new id of a kernel's type: whatever stands for it in a structure. Pointers point to void.
  uint32_t copy(uint32_t id) {
    for (int hops = 0; hops < kMaxHops; hops++) {
      if (id == 0 || id >= kernel_.count()) return 0;
      const btf_type& type = kernel_.type(id);
      switch (BTF_INFO_KIND(type.info)) {
        case BTF_KIND_TYPEDEF:
        case BTF_KIND_VOLATILE:
        case BTF_KIND_CONST:
        case BTF_KIND_RESTRICT:
        case BTF_KIND_TYPE_TAG: id = type.type; continue;
        default: return copied(id, type);
      }
    }
    return 0;
  }

  std::vector<std::byte> finish() const {
    btf_header header{};
    header.magic = BTF_MAGIC;
    header.version = BTF_VERSION;
    header.hdr_len = sizeof(header);
    header.type_len = header.str_off = static_cast<uint32_t>(types_.size());
    header.str_len = static_cast<uint32_t>(strings_.size());
    std::vector<std::byte> blob(sizeof(header) + types_.size() + strings_.size());
    std::memcpy(blob.data(), &header, sizeof(header));
    std::memcpy(blob.data() + sizeof(header), types_.data(), types_.size());
    std::memcpy(blob.data() + sizeof(header) + types_.size(), strings_.data(), strings_.size());
    return blob;
  }

 private:
  static constexpr int kMaxHops = 32;                  // const volatile typedef … of a real kernel: a handful
  static constexpr uint32_t kCountOfMembers = 0xffff;  // for btf_type::info

  uint32_t copied(uint32_t id, const btf_type& type) {
    if (auto known = ids_.find(id); known != ids_.end()) return known->second;
    switch (BTF_INFO_KIND(type.info)) {
      case BTF_KIND_STRUCT:
      case BTF_KIND_UNION: return copy_structure(id, type);
      case BTF_KIND_ARRAY: return copy_array(id, type);
      case BTF_KIND_PTR: return ids_[id] = add(btf_type{0, BTF_KIND_PTR << 24, {0}}, {});
      case BTF_KIND_INT:
      case BTF_KIND_FLOAT:
      case BTF_KIND_ENUM:
      case kBtfKindEnum64: return ids_[id] = copy_leaf(type);
      default: return 0;
    }
  }

  uint32_t copy_leaf(const btf_type& type) {
    btf_type copy = type;
    copy.name_off = add_string(kernel_.name(type.name_off));
    auto* tail = reinterpret_cast<const std::byte*>(&type + 1);
    return add(copy, {tail, tail_bytes(type)});
  }

  /// The members come first: a structure can contain itself only through a pointer.
  uint32_t copy_structure(uint32_t id, const btf_type& type) {
    std::vector<btf_member> members;
    for (btf_member member : std::span(reinterpret_cast<const btf_member*>(&type + 1), BTF_INFO_VLEN(type.info))) {
      const char* name = kernel_.name(member.name_off);
      if (*name && !members_.has(name)) continue;
      member.type = copy(member.type);
      member.name_off = add_string(name);
      members.push_back(member);
    }
    btf_type copy = type;
    copy.name_off = add_string(kernel_.name(type.name_off));
    copy.info = (type.info & ~kCountOfMembers) | static_cast<uint32_t>(members.size());
    return ids_[id] = add(copy, std::as_bytes(std::span(members)));
  }

  uint32_t copy_array(uint32_t id, const btf_type& type) {
    btf_array array = *reinterpret_cast<const btf_array*>(&type + 1);
    array.type = copy(array.type);
    array.index_type = copy(array.index_type);
    return ids_[id] = add(type, std::as_bytes(std::span(&array, 1)));
  }

  uint32_t add(const btf_type& type, std::span<const std::byte> tail) {
    auto bytes = std::as_bytes(std::span(&type, 1));
    types_.insert(types_.end(), bytes.begin(), bytes.end());
    types_.insert(types_.end(), tail.begin(), tail.end());
    return ++last_id_;
  }

  uint32_t add_string(const char* text) {
    if (!*text) return 0;
    auto at = static_cast<uint32_t>(strings_.size());
    strings_.append(text).push_back('\0');
    return at;
  }

  const Blob& kernel_;
  const Names& members_;
  std::unordered_map<uint32_t, uint32_t> ids_;
  std::vector<std::byte> types_;
  std::string strings_;
  uint32_t last_id_ = 0;
};

/// A file's bytes, mapped where the kernel can (6.16), else read.
class Bytes {
 public:
  static Result<Bytes> of(const char* path) {
    int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (fd < 0 || ::fstat(fd, &status) != 0) {
      Error error{errno, "open", path, {}, {}};
      if (errno == ENOENT) error.why = "this kernel has no type information (CONFIG_DEBUG_INFO_BTF)";
      if (fd >= 0) ::close(fd);
      return fail(std::move(error));
    }
    Bytes bytes;
    size_t size = static_cast<size_t>(status.st_size);
    void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at != MAP_FAILED) bytes.mapped_ = {static_cast<const std::byte*>(at), size};
    else bytes.read_all(fd, size);
    ::close(fd);
    return bytes;
  }
  Bytes(Bytes&& other) noexcept : mapped_(other.mapped_), read_(std::move(other.read_)) { other.mapped_ = {}; }
  Bytes& operator=(Bytes&&) = delete;
  ~Bytes() {
    if (mapped_.data()) ::munmap(const_cast<std::byte*>(mapped_.data()), mapped_.size());
  }
  std::span<const std::byte> span() const { return mapped_.data() ? mapped_ : std::span<const std::byte>(read_); }

 private:
  Bytes() = default;
  void read_all(int fd, size_t size) {
    read_.resize(size);
    size_t done = 0;
    for (ssize_t got; done < size && (got = ::read(fd, read_.data() + done, size - done)) > 0;)
      done += static_cast<size_t>(got);
    read_.resize(done);
  }

  std::span<const std::byte> mapped_;
  std::vector<std::byte> read_;
};

}  // namespace

TypesWanted operator+(TypesWanted some, const TypesWanted& more) {
  for (auto names : {&TypesWanted::structs, &TypesWanted::members, &TypesWanted::hooks, &TypesWanted::functions})
    (some.*names).insert((some.*names).end(), (more.*names).begin(), (more.*names).end());
  return some;
}

Result<KernelTypes> pick_types(std::span<const std::byte> bytes, const TypesWanted& wanted) {
  Names structs(wanted.structs), members(wanted.members), hooks(wanted.hooks), functions(wanted.functions);
  Sought sought{};
  sought[BTF_KIND_STRUCT] = sought[BTF_KIND_UNION] = &structs;
  sought[BTF_KIND_TYPEDEF] = &hooks;
  if (!functions.empty()) sought[BTF_KIND_FUNC] = &functions;
  std::optional<Blob> kernel = Blob::over(bytes, sought);
  if (!kernel) return fail({EINVAL, "read the kernel's types", kPath, "malformed BTF", {}});
  KernelTypes picked;
  Extract extract(*kernel, members);
  for (auto [id, type] : kernel->likely()) {
    uint32_t kind = BTF_INFO_KIND(type->info);
    const char* name = kernel->name(type->name_off);
    if (!sought[kind]->has(name)) continue;
    if (is_structure(kind)) extract.copy(id), picked.structs.emplace(name, id);
    else picked.hooks.emplace(name, id);
  }
  picked.btf = extract.finish();
  return picked;
}

Result<KernelTypes> running_kernel_types(const TypesWanted& wanted) {
  Bytes bytes = TRY(Bytes::of(kPath));
  return pick_types(bytes.span(), wanted);
}

}  // namespace strut
