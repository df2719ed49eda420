#include "kassist/kernel_types.hpp"

#include <array>
#include <bitset>
#include <cerrno>
#include <cstring>
#include <optional>
#include <unordered_set>

#include <fcntl.h>
#include <linux/btf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace strut {

namespace {

constexpr const char* kPath = "/sys/kernel/btf/vmlinux";
constexpr uint32_t kTag64 = 19;  // BTF_KIND_ENUM64 of Linux 6.0; BTF_KIND_DECL_TAG and TYPE_TAG are 17 and 18

/// Bytes that follow a type's header.
struct Tail {
  bool known;  ///< a kind of <linux/btf.h>
  uint8_t fixed, each;
};

constexpr std::array<Tail, 32> kTails = [] {
  std::array<Tail, 32> tails{};
  for (uint32_t kind : {BTF_KIND_INT, BTF_KIND_VAR, BTF_KIND_DECL_TAG}) tails[kind] = {true, 4, 0};
  for (uint32_t kind : {BTF_KIND_PTR, BTF_KIND_FWD, BTF_KIND_TYPEDEF, BTF_KIND_VOLATILE, BTF_KIND_CONST, BTF_KIND_RESTRICT,
                        BTF_KIND_FUNC, BTF_KIND_FLOAT, BTF_KIND_TYPE_TAG})
    tails[kind] = {true, 0, 0};
  tails[BTF_KIND_ARRAY] = {true, sizeof(btf_array), 0};
  tails[BTF_KIND_STRUCT] = tails[BTF_KIND_UNION] = {true, 0, sizeof(btf_member)};
  tails[BTF_KIND_ENUM] = {true, 0, sizeof(btf_enum)};
  tails[BTF_KIND_FUNC_PROTO] = {true, 0, sizeof(btf_param)};
  tails[BTF_KIND_DATASEC] = {true, 0, sizeof(btf_var_secinfo)};
  tails[kTag64] = {true, 0, 12};
  return tails;
}();

size_t tail_bytes(const btf_type& type) {
  Tail tail = kTails[BTF_INFO_KIND(type.info)];
  return tail.fixed + size_t{tail.each} * BTF_INFO_VLEN(type.info);
}

/// A whole BTF blob, its types by id.
class Blob {
 public:
  /// `visit(id, type)` sees all types in their order. nullopt: it is malformed.
  template <typename Visit>
  static std::optional<Blob> over(std::span<const std::byte> bytes, const Visit& visit) {
    Blob blob;
    if (bytes.size() < sizeof(btf_header)) return std::nullopt;
    auto* header = reinterpret_cast<const btf_header*>(bytes.data());
    if (header->magic != BTF_MAGIC || header->hdr_len > bytes.size()) return std::nullopt;
    auto body = bytes.subspan(header->hdr_len);
    if (uint64_t{header->type_off} + header->type_len > body.size()) return std::nullopt;
    if (uint64_t{header->str_off} + header->str_len > body.size() || header->str_len == 0) return std::nullopt;
    blob.types_ = body.subspan(header->type_off, header->type_len);
    blob.strings_ = body.subspan(header->str_off, header->str_len);
    if (blob.strings_.back() != std::byte{0} || !blob.index(visit)) return std::nullopt;
    return blob;
  }

  uint32_t count() const { return count_; }
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

  template <typename Visit>
  bool index(const Visit& visit) {
    offsets_.reserve(types_.size() / 24 / kStride);
    for (size_t offset = 0; offset + sizeof(btf_type) <= types_.size(); count_++) {
      const btf_type& type = *at(offset);
      size_t tail = tail_bytes(type);
      if (!kTails[BTF_INFO_KIND(type.info)].known || tail > types_.size() - offset - sizeof(btf_type)) return false;
      if ((count_ - 1) % kStride == 0) offsets_.push_back(static_cast<uint32_t>(offset));
      visit(*this, count_, type);
      offset += sizeof(btf_type) + tail;
    }
    return true;
  }

