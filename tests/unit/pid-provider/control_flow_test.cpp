#include <doctest/doctest.h>

#include "pid-provider/control_flow.hpp"
#include "tests/unit/code_file.hpp"

using namespace strut;
using test::CodeFile;

namespace {

/// A function of a file, decoded, with the addresses of its returns at hand.
struct Decoded {
  std::unique_ptr<ModuleFile> module;
  ModuleFunctions functions;
  DecodedFunction code;

  Decoded(const CodeFile& file, std::string_view name) : module(file.make()), functions(*module) {
    auto found = std::ranges::find(functions.all(), name, &Function::name);
    REQUIRE(found != functions.all().end());
    code = decode_function(functions, found->range);
  }
  std::vector<uint64_t> returns(ReturnSite::Kind kind) const {
    std::vector<uint64_t> found;
    for (const ReturnSite& site : code.returns)
      if (site.kind == kind) found.push_back(site.address);
    return found;
  }
};

using Addresses = std::vector<uint64_t>;
using Kind = ReturnSite::Kind;

}  // namespace

TEST_CASE("control flow: returns, tail jumps of each kind, and jumps that stay") {
  CodeFile file;
  file.function("f", 0x1000, 0x20).function("g", 0x1100, 1).text(0x1100, "c3");
  file.text(0x1000,
            "85 ff"                 // test %edi,%edi
            "0f 84 f8 00 00 00"     // 1002: je g
            "74 06"                 // 1008: je 1010
            "e9 f1 00 00 00"        // 100a: jmp g
            "90"                    // 100f
            "55 5d"                 // 1010: push, pop
            "ff e0"                 // 1012: jmp *%rax
            "f3 c3"                 // 1014: repz ret
            "0f 1f 80 00 00 00 00"  // 1016: nop
            "0f 0b 90");            // 101d: ud2
  Decoded f(file, "f");
  CHECK(f.returns(Kind::Return) == Addresses{0x1014});
  CHECK(f.returns(Kind::TailJump) == Addresses{0x100a});
  CHECK(f.returns(Kind::TailJumpIf) == Addresses{0x1002});
  CHECK(f.returns(Kind::TailJumpIndirect) == Addresses{0x1012});
  CHECK(f.code.returns[0].condition == 4);
  CHECK(f.code.instructions.size() == 12);
  CHECK(f.code.is_target(0x1010));
  CHECK_FALSE(f.code.is_target(0x100a));
  CHECK(f.code.doubts.empty());
}

TEST_CASE("control flow: a cold part belongs to its function") {
  CodeFile file;
  file.function("f", 0x1000, 0x0c).function("f.cold", 0x1100, 0x07).function("other", 0x1200, 1).text(0x1200, "c3");
  file.text(0x1000, "53 0f 85 f9 00 00 00 5b c3 90 90 90");  // push; jne f.cold; pop; ret
  file.text(0x1100, "5b c3 e9 02 ff ff ff");                 // pop; ret; jmp f+9
  Decoded f(file, "f");
  CHECK(f.returns(Kind::Return) == Addresses{0x1008, 0x1101});
  CHECK(f.code.parts.size() == 2);
  CHECK(f.code.at(0x1101) != nullptr);
  CHECK(f.code.at(0x1009) != nullptr);
}

TEST_CASE("control flow: a jump to nameless code leaves only if nothing is left on the stack") {
  CodeFile file;
  file.function("f", 0x1000, 0x10).described(0x1000, 0x10).described(0x1100, 2).described(0x1200, 1).text(0x1200, "c3");
  file.text(0x1000,
            "53 75 07 5b"          // push; jne 100a; pop
            "e9 f7 01 00 00 90"    // 1004: jmp 1200, nothing on the stack
            "e9 f1 00 00 00 90");  // 100a: jmp 1100, %rbx on it
  file.text(0x1100, "5b c3");
  Decoded f(file, "f");
  CHECK(f.returns(Kind::TailJump) == Addresses{0x1004});
  CHECK(f.returns(Kind::Return) == Addresses{0x1101});
  CHECK(f.code.parts.size() == 2);
}

