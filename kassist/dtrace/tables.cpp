#include "kassist/dtrace/tables.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include <bpf/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kassist/loader/object_types.hpp"
#include "x86/repeated.hpp"

namespace strut {
namespace {

constexpr uint32_t kInnerMap = 1u << 12;  ///< BPF_F_INNER_MAP

size_t in_pages(size_t bytes) {
  auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

Error too_many(const char* what, uint64_t most) {
  return {0,
          "make probes known to the kernel",
          {},
          "more than " + std::to_string(most) + ' ' + what,
          "--backend=ptrace has no such limit"};
}

}  // namespace

// -- arrays -----------------------------------------------------------------------------------------------

/// Elements of an array map lie at multiples of 8 bytes: rows of another size would be written beside their places.
static_assert(sizeof(d_probe) % 8 == 0 && sizeof(d_firing) % 8 == 0 && sizeof(d_operand) % 8 == 0);

Result<MappedArray> MappedArray::create(const char* name, uint32_t element_bytes, uint32_t count, uint32_t flags) {
  bpf_map_create_opts options{};
  options.sz = sizeof options;
  options.map_flags = BPF_F_MMAPABLE | flags;
  OwnedFd fd(bpf_map_create(BPF_MAP_TYPE_ARRAY, name, 4, element_bytes, count, &options));
  if (!fd) return fail(refused("bpf(BPF_MAP_CREATE)", -fd.number()));
  MappedArray array = TRY(map(fd.number(), size_t{element_bytes} * count));
  array.fd_ = std::move(fd);
  return array;
}

Result<MappedArray> MappedArray::map(int descriptor, size_t bytes) {
  MappedArray array;
  void* at = ::mmap(nullptr, in_pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED) return fail(refused("mmap(BPF map)", errno));
  array.at_ = at;
  array.bytes_ = bytes;
  return array;
}

MappedArray::MappedArray(MappedArray&& other) noexcept
    : fd_(std::move(other.fd_)), at_(std::exchange(other.at_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
MappedArray& MappedArray::operator=(MappedArray&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(at_, other.at_);
  std::swap(bytes_, other.bytes_);
  return *this;
}
MappedArray::~MappedArray() {
  if (at_) ::munmap(at_, in_pages(bytes_));
}

// -- tables -----------------------------------------------------------------------------------------------

Result<DTables> DTables::create(const DLibrary& library, bool names) {
  DTables tables;
  tables.library_ = &library;
  tables.wants_names_ = names;
  tables.probes_.first = TRY(MappedArray::map(library.map("first_probes"), D_FIRST_PROBES * sizeof(d_probe)));
  tables.first_names_ = TRY(MappedArray::map(library.map("first_names"), D_FIRST_NAMES));
  tables.first_sites_ = TRY(MappedArray::map(library.map("first_sites"), D_FIRST_SITES * sizeof(d_firing)));
  tables.operands_.first = TRY(MappedArray::map(library.map("first_operands"), D_FIRST_OPERANDS * sizeof(d_operand)));
  tables.events_ = TRY(MappedArray::map(library.map("events"), D_EVENTS * sizeof(uint64_t)));
  return tables;
}

Result<void> DTables::put(const char* outer, uint32_t index, const MappedArray& inner) const {
  int fd = inner.number();
  if (int error = bpf_map_update_elem(library_->map(outer), &index, &fd, BPF_ANY))
    return fail(refused("bpf(BPF_MAP_UPDATE_ELEM)", -error));
  return {};
}

Result<char*> DTables::name_room(size_t bytes) {
  size_t most = name_chunks_.empty() ? D_FIRST_NAMES : D_NAMES_EACH;
  if (name_used_ % D_PAGE + bytes > D_PAGE) name_used_ = (name_used_ + D_PAGE - 1) / D_PAGE * D_PAGE;
  if (name_used_ + bytes > most) {
    if (name_chunks_.size() + 1 == D_NAME_CHUNKS)
      return fail(too_many("bytes of probes' names", uint64_t{D_NAME_CHUNKS} * D_NAMES_EACH));
    name_chunks_.push_back(TRY(MappedArray::create("names", D_PAGE, D_NAMES_EACH / D_PAGE, kInnerMap)));
    name_used_ = 0;
    TRY_VOID(put("names", static_cast<uint32_t>(name_chunks_.size()), name_chunks_.back()));
  }
  return (name_chunks_.empty() ? first_names_ : name_chunks_.back()).as<char>().data() + name_used_;
}

Result<uint32_t> DTables::name(std::string_view text) {
  if (text.size() >= D_TEXT_MOST) text = text.substr(0, D_TEXT_MOST - 1);
  auto [at, is_new] = names_.try_emplace(std::string(text), 0);
  if (!is_new) return at->second;
  char* to = TRY(name_room(text.size() + 1));
  std::memcpy(to, text.data(), text.size());
  at->second = static_cast<uint32_t>(name_chunks_.size() * D_NAMES_EACH + name_used_);
  name_used_ += text.size() + 1;
  return at->second;
}

template <typename Row>
Result<Row*> DTables::row_at(Rows& rows, uint32_t place) {
  if (place < rows.in_first) return &rows.first.as<Row>()[place];
  uint32_t chunk = (place - rows.in_first) / rows.in_each, index = (place - rows.in_first) % rows.in_each;
  if (chunk == rows.chunks.size()) {
    if (chunk == rows.most_chunks) return fail(too_many(rows.meaning, uint64_t{rows.most_chunks} * rows.in_each));
    MappedArray made = TRY(MappedArray::create(rows.map, sizeof(Row), rows.in_each, kInnerMap));
    TRY_VOID(put(rows.map, chunk, made));
    rows.chunks.push_back(std::move(made));
  }
  return &rows.chunks[chunk].template as<Row>()[index];
}

/// The place of the first; sites with the same ones share them.
Result<uint32_t> DTables::add_operands(const std::vector<SiteOperand>& operands) {
  static constexpr uint8_t kPlaces[] = {D_UNKNOWN, D_CONSTANT, D_REGISTER, D_MEMORY, D_OUTCOME};
  if (auto known = operand_places_.find(operands); known != operand_places_.end()) return known->second;
  uint32_t place = operand_count_;
  for (const SiteOperand& one : operands)
    *TRY(row_at<d_operand>(operands_, place++)) = {.displacement = one.displacement,
                                                   .place = kPlaces[static_cast<size_t>(one.place)],
                                                   .bytes = one.bytes,
                                                   .is_signed = one.is_signed,
                                                   .skip = one.skip,
                                                   .base = one.base,
                                                   .index = one.index,
                                                   .scale = one.scale,
                                                   .condition = one.condition};
  operand_places_.emplace(operands, operand_count_);
  return std::exchange(operand_count_, place);
}

static_assert(+D_TURN_BYTES == +kRepeatedBytes && +D_TURNS_SCAN == +kRepeatedScan &&
              +D_TURNS_COMPARE == +kRepeatedCompare && +D_TURNS_TO_EQUAL == +kRepeatedToEqual &&
              +D_TURNS == +kRepeated);

Result<d_firing> DTables::row_of(const DFiring& firing, const DCode& code) {
  static constexpr uint8_t kKinds[] = {D_ENTRY, D_RETURN, D_OFFSET, D_OPERANDS};
  d_firing row{.probe = firing.probe,
               .offset = firing.offset,
               .kind = kKinds[static_cast<size_t>(firing.kind)],
               .condition = firing.condition,
               .more = 0,
               .hook = 0,
               .pid = code.pid ? static_cast<uint32_t>(raw(*code.pid)) : 0,
               .variables = 0,
               .unused = 0};
  if (firing.variables != DFiring::kNoVariables) row.variables = TRY(add_operands(code.operands[firing.variables]));
  if (firing.kind != DFiring::Kind::Operands) return row;
  const auto& operands = code.operands[firing.offset];
  row.offset = TRY(add_operands(operands));
  row.hook = static_cast<uint8_t>(std::min<size_t>(operands.size(), D_ARGUMENTS));
  return row;
}

Result<void> DTables::add_probe(const DProbe& probe) {
  d_probe& row = *TRY(row_at<d_probe>(probes_, probe_count_));
  for (uint32_t clause : probe.clauses) row.clauses[clause / 64] |= uint64_t{1} << clause % 64;
  row.id = probe.id;
  row.first_epid = next_epid_;
  next_epid_ += static_cast<uint32_t>(probe.clauses.size());
  if (wants_names_) {
    const std::string_view parts[] = {probe.provider, probe.module, probe.function, probe.name};
    for (size_t i = 0; i < std::size(parts); i++) row.names[i] = TRY(name(parts[i]));
  }
  probe_count_++;
  return {};
}

Result<uint64_t> DTables::add_group(std::span<const d_firing> firings) {
  if (firings.size() <= D_FIRST_SITES - sites_used_) {
    std::ranges::copy(firings, first_sites_.as<d_firing>().begin() + static_cast<ptrdiff_t>(sites_used_));
    size_t first = sites_used_;
    sites_used_ += firings.size();
    return first;
  }
  if (groups_ == D_GROUPS) return fail(too_many("groups of probes", D_GROUPS));
  MappedArray group =
      TRY(MappedArray::create("sites", sizeof(d_firing), static_cast<uint32_t>(firings.size()), kInnerMap));
  std::ranges::copy(firings, group.as<d_firing>().begin());
  TRY_VOID(put("sites", groups_, group));
  return uint64_t{groups_++} << 32;
}

Result<std::vector<uint64_t>> DTables::add_sites(const DCode& code) {
  std::vector<d_firing> firings;
  std::vector<uint64_t> cookies;
  for (const DSite& site : code.sites) {
    cookies.push_back(firings.size());
    for (uint32_t i = 0; i < site.count; i++) {
      firings.push_back(TRY(row_of(code.firings[site.first + i], code)));
      firings.back().more = i + 1 < site.count;
    }
  }
  if (firings.empty()) return cookies;
  uint64_t group = TRY(add_group(firings));
  for (uint64_t& cookie : cookies) cookie += group;
  return cookies;
}

Result<void> DTables::set_events(const std::map<uint32_t, std::vector<d_firing>>& events) {
  std::vector<d_firing> all;
  std::vector<std::pair<uint32_t, uint64_t>> firsts;
  for (const auto& [place, firings] : events) {
    firsts.emplace_back(place, all.size());
    for (size_t i = 0; i < firings.size(); i++) {
      all.push_back(firings[i]);
      all.back().more = i + 1 < firings.size();
    }
  }
  if (all.empty()) return {};
  uint64_t group = TRY(add_group(all));
  for (const auto& [place, first] : firsts) std::atomic_ref(events_.as<uint64_t>()[place]).store(group + first);
  return {};
}

}  // namespace strut
