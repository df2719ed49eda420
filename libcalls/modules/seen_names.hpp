// Names of functions and modules that existed, for messages about names that match none of them.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace strut {

/// Keeps the first fifty thousand functions.
class SeenNames {
 public:
  void add_function(std::string_view name);
  void add_module(std::string_view name);
  /// No module was seen: there was no process to look at.
  bool none() const { return modules_.empty(); }
  /// "; nearest: malloc, calloc": suggestions for the name of a function or module. Empty: no similar name, or it is a
  /// pattern, or the name exists.
  std::string nearest_function(std::string_view name) const { return nearest(name, functions_); }
  std::string nearest_module(std::string_view name) const { return nearest(name, modules_); }

 private:
  using Names = std::set<std::string, std::less<>>;
  static std::string nearest(std::string_view name, const Names& known);
  Names functions_, modules_;
};

}  // namespace strut
