// -e inject and -e fault. Refuses the same as strace 7.2.
#include <doctest/doctest.h>

#include <cerrno>
#include <string>

#include "cli/strace/injection.hpp"

namespace strut::test {
namespace {

Result<Injection> inject(const std::string& text) { return parse_injection(text, InjectionKind::Inject); }
Result<Injection> fault(const std::string& text) { return parse_injection(text, InjectionKind::Fault); }
InjectWhen when(const std::string& text) { return inject("chdir:error=EIO:when=" + text)->when; }

bool is(InjectWhen got, uint32_t first, uint32_t last, uint32_t step) {
  return got.first == first && got.last == last && got.step == step;
}

}  // namespace

TEST_CASE("injection: actions") {
  auto parsed = inject("chdir,openat:error=enoent:signal=SIGUSR1:delay_enter=2:delay_exit=1.5ms");
  REQUIRE(parsed);
  CHECK(parsed->calls.contains(Abi::X86_64, 80));
  CHECK(parsed->calls.contains(Abi::X86_64, 257));
  CHECK(parsed->error == ENOENT);
  CHECK(parsed->signal == 10);
  CHECK(parsed->delay_enter_us == 2);
  CHECK(parsed->delay_exit_us == 1500);
  CHECK(inject("chdir:retval=0x10")->retval == 16);
  CHECK(inject("chdir:retval=-5")->retval == -5);
  CHECK(inject("chdir:error=1:syscall=getpid")->syscall == 39);
  CHECK(inject("chdir:delay_enter=1ns")->delay_enter_us == 1);
  CHECK(inject("chdir:delay_enter=3s")->delay_enter_us == 3'000'000);
}

TEST_CASE("injection: when") {
  CHECK(is(inject("chdir:error=EIO")->when, 1, UINT32_MAX, 1));
  CHECK(is(when("3"), 3, 3, 1));
  CHECK(is(when("3+"), 3, UINT32_MAX, 1));
  CHECK(is(when("3+2"), 3, UINT32_MAX, 2));
  CHECK(is(when("3..7"), 3, 7, 1));
  CHECK(is(when("3..7+"), 3, 7, 1));
  CHECK(is(when("3..7+2"), 3, 7, 2));
  CHECK(is(when("1:when=2"), 2, 2, 1));
  for (const char* text : {"", "0", "65536", "1+0", "1+65536", "1..65535", "2..1", "1..", "..2", "a", "1+2+3", "1.2"})
    CHECK_MESSAGE(!inject(std::string("chdir:error=EIO:when=") + text), text);
}

TEST_CASE("injection: pokes") {
  auto parsed = inject("chdir:poke_enter=@arg1=0aFF,@arg3=00:poke_exit=@arg2=11");
  REQUIRE(parsed);
  REQUIRE(parsed->poke_enter.size() == 2);
  CHECK(parsed->poke_enter[0].arg == 0);
  CHECK(parsed->poke_enter[0].bytes == "\x0a\xff");
  CHECK(parsed->poke_enter[1].arg == 2);
  CHECK(parsed->poke_exit[0].arg == 1);
  auto odd = inject("chdir:poke_exit=@arg1=4g 4+4-4az");
  REQUIRE(odd);
  CHECK(odd->poke_exit[0].bytes == "\x04\x04\x04\xfc\x0a");
  for (const char* text : {"", "@arg1=", "@arg1=0", "@arg0=00", "@arg8=00", "arg1=00", "@arg1=g0", "@arg1=0x",
                           "@arg1=--", "@arg01=00", "@arg1=00,@arg1=11", "@arg1=00,x"})
    CHECK_MESSAGE(!inject(std::string("chdir:poke_enter=") + text), text);
  CHECK(inject("chdir:poke_enter=@arg1=" + std::string(2 * 1024, '4')));
  CHECK(!inject("chdir:poke_enter=@arg1=" + std::string(2 * 1025, '4')));
}

TEST_CASE("injection: what is refused") {
  for (const char* text : {"chdir",
                           "chdir:",
                           "chdir:when=1",
                           "chdir:error=",
                           "chdir:error=FOO",
                           "chdir:error=0",
                           "chdir:error=4096",
                           "chdir:error=EIO:retval=1",
                           "chdir:retval=1:error=EIO",
                           "chdir:error=EIO:error=EIO",
                           "chdir:retval=x",
                           "chdir:retval=99999999999999999999",
                           "chdir:signal=0",
                           "chdir:signal=65",
                           "chdir:signal=foo",
                           "chdir:syscall=getpid",
                           "chdir:error=EIO:syscall=open",
                           "chdir:delay_enter=-1",
                           "chdir:delay_enter=1m",
                           "chdir:delay_enter=nan",
                           "chdir:foo=1",
                           "foo:bar"})
    CHECK(inject(text).error().why == "invalid inject argument '" + std::string(text) + "'");
  CHECK(inject("foo:error=EIO").error().why == "invalid system call 'foo'");
  CHECK(inject(":error=EIO").error().why == "invalid system call ''");
}

TEST_CASE("injection: faults are errors, ENOSYS unless named") {
  CHECK(fault("chdir")->error == ENOSYS);
  CHECK(fault("chdir:error=EIO:when=2")->error == EIO);
  CHECK(fault("chdir:retval=1").error().why == "invalid fault argument 'chdir:retval=1'");
  CHECK_FALSE(fault("chdir:signal=INT"));
}

TEST_CASE("injection: the later one takes its calls away from the earlier") {
  std::vector<Injection> injections;
  add_injection(injections, *inject("chdir,openat:error=EIO"));
  add_injection(injections, *inject("chdir:retval=1"));
  CHECK_FALSE(injections[0].calls.contains(Abi::X86_64, 80));
  CHECK(injections[0].calls.contains(Abi::X86_64, 257));
  CHECK(injections[1].calls.contains(Abi::X86_64, 80));
}

TEST_CASE("injection: a result that reads as an error is worth a word") {
  CHECK_FALSE(warn_of_retval(5));
  CHECK(warn_of_retval(-1) == "Inadvertent injection of error 1 is possible for retval=18446744073709551615");
  CHECK(warn_of_retval(0xfffffff0) ==
        "Inadvertent injection of error 16 is possible in compat personality for retval=4294967280");
  CHECK(warn_of_retval(0x100000000) == "Injected return value 4294967296 will be clipped to 0 in compat personality");
}

}  // namespace strut::test