  std::span<const std::byte> types_, strings_;
  std::vector<uint32_t> offsets_;  ///< of types 1, 1 + kStride …
  uint32_t count_ = 1;             ///< id 0 is void
};

/// Writes a BTF blob type by type.
class Extract {
 public:
  explicit Extract(const Blob& kernel) : kernel_(kernel) { strings_.push_back('\0'); }

  /// The new id of a kernel's type: whatever stands for it in a structure. Pointers point to void.
  uint32_t copy(uint32_t id) {
    for (int hops = 0; hops < kMostHops; hops++) {
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
  static constexpr int kMostHops = 32;  // const volatile typedef … of a real kernel: a handful

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
      case kTag64: return ids_[id] = copy_leaf(type);
      default: return 0;
    }
  }

  uint32_t copy_leaf(const btf_type& type) {
    btf_type copy = type;
    copy.name_off = add_string(kernel_.name(type.name_off));
    auto* tail = reinterpret_cast<const std::byte*>(&type + 1);
    return add(copy, {tail, tail_bytes(type)});
  }

  /// Its members come first: a structure cannot contain itself but behind a pointer.
  uint32_t copy_structure(uint32_t id, const btf_type& type) {
    uint32_t count = BTF_INFO_VLEN(type.info);
    auto* first = reinterpret_cast<const btf_member*>(&type + 1);
    std::vector<btf_member> members(first, first + count);
    for (btf_member& member : members) {
      member.type = copy(member.type);
      member.name_off = add_string(kernel_.name(member.name_off));
    }
    btf_type copy = type;
    copy.name_off = add_string(kernel_.name(type.name_off));
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
    struct stat status {};
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
    for (ssize_t got; done < size && (got = ::read(fd, read_.data() + done, size - done)) > 0;) done += static_cast<size_t>(got);
    read_.resize(done);
  }

  std::span<const std::byte> mapped_;
  std::vector<std::byte> read_;
};

/// Names that are looked for among very many: most are told apart by their first letters.
class Names {
 public:
  explicit Names(const std::vector<std::string>& names) : names_(names.begin(), names.end()) {
    for (const std::string& name : names) filter_.set(place(name.c_str()));
  }
  bool has(const char* name) const { return !names_.empty() && filter_.test(place(name)) && names_.contains(name); }

 private:
  static constexpr size_t kPlaces = 4096;
  static size_t place(const char* name) {
    size_t place = 0;
    for (int i = 0; i < 4 && name[i]; i++) place = place * 37 + static_cast<unsigned char>(name[i]);
    return place % kPlaces;
  }

  std::unordered_set<std::string_view> names_;
  std::bitset<kPlaces> filter_;
};

bool is_structure(uint32_t kind) { return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION; }

}  // namespace

Result<KernelTypes> pick_types(std::span<const std::byte> bytes, const TypesWanted& wanted) {
  Names structs(wanted.structs), hooks(wanted.hooks), functions(wanted.functions);
  KernelTypes picked;
  std::vector<uint32_t> found;
  std::optional<Blob> kernel = Blob::over(bytes, [&](const Blob& blob, uint32_t id, const btf_type& type) {
    uint32_t kind = BTF_INFO_KIND(type.info);
    if (is_structure(kind) && structs.has(blob.name(type.name_off))) found.push_back(id);
    const Names* ids = kind == BTF_KIND_TYPEDEF ? &hooks : kind == BTF_KIND_FUNC ? &functions : nullptr;
    if (ids && ids->has(blob.name(type.name_off))) picked.hooks.emplace(blob.name(type.name_off), id);
  });
  if (!kernel) return fail({EINVAL, "read the kernel's types", kPath, "malformed BTF", {}});
  Extract extract(*kernel);
  for (uint32_t id : found) extract.copy(id);
  picked.btf = extract.finish();
  return picked;
}

Result<KernelTypes> running_kernel_types(const TypesWanted& wanted) {
  Bytes bytes = TRY(Bytes::of(kPath));
  return pick_types(bytes.span(), wanted);
}

}  // namespace strut
