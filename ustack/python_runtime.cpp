#include "ustack/python_runtime.hpp"

#include "symtab/process/process_modules.hpp"

namespace strut {

namespace {

constexpr const char* kSection = ".PyRuntime";
constexpr const char* kVersionSymbol = "Py_Version";

/// 0: the file does not say it, or it cannot be read.
uint64_t version_in(const Module& module, Memory& memory) {
  SymbolTable symbols;
  symbols.add(module.file->elf());
  uint64_t version = 0;
  for (const Symbol* symbol : symbols.named(kVersionSymbol))
    if (memory.read(Addr{symbol->address + module.bias}, std::as_writable_bytes(std::span(&version, 1))).bytes ==
        sizeof version)
      return version;
  return 0;
}

/// PY_VERSION_HEX: a byte each for major, minor and micro version, and the release level.
std::string version_text(uint64_t version) {
  constexpr uint64_t kByte = 0xff;
  auto part = [&](unsigned shift) { return std::to_string((version >> shift) & kByte); };
  return version == 0 ? "" : part(24) + "." + part(16) + "." + part(8);
}

PythonRuntime runtime_in(const Module& module, const Section& section, Memory& memory) {
  PythonRuntime runtime{Addr{section.address + module.bias}, {}, {}};
  uint64_t version = version_in(module, memory);
  runtime.version = version_text(version);
  if (module.file->elf().is_64()) runtime.layout = python_layout(version, runtime.address, memory);
  return runtime;
}

}  // namespace

std::optional<PythonRuntime> find_python(Pid pid, Memory& memory) {
  ModuleCache files;
  ProcessModules modules(pid, files);
  if (!modules.refresh()) return std::nullopt;
  const Module* program = modules.named("a.out");
  for (const auto& module : modules.modules()) {
    bool candidate = module.get() == program || module->name().contains("python");
    if (!candidate || !module->file) continue;
    if (const Section* section = module->file->elf().section(kSection)) return runtime_in(*module, *section, memory);
  }
  return std::nullopt;
}

}  // namespace strut
