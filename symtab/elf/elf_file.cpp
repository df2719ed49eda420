#include "symtab/elf/elf_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symtab/elf/byte_reader.hpp"
#include "symtab/elf/made_sections.hpp"
#include "symtab/elf/unpacked.hpp"

namespace strut {

namespace {

Error not_elf(std::string name, std::string why) { return {ENOEXEC, "read", std::move(name), std::move(why), {}}; }

bool within(uint64_t offset, uint64_t bytes, uint64_t whole) { return offset <= whole && bytes <= whole - offset; }

/// A mapping of a file, or bytes of one's own.
class Image {
 public:
  Image() = default;
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  ~Image() {
    if (mapped_) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }

  /// errno; 0: it is mapped.
  int map(const std::string& path) {
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return errno;
    int error = map(fd);
    ::close(fd);
    return error;
  }
  void keep(std::vector<std::byte> bytes) {
    own_ = std::move(bytes);
    bytes_ = own_;
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  int map(int fd) {
    struct stat status{};
    if (::fstat(fd, &status) != 0) return errno;
    if (S_ISDIR(status.st_mode)) return EISDIR;
    if (!S_ISREG(status.st_mode) || status.st_size == 0) return 0;  // no bytes: no ELF file
    size_t size = static_cast<size_t>(status.st_size);
    // Private and writable: libelf may convert in place. Nothing is copied before that.
    void* at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED) return errno;
    bytes_ = {static_cast<const std::byte*>(at), size};
    mapped_ = true;
    return 0;
  }

  std::span<const std::byte> bytes_;
  std::vector<std::byte> own_;
  bool mapped_ = false;
};

}  // namespace

struct ElfFile::State {
  std::string name;
  Image image;
  Elf* elf = nullptr;
  GElf_Ehdr header{};
  std::vector<Segment> segments;
  std::optional<Segment> dynamic, frame_header;
  std::vector<std::pair<uint64_t, uint64_t>> note_segments;  ///< offset, bytes
  std::vector<Section> sections;
  std::unordered_map<uint32_t, Unpacked> decompressed;  ///< by a section's index
  std::vector<std::string> damage;

  ~State() {
    if (elf) ::elf_end(elf);
  }

  void read_segments() {
    size_t count = 0;
    uint64_t file_bytes = image.bytes().size();
    bool counted = ::elf_getphdrnum(elf, &count) == 0;
    if (!counted || !within(header.e_phoff, count * header.e_phentsize, file_bytes))
      damage.push_back("its program headers reach beyond its end");
    for (size_t i = 0; counted && i < count; i++) {
      GElf_Phdr header;
      if (!::gelf_getphdr(elf, static_cast<int>(i), &header)) return;
      if (header.p_type == PT_LOAD && !within(header.p_offset, header.p_filesz, file_bytes))
        damage.push_back("segment " + std::to_string(i) + " reaches beyond its end");
      if (header.p_type == PT_DYNAMIC && within(header.p_offset, header.p_filesz, file_bytes))
        dynamic = {header.p_vaddr, header.p_memsz, header.p_offset, header.p_filesz, false, true};
      if (header.p_type == PT_GNU_EH_FRAME && within(header.p_offset, header.p_filesz, file_bytes))
        frame_header = {header.p_vaddr, header.p_memsz, header.p_offset, header.p_filesz, false, false};
      if (header.p_type == PT_NOTE && within(header.p_offset, header.p_filesz, image.bytes().size()))
        note_segments.push_back({header.p_offset, header.p_filesz});
      if (header.p_type == PT_LOAD)
        segments.push_back({header.p_vaddr, header.p_memsz, header.p_offset, header.p_filesz,
                            (header.p_flags & PF_X) != 0, (header.p_flags & PF_W) != 0});
    }
  }

  void read_sections() {
    size_t names = 0, count = 0;
    bool named = ::elf_getshdrstrndx(elf, &names) == 0;
    if (header.e_shoff != 0 && (::elf_getshdrnum(elf, &count) != 0 || count == 0))
      damage.push_back("its section headers lie beyond its end");
    for (Elf_Scn* scn = nullptr; (scn = ::elf_nextscn(elf, scn));) {
      GElf_Shdr header;
      if (!::gelf_getshdr(scn, &header)) continue;
      const char* text = named ? ::elf_strptr(elf, names, header.sh_name) : nullptr;
      std::string_view name = text ? text : "";
      if (header.sh_type != SHT_NOBITS && !within(header.sh_offset, header.sh_size, image.bytes().size())) {
        damage.push_back("section " + called(name, ::elf_ndxscn(scn)) + " reaches beyond its end");
        continue;
      }
      sections.push_back({name, static_cast<uint32_t>(::elf_ndxscn(scn)), header.sh_type, header.sh_flags,
                          header.sh_addr, header.sh_offset, header.sh_size, header.sh_entsize, header.sh_link});
    }
    for (const Section& section : sections) check(section);
  }

