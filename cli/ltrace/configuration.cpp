#include "cli/ltrace/configuration.hpp"

#include <filesystem>

#include <unistd.h>

#include "base/list_parts.hpp"
#include "process/caller.hpp"

namespace strut {
namespace {

bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

bool is_directory(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

}  // namespace

Configuration::Configuration(PrototypeSearch& prototypes, Messages& messages)
    : prototypes_(prototypes), messages_(messages) {
  auto report = [this](const std::string& line) { messages_.say(line); };
  prototypes_.users_libraries().report_to(report);
  prototypes_.systems_libraries().report_to(report);
}

bool Configuration::read(const std::vector<std::string>& named) {
  const char* home = trusted_variable("HOME");
  std::vector<std::string> files;
  for (const std::string& list : named)
    for (const std::string& path : list_parts(list, ":"))
      if (is_directory(path)) prototypes_.users_libraries().search_in(path);
      else files.push_back(path);
  search_users_directories(home);
  search_systems_directories();
  for (const std::string& path : files)
    if (!take(prototypes_.add_users(path))) return false;
  if (!files.empty()) return true;
  if (home && is_there(std::string(home) + "/.ltrace.conf"))
    take(prototypes_.add_users(std::string(home) + "/.ltrace.conf"));
  if (is_there("/etc/ltrace.conf")) prototypes_.add_systems("/etc/ltrace.conf");
  return true;
}

// The XDG Base Directory Specification has the defaults of the variables.
void Configuration::search_users_directories(const char* home) {
  const char* configuration = trusted_variable("XDG_CONFIG_HOME");
  PrototypeLibraries& libraries = prototypes_.users_libraries();
  if (configuration && *configuration) libraries.search_in(std::string(configuration) + "/ltrace");
  else if (home) libraries.search_in(std::string(home) + "/.config/ltrace");
  if (home) libraries.search_in(std::string(home) + "/.ltrace");
}

void Configuration::search_systems_directories() {
  const char* given = trusted_variable("XDG_CONFIG_DIRS");
  for (const std::string& directory : list_parts(given && *given ? given : "/etc/xdg", ":"))
    prototypes_.systems_libraries().search_in(directory + "/ltrace");
  prototypes_.systems_libraries().search_in("/usr/share/ltrace");
}

bool Configuration::take(const Wrong& wrong) {
  if (!wrong) return messages_.say(wrong.error()), false;
  for (const std::string& line : *wrong) messages_.say(line);
  return true;
}

}  // namespace strut
