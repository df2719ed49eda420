// Calls with objects of the standard library as arguments and results.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct Point {
  int x;
  double y;
};
struct Person {
  std::string name;
  std::vector<std::string> nicknames;
};
/// Looks like a vector, and is none.
struct Damaged {
  const void *begin, *end, *limit;
};
/// Calls pass its address, although it has no destructor.
struct Copied {
  int x;
  explicit Copied(int value) : x(value) {}
  Copied(const Copied& other) : x(other.x) {}
};
/// One that registers can pass.
struct Defaulted {
  int x;
  explicit Defaulted(int value) : x(value) {}
  Defaulted(const Defaulted&) = default;
  ~Defaulted() = default;
};

extern "C" {
long by_reference(const std::string& text) { return static_cast<long>(text.size()); }
long by_value(std::string text, int number) { return static_cast<long>(text.size()) + number; }
long changed(std::string* text) { return static_cast<long>(text->append("!").size()); }
long viewed(std::string_view text) { return static_cast<long>(text.size()); }
long numbers(const std::vector<int>& list) { return static_cast<long>(list.size()); }
long texts(const std::vector<std::string>& list) { return static_cast<long>(list.size()); }
long points(const std::vector<Point>& list) { return static_cast<long>(list.size()); }
long maybe(std::optional<int> number) { return number.value_or(-1); }
long maybe_text(const std::optional<std::string>& text) { return text ? 1 : 0; }
long owned(std::unique_ptr<Point> point) { return point ? point->x : -1; }
long shared(std::shared_ptr<Point> point) { return point->x; }
long person(const Person& who) { return static_cast<long>(who.nicknames.size()); }
long copied(Copied object) { return object.x; }
long defaulted(Defaulted object) { return object.x; }
long both(std::array<std::string, 2> texts) { return static_cast<long>(texts[0].size()); }
std::string given() { return "given"; }
std::vector<int> listed() { return {4, 5}; }
}

int main() {
  std::string text = "hello", longer(50, 'x');
  by_reference(text);
  by_reference(longer);
  by_reference(std::string("a\0b", 3));
  by_reference("");
  by_value("by value", 7);
  changed(&text);
  viewed(std::string_view("abcdef", 3));
  numbers({1, 2, 3});
  numbers({});
  numbers({1, 2, 3, 4, 5, 6});
  Damaged damaged{reinterpret_cast<void*>(16), reinterpret_cast<void*>(32), nullptr};
  numbers(reinterpret_cast<std::vector<int>&>(damaged));
  texts({"a", "bc"});
  points({{1, 2}, {3, 4}});
  maybe(5);
  maybe({});
  maybe_text("text");
  maybe_text({});
  owned(std::make_unique<Point>(Point{1, 2}));
  owned(nullptr);
  shared(std::make_shared<Point>(Point{3, 4}));
  person({"Ada", {"A", "Countess"}});
  copied(Copied(5));
  defaulted(Defaulted(6));
  both({"a", "bc"});
  given();
  listed();
  return 7;
}
