// Where calls are seen, by facts alone: no process, no file.
#include "libcalls/arming/arming_policy.hpp"

#include <doctest/doctest.h>

namespace strut::test {
namespace {

constexpr CallPointsOptions kArmsCalls{.arms_calls = true};

ImportFacts plain_import() {
  return {.is_of_program = true,
          .is_in_file = true,
          .is_go = false,
          .is_jump_slot = true,
          .is_canonical = false,
          .returns_oddly = false};
}

CalleeFacts plain_callee() {
  return {.is_elsewhere = true,
          .is_in_file = true,
          .is_needed = true,
          .is_armed_itself = false,
          .only_program_counts = true,
          .is_reported = true};
}

ReplaceFacts plain_function() {
  return {.is_described = true,
          .is_leaf = false,
          .is_go = false,
          .is_of_library = true,
          .frame = FrameUse::Own,
          .may_be_cancelled = false};
}

/// The same facts but for one.
template <typename Facts>
Facts with(Facts facts, bool Facts::* fact) {
  facts.*fact = !(facts.*fact);
  return facts;
}

TEST_CASE("arming policy: an import of the program's PLT is seen at its stub, its calls or behind them") {
  CHECK(may_be_seen_at_stub(plain_import()));
  CHECK(may_be_seen_at_calls(kArmsCalls, plain_import()));
  CHECK(may_return_behind(plain_import()));
}

TEST_CASE("arming policy: one that is called without a PLT, or returns twice, is seen where it is") {
  for (bool ImportFacts::* fact : {&ImportFacts::is_jump_slot, &ImportFacts::returns_oddly}) {
    ImportFacts facts = with(plain_import(), fact);
    CHECK_FALSE(may_be_seen_at_stub(facts));
    CHECK_FALSE(may_be_seen_at_calls(kArmsCalls, facts));
    CHECK_FALSE(may_return_behind(facts));
  }
}

TEST_CASE("arming policy: a stub that is the function's address for all modules is no sign of the program's calls") {
  ImportFacts facts = with(plain_import(), &ImportFacts::is_canonical);
  CHECK_FALSE(may_be_seen_at_calls(kArmsCalls, facts));
  CHECK_FALSE(may_return_behind(facts));
}

TEST_CASE("arming policy: only calls of the program's own file are armed, and not those of Go, and if the run may") {
  CHECK_FALSE(may_be_seen_at_calls({}, plain_import()));
  for (bool ImportFacts::* fact : {&ImportFacts::is_of_program, &ImportFacts::is_in_file, &ImportFacts::is_go})
    CHECK_FALSE(may_be_seen_at_calls(kArmsCalls, with(plain_import(), fact)));
  CHECK_FALSE(may_be_seen_at_stub(with(plain_import(), &ImportFacts::is_of_program)));
}

TEST_CASE("arming policy: a function that counts for others than the program is armed where it is") {
  CHECK(may_be_seen_at_stub(plain_callee()));
  CHECK(may_be_seen_at_calls(plain_callee()));
  for (bool CalleeFacts::* fact : {&CalleeFacts::is_elsewhere, &CalleeFacts::is_needed, &CalleeFacts::is_armed_itself,
                                   &CalleeFacts::only_program_counts, &CalleeFacts::is_reported}) {
    CHECK_FALSE(may_be_seen_at_stub(with(plain_callee(), fact)));
    CHECK_FALSE(may_be_seen_at_calls(with(plain_callee(), fact)));
  }
  CalleeFacts vdso = with(plain_callee(), &CalleeFacts::is_in_file);
  CHECK(may_be_seen_at_stub(vdso));
  CHECK_FALSE(may_be_seen_at_calls(vdso));
}

TEST_CASE("arming policy: a return address is replaced where no other code looks at the frame") {
  CHECK(may_replace_return(plain_function()));
  for (bool ReplaceFacts::* fact : {&ReplaceFacts::is_described, &ReplaceFacts::is_go, &ReplaceFacts::is_of_library})
    CHECK_FALSE(may_replace_return(with(plain_function(), fact)));
  ReplaceFacts facts = plain_function();
  for (FrameUse frame : {FrameUse::Open, FrameUse::Cancelled}) {
    facts.frame = frame;
    CHECK_FALSE(may_replace_return(facts));
    CHECK(may_replace_return(with(facts, &ReplaceFacts::is_leaf)));
  }
  facts.frame = FrameUse::MaybeCancelled;
  CHECK(may_replace_return(facts));
  CHECK_FALSE(may_replace_return(with(facts, &ReplaceFacts::may_be_cancelled)));
}

/// Calls from the program to "wanted" are reported; by pointer those to "offered" from any module.
class TwoNames final : public CallChoice {
 public:
  bool calls_from(const FilteredModule& caller) const override { return caller.is_main; }
  bool looks_into(const FilteredModule&) const override { return false; }
  bool defined(std::string_view, const FilteredModule&) const override { return false; }
  std::optional<FunctionLabel> label(std::string_view symbol, const FilteredModule&, const FilteredModule* caller,
                                     CallWay way) const override {
    bool is_offered = symbol == "offered" && way == CallWay::Pointer;
    bool is_wanted = symbol == "wanted" && caller && caller->is_main;
    return is_offered || is_wanted ? std::optional(FunctionLabel::Name) : std::nullopt;
  }
};

TEST_CASE("arming policy: the program alone counts unless a library's call would be reported") {
  TwoNames choice;
  FilteredModule library{"libone.so", "/lib/libone.so", false}, program{"main", "/bin/main", true};
  CHECK(only_program_counts(choice, library, "wanted"));
  CHECK_FALSE(only_program_counts(choice, library, "offered"));
  CHECK_FALSE(only_program_counts(choice, program, "wanted"));
}

}  // namespace
}  // namespace strut::test
