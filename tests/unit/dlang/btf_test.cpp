// Structures of a kernel: BTF files made by hand.
#include "d_scene.hpp"
#include "dlang/language/btf_types.hpp"

namespace strut::test {
namespace {

/// Writes records of <linux/btf.h>.
class BtfFile {
 public:
  uint32_t name(const std::string& text) {
    if (text.empty()) return 0;
    auto at = static_cast<uint32_t>(names_.size());
    names_ += text + '\0';
    return at;
  }
  /// Its id.
  uint32_t add(uint32_t kind, const std::string& text, uint32_t size_or_type, std::vector<uint32_t> more = {},
               uint32_t count = 0, bool flag = false) {
    for (uint32_t word : {name(text), kind << 24 | count | (flag ? 1u << 31 : 0), size_or_type}) types_.push_back(word);
    types_.insert(types_.end(), more.begin(), more.end());
    return ++last_;
  }
  std::vector<std::byte> bytes() const {
    auto size = static_cast<uint32_t>(types_.size() * 4);
    std::vector<uint32_t> words = {0x1eb9f, 24, 0, size, size, static_cast<uint32_t>(names_.size())};
    words.insert(words.end(), types_.begin(), types_.end());
    auto first = std::as_bytes(std::span(words)), second = std::as_bytes(std::span(names_));
    std::vector<std::byte> all(first.begin(), first.end());
    all.insert(all.end(), second.begin(), second.end());
    return all;
  }