TEST_CASE("control flow: a nameless part that belongs to the function is no way out for any of its jumps") {
  CodeFile file;
  file.function("f", 0x1000, 0x0f).described(0x1000, 0x0f).described(0x1100, 2).text(0x1100, "5b c3");
  file.text(0x1000,
            "0f 84 fa 00 00 00"  // je 1100, nothing on the stack
            "53"                 // push
            "0f 84 f3 00 00 00"  // 1007: je 1100
            "5b c3");
  Decoded f(file, "f");
  CHECK(f.returns(Kind::TailJumpIf).empty());
  CHECK(f.returns(Kind::Return) == Addresses{0x100e, 0x1101});
}

TEST_CASE("control flow: the end of another function that is shared is a way out") {
  CodeFile file;
  file.function("f", 0x1000, 10).function("g", 0x1108, 4).text(0x1108, "53 90 90 5b c3");
  file.text(0x1000, "53 75 02 5b c3 e9 04 01 00 00");  // …; jmp g+1
  Decoded f(file, "f");
  CHECK(f.returns(Kind::TailJump) == Addresses{0x1005});
}

TEST_CASE("control flow: bounds by frame descriptions where a symbol has no size") {
  CodeFile file;
  file.function("f", 0x1000, 0).described(0x1000, 2).text(0x1000, "5b c3 c3");
  file.function("g", 0x1010, 0).function("h", 0x1013, 1).text(0x1010, "5b 5b c3 c3");
  CHECK(Decoded(file, "f").code.parts[0] == CodeRange{0x1000, 0x1002});
  CHECK(Decoded(file, "g").code.parts[0] == CodeRange{0x1010, 0x1013});
}

TEST_CASE("control flow: a function runs into the one behind it, past padding, with nothing on the stack") {
  auto runs_out = [](const char* code, uint64_t bytes, const char* behind) {
    CodeFile file;
    file.function("f", 0x1000, bytes)
        .text(0x1000, code)
        .function("g", 0x1010, 1)
        .text(0x1010, "c3")
        .text(0x1008, behind);
    return Decoded(file, "f").code.runs_out;
  };
  CHECK(runs_out("39 d1 0f 82 f8 00 00 00", 8, "0f 1f 84 00 00 00 00 00"));  // jb, nop
  CHECK(runs_out("48 83 c7 03 90 90 90 90", 8, "90 90 90 90 90 90 90 90"));
  CHECK_FALSE(runs_out("48 83 c7 03 c3 90 90 90", 8, "90 90 90 90 90 90 90 90"));  // ret
  CHECK_FALSE(runs_out("48 83 c7 03 53 90 90 90", 8, "90 90 90 90 90 90 90 90"));  // push
  CHECK_FALSE(runs_out("90 90 90 e8 f8 0f 00 00", 8, "90 90 90 90 90 90 90 90"));  // call
  CHECK_FALSE(runs_out("48 83 c7 03 90 90 90 90", 8, "90 90 90 90 00 00 00 00"));
}

TEST_CASE("control flow: a computed goto is no return") {
  CodeFile file;
  file.function("f", 0x1000, 5).text(0x1000, "53 ff e0 5b c3");
  Decoded f(file, "f");
  CHECK(f.code.has_unknown_jump);
  CHECK(f.returns(Kind::TailJumpIndirect).empty());
  CHECK(f.returns(Kind::Return) == Addresses{0x1004});  // behind it, and code all the same
}

TEST_CASE("control flow: a switch goes through its table") {
  CodeFile file;
  file.function("f", 0x1000, 0x1a).table(0x3000, {0x1015, 0x1018, 0x5000});
  file.text(0x1000,
            "48 8d 15 f9 1f 00 00"  // lea 3000,%rdx
            "48 63 04 ba"           // 1007: movslq (%rdx,%rdi,4),%rax
            "48 01 d0"              // add
            "3e ff e0"              // 100e: notrack jmp *%rax
            "0f 1f 40 00"           // 1011
            "31 c0 c3"              // 1015
            "c3 90");               // 1018
  Decoded f(file, "f");
  CHECK_FALSE(f.code.has_unknown_jump);
  CHECK(f.returns(Kind::TailJumpIndirect).empty());
  CHECK(f.returns(Kind::Return) == Addresses{0x1017, 0x1018});
  CHECK(f.code.is_target(0x1018));
}