  static std::string called(std::string_view name, size_t index) {
    return name.empty() ? std::to_string(index) : std::string(name);
  }

  /// Tables of symbols need names, and whole entries.
  void check(const Section& section) {
    if (section.type != SHT_SYMTAB && section.type != SHT_DYNSYM) return;
    uint64_t entry = header.e_ident[EI_CLASS] == ELFCLASS64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    auto strings = std::ranges::find(sections, section.link, &Section::index);
    std::string which = "section " + called(section.name, section.index);
    if (section.entry_bytes != entry || section.bytes % entry != 0)
      damage.push_back(which + " has entries of another size than symbols");
    if (strings == sections.end() || strings->type != SHT_STRTAB) damage.push_back(which + " has no section of names");
  }

  std::span<const std::byte> decompress(const Section& section) {
    auto [slot, is_new] = decompressed.try_emplace(section.index);
    if (!is_new) return slot->second.bytes();
    std::span<const std::byte> packed = image.bytes().subspan(section.offset, section.bytes);
    auto header = compression_of(section, packed);
    if (!header || !slot->second.unpack(header->method, packed.subspan(header->bytes), header->unpacked))
      damage.push_back("section " + std::string(section.name) + " cannot be decompressed");
    return slot->second.bytes();
  }

  /// The header of compressed bytes: that of the ELF standard (elf(5), SHF_COMPRESSED), or GNU's older "ZLIB" and eight
  /// bytes, the highest first.
  struct Compression {
    size_t bytes;
    uint64_t unpacked;
    Unpacked::Method method;
  };
  std::optional<Compression> compression_of(const Section& section, std::span<const std::byte> packed) const {
    ByteReader reader(packed);
    if (!(section.flags & SHF_COMPRESSED)) {
      reader.skip(4);
      uint64_t unpacked = __builtin_bswap64(reader.take<uint64_t>());
      return reader.ok() ? std::optional(Compression{reader.at(), unpacked, Unpacked::Method::Zlib}) : std::nullopt;
    }
    bool is_64 = header.e_ident[EI_CLASS] == ELFCLASS64;
    uint64_t type = reader.take<uint32_t>();
    if (is_64) reader.skip(4);
    uint64_t unpacked = reader.take_number(is_64 ? 8 : 4);
    reader.skip(is_64 ? 8 : 4);    // alignment
    constexpr uint32_t kZstd = 2;  // ELFCOMPRESS_ZSTD: headers before glibc 2.36 do not have it
    if (!reader.ok() || (type != ELFCOMPRESS_ZLIB && type != kZstd)) return std::nullopt;
    return Compression{reader.at(), unpacked, type == kZstd ? Unpacked::Method::Zstd : Unpacked::Method::Zlib};
  }
};

ElfFile::ElfFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
ElfFile::ElfFile(ElfFile&&) noexcept = default;
ElfFile& ElfFile::operator=(ElfFile&&) noexcept = default;
ElfFile::~ElfFile() = default;

Result<ElfFile> ElfFile::open(const std::string& path) {
  auto state = std::make_unique<State>();
  state->name = path;
  if (int error = state->image.map(path)) return fail({error, "open", path, {}, {}});
  return begin(std::move(state));
}

Result<ElfFile> ElfFile::over(std::vector<std::byte> bytes, std::string name) {
  auto state = std::make_unique<State>();
  state->name = std::move(name);
  state->image.keep(std::move(bytes));
  return begin(std::move(state));
}

Result<ElfFile> ElfFile::begin(std::unique_ptr<State> state) {
  static const bool ready = ::elf_version(EV_CURRENT) != EV_NONE;
  std::span<const std::byte> bytes = state->image.bytes();
  if (!ready || bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
    return fail(not_elf(state->name, "not an ELF file"));
  errno = 0;  // libelf does not say why; malloc(3) does
  state->elf = ::elf_memory(const_cast<char*>(reinterpret_cast<const char*>(bytes.data())), bytes.size());
  if (!state->elf && errno == ENOMEM) return fail({ENOMEM, "read", state->name, {}, {}});
  if (!state->elf || ::elf_kind(state->elf) != ELF_K_ELF || !::gelf_getehdr(state->elf, &state->header))
    return fail(not_elf(state->name, "its ELF header is cut or malformed"));
  state->read_segments();
  state->read_sections();
  ElfFile file(std::move(state));
  if (file.state_->sections.empty()) file.state_->sections = made_sections(file, file.state_->frame_header);
  return file;
}

const std::string& ElfFile::name() const { return state_->name; }
bool ElfFile::is_64() const { return state_->header.e_ident[EI_CLASS] == ELFCLASS64; }
uint16_t ElfFile::machine() const { return state_->header.e_machine; }
uint16_t ElfFile::type() const { return state_->header.e_type; }
uint64_t ElfFile::entry() const { return state_->header.e_entry; }
std::span<const std::byte> ElfFile::bytes() const { return state_->image.bytes(); }
std::span<const Segment> ElfFile::segments() const { return state_->segments; }
const std::optional<Segment>& ElfFile::frame_header() const { return state_->frame_header; }
const std::optional<Segment>& ElfFile::dynamic() const { return state_->dynamic; }
std::span<const Section> ElfFile::sections() const { return state_->sections; }
std::span<const std::string> ElfFile::damage() const { return state_->damage; }

const Section* ElfFile::section(std::string_view name) const {
  auto found = std::ranges::find(state_->sections, name, &Section::name);
  return found == state_->sections.end() ? nullptr : &*found;
}

const Section* ElfFile::section(uint32_t index) const {
  auto found = std::ranges::find(state_->sections, index, &Section::index);
  return found == state_->sections.end() ? nullptr : &*found;
}

std::span<const std::byte> ElfFile::contents(const Section& section) const {
  if (section.type == SHT_NOBITS) return {};
  if (section.flags & SHF_COMPRESSED || section.name.starts_with(".zdebug_")) return state_->decompress(section);
  return bytes().subspan(section.offset, section.bytes);
}

std::span<const std::byte> ElfFile::at_address(uint64_t address) const {
  for (const Segment& segment : state_->segments) {
    if (address < segment.address || address - segment.address >= segment.file_bytes) continue;
    uint64_t skip = address - segment.address;
    if (!within(segment.offset, segment.file_bytes, bytes().size())) return {};
    return bytes().subspan(segment.offset + skip, segment.file_bytes - skip);
  }
  return {};
}

std::optional<uint64_t> ElfFile::address_of_offset(uint64_t offset) const {
  for (const Segment& segment : state_->segments)
    if (offset >= segment.offset && offset - segment.offset < segment.file_bytes)
      return segment.address + (offset - segment.offset);
  return std::nullopt;
}

std::optional<uint64_t> ElfFile::offset_of_address(uint64_t address) const {
  for (const Segment& segment : state_->segments)
    if (address >= segment.address && address - segment.address < segment.file_bytes)
      return segment.offset + (address - segment.address);
  return std::nullopt;
}

namespace {

/// Notes are words of four bytes, aligned to four, in every file that Linux makes.
void parse_notes(std::span<const std::byte> bytes, std::vector<Note>& notes) {
  auto padded = [](uint64_t count) { return (count + 3) & ~uint64_t{3}; };
  while (bytes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    uint64_t owner_at = sizeof(header), content_at = owner_at + padded(header.n_namesz);
    if (content_at > bytes.size() || header.n_descsz > bytes.size() - content_at) return;
    std::string_view owner(reinterpret_cast<const char*>(bytes.data() + owner_at), header.n_namesz);
    while (owner.ends_with('\0')) owner.remove_suffix(1);
    notes.push_back({owner, header.n_type, bytes.subspan(content_at, header.n_descsz)});
    bytes = bytes.subspan(std::min<uint64_t>(bytes.size(), content_at + padded(header.n_descsz)));
  }
}

}  // namespace

std::vector<Note> ElfFile::notes() const {
  std::vector<Note> notes;
  for (auto [offset, count] : state_->note_segments) parse_notes(bytes().subspan(offset, count), notes);
  if (!state_->note_segments.empty()) return notes;
  for (const Section& section : state_->sections)
    if (section.type == SHT_NOTE) parse_notes(contents(section), notes);
  return notes;
}

std::vector<Note> ElfFile::notes_of(const Section& section) const {
  std::vector<Note> notes;
  parse_notes(contents(section), notes);
  return notes;
}

std::string hexadecimal(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::byte byte : bytes) {
    text += kDigits[static_cast<unsigned>(byte) >> 4];
    text += kDigits[static_cast<unsigned>(byte) & 15];
  }
  return text;
}

std::string ElfFile::build_id() const {
  for (const Note& note : notes())
    if (note.owner == "GNU" && note.type == NT_GNU_BUILD_ID) return hexadecimal(note.content);
  return {};
}

std::string_view ElfFile::string(const Section& strings, uint64_t offset) const {
  std::span<const std::byte> all = contents(strings);
  if (offset >= all.size()) return {};
  auto* text = reinterpret_cast<const char*>(all.data() + offset);
  return {text, strnlen(text, all.size() - offset)};
}

}  // namespace strut
