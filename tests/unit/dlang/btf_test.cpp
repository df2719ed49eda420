// Structures of a kernel: BTF files made by hand.
#include "d_scene.hpp"
#include "dlang/language/btf_types.hpp"
#include "tests/unit/btf_file.hpp"

namespace strut::test {
namespace {

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

/// typedef number * chain_t; enum state { SLEEPS = 3, RUNS = -1 }; typedef void (*btf_trace_wakes)(void *, const char
/// *, enum state, struct node *, bool);
std::vector<std::byte> tracepoint_file() {
  BtfFile file;
  uint32_t number = file.add(kInt, "long unsigned int", 8, {64});
  uint32_t chain = file.add(kPointer, "", number);
  file.add(kTypedef, "chain_t", chain);
  uint32_t state = file.add(kEnum, "state", 4, {file.name("SLEEPS"), 3, file.name("RUNS"), 0xffffffff}, 2);
  uint32_t letter = file.add(kInt, "char", 1, {kSigned | 8});
  uint32_t fixed = file.add(kConst, "", letter);
  uint32_t text = file.add(kPointer, "", fixed);
  uint32_t node = file.add(kStruct, "node", 8, {file.name("a"), number, 0}, 1);
  uint32_t at_node = file.add(kPointer, "", node);
  uint32_t truth = file.add(kInt, "_Bool", 1, {kTruth | 8});
  uint32_t anything = file.add(kPointer, "", 0);
  uint32_t wakes = file.add(kPrototype, "", 0, {0, anything, 0, text, 0, state, 0, at_node, 0, truth}, 5);
  uint32_t at_wakes = file.add(kPointer, "", wakes);
  file.add(kTypedef, "btf_trace_wakes", at_wakes);
  file.add(kTypedef, "btf_trace_no_pointer", number);
  return file.bytes();
}

TEST_CASE("d kernel types: typedefs and enumerations have names") {
  std::vector<std::byte> file = tracepoint_file();
  auto program = compiled_with(file, "BEGIN { printf(\"%d %d\", sizeof (chain_t), sizeof (enum state)); }");
  REQUIRE(program.has_value());
  CHECK(compiled_with(file, "chain_t c; enum state s; BEGIN { c = (chain_t)alloca(8); *c = 3; s = 3; }").has_value());
  CHECK(!compiled_with(file, "BEGIN { trace(sizeof (other_t)); }").has_value());
  CHECK(!compiled_with(file, "enum other s; BEGIN {}").has_value());
}

/// typedef struct { number_t count; } counter_t; struct holder { counter_t held; enum state now; };
std::vector<std::byte> named_file() {
  BtfFile file;
  uint32_t number = file.add(kInt, "int", 4, {kSigned | 32});
  uint32_t alias = file.add(kTypedef, "number_t", number);
  uint32_t counter = file.add(kStruct, "", 4, {file.name("count"), alias, 0}, 1);
  uint32_t named = file.add(kTypedef, "counter_t", counter);
  uint32_t state = file.add(kEnum, "state", 4, {file.name("SLEEPS"), 3, file.name("RUNS"), 5}, 2);
  file.add(kStruct, "holder", 8, {file.name("held"), named, 0, file.name("now"), state, 32}, 2);
  return file.bytes();
}

TEST_CASE("d kernel types: members are printed by the names of their types") {
  auto program = compiled_with(named_file(),
                               "BEGIN { this->h = (struct holder *)alloca(8); this->h->held.count = 7; "
                               "this->h->now = 5; print(*this->h); }");
  REQUIRE(program.has_value());
  DScene scene("BEGIN {}");
  scene.program = *std::move(program);
  scene.machine = std::make_unique<DMachine>(scene.program, scene.limits);
  CHECK(scene.fire() ==
        "struct holder {\n    counter_t held = {\n        number_t count = 0x7\n    }\n    enum state now = RUNS\n}");
}

TEST_CASE("d kernel types: curthread points to a structure of the kernel's") {
  BtfFile file;
  uint32_t number = file.add(kInt, "int", 4, {kSigned | 32});
  file.add(kStruct, "task_struct", 4, {file.name("pid"), number, 0}, 1);
  CHECK(compiled_with(file.bytes(), "BEGIN { self->t = curthread; trace(self->t->pid); }").has_value());
  auto refused = compiled_with(file.bytes(), "BEGIN { trace(curthread->other); }");
  REQUIRE(!refused.has_value());
  CHECK(refused.error().tag == DTag::TYPE_MEMBER);
  auto program = compiled_with(file.bytes(), "BEGIN { trace(curthread->pid); }");
  REQUIRE(program.has_value());
  CHECK(reads_kernel(*program));
  CHECK(!reads_kernel(*compiled_with(file.bytes(), "BEGIN { trace(curpsinfo->pr_pid); }")));
}

TEST_CASE("d kernel types: tracepoints and their arguments") {
  std::vector<std::byte> file = tracepoint_file();
  BtfTypes kernel([&] { return file; });
  CHECK(kernel.tracepoints() == std::vector<std::string>{"wakes"});
  CHECK(kernel.arguments_of("wakes") ==
        std::vector<std::string>{"const char *", "enum state", "struct node *", "bool"});
  CHECK(!kernel.arguments_of("sleeps").has_value());
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