TEST_CASE("control flow: a jump through a pointer is none through the table of a switch beside it") {
  // The beginning is a switch; `behind` is where its first case goes.
  auto returns = [](const char* behind) {
    CodeFile file;
    file.function("f", 0x1000, 0x20).table(0x3000, {0x1011, 0x1014, 0x5000});
    file.text(0x1000,
              "48 8d 15 f9 1f 00 00"  // lea 3000,%rdx
              "48 63 04 ba"           // 1007: movslq (%rdx,%rdi,4),%rax
              "48 01 d0"              // add
              "3e ff e0");            // 100e: notrack jmp *%rax
    file.text(0x1011, "31 c0 c3");    // 1011: xor, ret
    file.text(0x1014, behind);
    return Decoded(file, "f").returns(Kind::TailJumpIndirect);
  };
  CHECK(returns("48 8b 06 58 50 ff e0 90 90 90 90 90") == Addresses{});        // pop %rax: not known
  CHECK(returns("48 8b 06 53 5b ff e0 90 90 90 90 90") == Addresses{0x1019});  // mov (%rsi),%rax; push, pop; jmp *%rax
  CHECK(returns("48 89 f0 ff e0 90 90 90 90 90 90 90") == Addresses{});        // mov %rsi,%rax: from before a jump
  CHECK(returns("ff 60 10 90 90 90 90 90 90 90 90 90") == Addresses{0x1014});  // jmp *0x10(%rax)
  CHECK(returns("48 8b 06 48 89 c1 ff e1 90 90 90 90") ==
        Addresses{0x101a});  // mov (%rsi),%rax; mov %rax,%rcx; jmp *%rcx
  CHECK(returns("48 8b 04 fa 66 0f 6f c1 ff e0 90 90") ==
        Addresses{0x101c});                                              // mov (%rdx,%rdi,8),%rax; movdqa; jmp *%rax
  CHECK(returns("48 8b 04 fd 00 30 00 00 ff e0 90 90") == Addresses{});  // mov 0x3000(,%rdi,8),%rax; jmp *%rax
  CHECK(returns("43 ff 24 01 90 90 90 90 90 90 90 90") == Addresses{0x1014});  // jmp *(%r9,%r8,1)
  CHECK(returns("48 8b 06 66 0f 6f c1 f0 ff 02 ff e0") ==
        Addresses{0x101e});                                              // …; movdqa %xmm1,%xmm0; lock incl; jmp *%rax
  CHECK(returns("48 8b 06 48 0f 44 c2 ff e0 90 90 90") == Addresses{});  // cmove %rdx,%rax
}

TEST_CASE("control flow: data among code is not taken for code") {
  CodeFile file;
  file.function("f", 0x1000, 0x10);
  file.text(0x1000,
            "f3 0f 10 05 04 00 00 00 c3 90 90 90"  // movss 100c,%xmm0; ret
            "c3 c3 c3 c3");                        // a constant
  Decoded f(file, "f");
  CHECK(f.returns(Kind::Return) == Addresses{0x1008});
  CHECK(f.code.at(0x100c) == nullptr);
  REQUIRE(f.code.doubts.size() == 4);
  CHECK(f.code.doubts[0].why == Doubt::Why::Data);
}

TEST_CASE("control flow: a jump over a lock prefix, and one into an instruction") {
  CodeFile file;
  file.function("f", 0x1000, 7).text(0x1000, "74 01 f0 0f b1 11 c3");  // je 1003; lock cmpxchg; ret
  file.function("g", 0x1100, 8).text(0x1100, "74 01 b8 c3 c3 c3 c3 c3");
  CHECK(Decoded(file, "f").code.doubts.empty());
  Decoded g(file, "g");
  REQUIRE(g.code.doubts.size() == 1);
  CHECK(g.code.doubts[0].why == Doubt::Why::Crossed);
  CHECK(g.code.at(0x1102) == nullptr);
}

TEST_CASE("control flow: bytes that are no instruction") {
  CodeFile file;
  file.function("f", 0x1000, 4).text(0x1000, "c3 06 06 c3");
  Decoded f(file, "f");
  CHECK(f.returns(Kind::Return) == Addresses{0x1000});
  REQUIRE_FALSE(f.code.doubts.empty());
  CHECK(f.code.at(0x1003) == nullptr);
}

TEST_CASE("control flow: what a function does besides") {
  CodeFile file;
  file.function("f", 0x1000, 8).text(0x1000, "e8 fb ff ff ff 0f 05 c3");
  Decoded f(file, "f");
  CHECK(f.code.has_call);
  CHECK(f.code.has_system_call);
}