 private:
  std::vector<uint32_t> types_;
  std::string names_ = std::string(1, '\0');
  uint32_t last_ = 0;
};

constexpr uint32_t kInt = 1, kPointer = 2, kArray = 3, kStruct = 4, kUnion = 5, kTypedef = 8, kSigned = 1 << 24;

/// struct inner { int a; }; struct node { number n; struct node *next; char name[4]; union { int x; }; int low:3,
/// high:5; } with a hole in front of `name`.
std::vector<std::byte> node_file() {
  BtfFile file;
  uint32_t number = file.add(kInt, "int", 4, {kSigned | 32});
  uint32_t letter = file.add(kInt, "char", 1, {kSigned | 8});
  uint32_t alias = file.add(kTypedef, "number", number);
  uint32_t letters = file.add(kArray, "", 0, {letter, number, 4});
  uint32_t either = file.add(kUnion, "", 4, {file.name("x"), number, 0}, 1);
  uint32_t node = 7;
  uint32_t next = file.add(kPointer, "", node);
  file.add(kStruct, "node", 40,
           {file.name("n"), alias, 0, file.name("next"), next, 64, file.name("name"), letters, 192, 0, either, 224,
            file.name("low"), number, 3 << 24 | 256, file.name("high"), number, 5 << 24 | 259},
           6, true);
  return file.bytes();
}

std::expected<DProgram, Diagnostic> compiled_with(const std::vector<std::byte>& file, const std::string& text) {
  BtfTypes structures([&] { return file; });
  DSource source{text};
  return compile_d({.sources = {&source, 1}, .structures = &structures});
}

TEST_CASE("d kernel structures: members are where the kernel has them") {
  std::vector<std::byte> file = node_file();
  auto program =
      compiled_with(file,
                    "BEGIN { this->p = (struct node *)alloca(sizeof (struct node)); this->p->n = -3; "
                    "this->p->x = 7; this->p->low = 3; this->p->high = -1; this->p->name[0] = 'q'; "
                    "printf(\"%d %d %d %d %s %d %d %d\", this->p->n, this->p->x, this->p->low, this->p->high, "
                    "this->p->name, sizeof (struct node), offsetof(struct node, name), "
                    "this->p->next == NULL ? 0 : this->p->next->n); }");
  REQUIRE(program.has_value());
  DScene scene("BEGIN {}");
  scene.program = *std::move(program);
  scene.machine = std::make_unique<DMachine>(scene.program, scene.limits);
  CHECK(scene.fire() == "-3 7 3 -1 q 40 24 0");
}

TEST_CASE("d kernel structures: a program's own come first") {
  auto program = compiled_with(node_file(), "struct node { char c; }; BEGIN { x = 1 / (sizeof (struct node) - 40); }");
  CHECK(program.has_value());
  CHECK(!compiled_with(node_file(), "BEGIN { x = 1 / (sizeof (struct node) - 40); }").has_value());
  CHECK(!compiled_with(node_file(), "BEGIN { x = sizeof (struct other); }").has_value());
}

TEST_CASE("d kernel structures: none is within itself") {
  std::string holds_itself = "struct node { struct node n; }; BEGIN {}";
  auto refused = compiled_with(node_file(), holds_itself);
  REQUIRE(!refused.has_value());
  CHECK(refused.error().tag == DTag::DECL_INCOMPLETE);
  CHECK(!compiled_with({}, "struct x { struct x; int a; }; BEGIN {}").has_value());
  CHECK(!compiled_with({}, "struct in_addr { struct in_addr a; }; BEGIN {}").has_value());
  CHECK(!compiled_with({}, "struct x { struct x { int a; } b; }; BEGIN {}").has_value());
}

/// struct holder { struct leaf *at; }; struct leaf { int a; int b; };
std::vector<std::byte> holder_file() {
  BtfFile file;
  uint32_t number = file.add(kInt, "int", 4, {kSigned | 32});
  uint32_t at = file.add(kPointer, "", 4);
  file.add(kStruct, "holder", 8, {file.name("at"), at, 0}, 1);
  file.add(kStruct, "leaf", 8, {file.name("a"), number, 0, file.name("b"), number, 32}, 2);
  return file.bytes();
}

TEST_CASE("d kernel structures: one behind a pointer is whole wherever it is used") {
  for (std::string use : {"h->at->b", "(*h->at).b", "h->at[1].b", "sizeof (*h->at)", "h->at + 1", "h->at - h->at"}) {
    CAPTURE(use);
    CHECK(compiled_with(holder_file(), "struct holder *h; BEGIN { x = " + use + "; }").has_value());
  }
  CHECK(compiled_with(holder_file(), "struct holder *h; BEGIN { q = h->at; q++; print(*h->at); }").has_value());
}

/// struct outer { struct inner in; }; struct inner { int a; }; struct self { struct self; };
std::vector<std::byte> nested_file() {
  BtfFile file;
  uint32_t number = file.add(kInt, "int", 4, {kSigned | 32});
  file.add(kStruct, "outer", 4, {file.name("in"), 3, 0}, 1);
  file.add(kStruct, "inner", 4, {file.name("a"), number, 0}, 1);
  file.add(kStruct, "self", 4, {0, 4, 0}, 1);
  return file.bytes();
}

TEST_CASE("d kernel structures: a program's own does not become a member of the kernel's") {
  std::string uses = " BEGIN { p = (struct outer *)alloca(16); print(*p); x = p->y; }";
  auto error = [&](const std::string& text) { return compiled_with(nested_file(), text + uses).error().message; };
  std::string no_member = "y is not a member of struct outer";
  CHECK(error("struct inner { struct outer o; };") == no_member);
  CHECK(error("typedef struct outer known_t; struct inner { struct outer o; };") == no_member);
  CHECK(!compiled_with(nested_file(), "BEGIN { x = ((struct self *)0)->y; }").has_value());
}

TEST_CASE("d kernel structures: a damaged file has none, or what is left") {
  std::vector<std::byte> whole = node_file();
  for (size_t size = 0; size < whole.size(); size++) {
    std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    (void)compiled_with(cut,
                        "BEGIN { this->p = (struct node *)alloca(64); this->p->n = 1; x = this->p->next->name[0]; }");
  }
  for (size_t at = 0; at < whole.size(); at++) {
    std::vector<std::byte> changed = whole;
    changed[at] = std::byte{0xff};
    (void)compiled_with(changed,
                        "BEGIN { this->p = (struct node *)alloca(64); this->p->n = 1; x = this->p->name[0]; }");
  }
  CHECK(compiled_with({}, "BEGIN {}").has_value());
}

}  // namespace
}  // namespace strut::test
