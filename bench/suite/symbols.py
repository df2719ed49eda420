"""How soon an address in a big program has its name and line, and names by the thousand once the file is read.

The program has over 100 MB with debug information: one C++ object, linked many times under names of its own. It is never
run.
"""
import os
import re
import subprocess

from . import measure, tools
from .results import Table

COPIES = 56
SOURCE = """
#include <map>
#include <regex>
#include <string>
#include <unordered_map>
#include <vector>
template <int N> struct Part { std::map<int, std::string> names; std::unordered_map<std::string, std::vector<int>> lists; long sum(int x); };
template <int N> __attribute__((noinline)) long Part<N>::sum(int x) {
  for (auto& [key, name] : names) lists[name].push_back(key + x + N);
  long total = 0;
  for (auto& [name, list] : lists) for (int value : list) total += value * N + (long)name.size();
  return total + (std::regex_match("abc", std::regex("[a-z]+")) ? N : 0);
}
template <int... N> long all(int x, std::integer_sequence<int, N...>) { return (Part<N>{}.sum(x) + ...); }
extern "C" long entry(int x) { return all(x, std::make_integer_sequence<int, 60>{}); }
"""


def made_program():
    source, one, big = (os.path.join(tools.FOLDER, name) for name in ("part.cpp", "part.o", "big"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(SOURCE)
    subprocess.run(["g++", "-std=c++20", "-O1", "-g", "-c", source, "-o", one], check=True)
    objects = []
    for number in range(COPIES):
        objects.append(os.path.join(tools.FOLDER, f"part{number}.o"))
        subprocess.run(["objcopy", f"--prefix-symbols=p{number}_", one, objects[-1]], check=True)
    command = ["gcc", "-nostdlib", "-no-pie", "-Wl,--unresolved-symbols=ignore-all", "-Wl,-e,p0_entry", *objects, "-o", big]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return big


def some_function(path):
    """An address in the middle of a function that stands in the middle of the symbol table."""
    lines = subprocess.run(["nm", "-S", path], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    functions = [match for line in lines if (match := re.match(r"([0-9a-f]+) ([0-9a-f]+) [tTW] ", line)) and int(match[2], 16) > 64]
    chosen = functions[len(functions) // 2]
    return hex(int(chosen[1], 16) + 40)


def first_name(path, address):
    kinds = {
        "strut": [tools.STRUT, "symbols", "--address", address, path],
        "addr2line": ["addr2line", "-f", "-e", path, address],
        "gdb": ["gdb", "-batch", "-nx", "-ex", f"info symbol {address}", "-ex", f"info line *{address}", path],
    }
    return {tool: lambda argv=argv: measure.seconds(argv) * 1000 for tool, argv in tools.present(kinds).items()}


def run():
    path = made_program()
    size = os.path.getsize(path) >> 20
    rows = {"one address": measure.interleaved(first_name(path, some_function(path)))}
    yield Table("The first name and line", "ms", f"Of an address in a program of {size} MB, from the tool's start to its end.",
                rows, base="strut")
