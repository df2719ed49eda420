#include "formatters/json/beginning.hpp"

#include <sys/utsname.h>

#include "base/clock.hpp"
#include "formatters/json/time.hpp"
#include "formatters/json/value.hpp"

namespace strut {

namespace {

void put_argv(JsonWriter& json, const std::vector<std::string>& argv) {
  json.key("argv");
  json.begin_array();
  for (const std::string& word : argv) put_json_bytes(json, word);
  json.end_array();
}

void put_host(JsonWriter& json) {
  utsname host;
  if (::uname(&host) != 0) return;
  json.key("host");
  json.begin_object();
  for (auto [name, text] : {std::pair("name", host.nodename), std::pair("system", host.sysname),
                            std::pair("release", host.release), std::pair("machine", host.machine)}) {
    json.key(name);
    put_json_bytes(json, text);
  }
  json.end_object();
}

void put_clocks(JsonWriter& json) {
  Timestamp at = now();
  json.key("clocks");
  json.begin_object();
  put_json_ns(json, "realtime_ns", at.realtime_ns);
  put_json_ns(json, "monotonic_ns", at.monotonic_ns);
  json.end_object();
}

}  // namespace

void put_json_beginning(TextBuffer& out, const RunFacts& facts, std::string_view backend) {
  JsonWriter json(out);
  json.begin_object();
  json.member("type", "trace");
  json.member("format", kJsonFormat);
  json.member("strut", facts.version);
  json.member("tool", facts.tool);
  json.member("backend", backend);
  put_argv(json, facts.argv);
  json.member("pid", int64_t{raw(facts.self)});
  put_host(json);
  put_clocks(json);
  json.end_object();
  out.put('\n');
}

}  // namespace strut
