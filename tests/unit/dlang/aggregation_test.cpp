// Aggregations: functions, keys, looks.
#include "d_scene.hpp"
#include "dlang/output/histogram_text.hpp"

namespace strut::test {
namespace {

using Function = DAggregate::Function;

TEST_CASE("d aggregates: buckets of powers of two") {
  CHECK(bucket_of_power(0) == 63);
  CHECK(bucket_of_power(1) == 64);
  CHECK(bucket_of_power(3) == 65);
  CHECK(bucket_of_power(4) == 66);
  CHECK(bucket_of_power(INT64_MAX) == 126);
  CHECK(bucket_of_power(-1) == 62);
  CHECK(bucket_of_power(-2) == 61);
  CHECK(bucket_of_power(INT64_MIN) == 0);
  for (int bucket = 0; bucket < kDPowerBuckets; bucket++)
    CHECK(bucket_of_power(value_of_power_bucket(bucket)) == bucket);
}

TEST_CASE("d aggregates: linear and log-linear buckets") {
  DAggregate linear{.function = Function::Lquantize, .low = -10, .high = 100, .step = 10};
  CHECK(words_of(linear) == 13);
  CHECK(bucket_of(linear, -11) == 0);
  CHECK(bucket_of(linear, -10) == 1);
  CHECK(bucket_of(linear, 99) == 11);
  CHECK(bucket_of(linear, 100) == 12);
  CHECK(bucket_of(linear, INT64_MAX) == 12);
  CHECK(bucket_of(linear, INT64_MIN) == 0);
  CHECK(value_of_bucket(linear, 12) == 100);
  DAggregate log{.function = Function::Llquantize, .low = 0, .high = 2, .step = 20, .factor = 10};
  CHECK(words_of(log) == 3 + 2 * (9 + 18 + 18));
  constexpr size_t kMiddle = 46;
  const std::pair<int64_t, int> kPlaces[] = {
      {0, 0},   {1, 1},   {9, 9},      {10, 10},     {14, 10},   {15, 11},   {999, 45},       {1000, 46},
      {-1, -1}, {-9, -9}, {-999, -45}, {-1000, -46}, {-14, -10}, {-15, -11}, {INT64_MAX, 46}, {INT64_MIN, -46}};
  for (auto [value, place] : kPlaces) CHECK(bucket_of(log, value) == kMiddle + static_cast<size_t>(place));
  for (size_t bucket = 0; bucket < words_of(log); bucket++)
    CHECK(bucket_of(log, value_of_bucket(log, bucket)) == bucket);
  DAggregate wide{.function = Function::Llquantize, .low = 0, .high = 1, .step = 5, .factor = 10};
  CHECK(words_of(wide) == 3 + 2 * (5 + 5));
  CHECK(value_of_bucket(wide, 11 + 2) == 3);
  CHECK(value_of_bucket(wide, 11 + 7) == 30);
}

int64_t aggregated(Function function, std::vector<int64_t> values, int64_t normal = 1) {
  DAggregate aggregate{.function = function};
  std::vector<int64_t> all(words_of(aggregate)), half(words_of(aggregate));
  // Half of them through a merge: both ways must say the same.
  for (size_t i = 0; i < values.size(); i++) take(aggregate, i % 2 == 0 ? all : half, values[i], 1);
  merge(aggregate, all, half);
  return number_of(aggregate, all, normal);
}

TEST_CASE("d aggregates: keys that a distribution lacks show it empty") {
  DScene scene("BEGIN { @a[arg0] = count(); @b[(int64_t)1] = lquantize(arg0, 0, 60000, 1); printa(@a, @b); }");
  for (uint64_t i = 0; i < 3; i++) {
    scene.probe.arguments = {i};
    scene.fire();
  }
  CHECK(scene.fire().find("             < 0 |                                         0        \n") !=
        std::string::npos);
}

TEST_CASE("d aggregates: numbers") {
  CHECK(aggregated(Function::Count, {5, 5, 5}) == 3);
  CHECK(aggregated(Function::Sum, {5, -6, 7}) == 6);
  CHECK(aggregated(Function::Avg, {5, 6, 8}) == 6);
  CHECK(aggregated(Function::Avg, {}) == 0);
  CHECK(aggregated(Function::Min, {5, -6, 7}) == -6);
  CHECK(aggregated(Function::Max, {-5, -6, -7}) == -5);
  CHECK(aggregated(Function::Stddev, {2, 4, 4, 4, 5, 5, 7, 9}) == 2);
  CHECK(aggregated(Function::Stddev, {5, 5}) == 0);
  CHECK(aggregated(Function::Stddev, {-1000000000000, 1000000000000}) == 1000000000000);
  CHECK(aggregated(Function::Sum, {INT64_MIN}, -1) == INT64_MIN);
  CHECK(aggregated(Function::Sum, {100}, 10) == 10);
}

TEST_CASE("d aggregations: the default text") {
  DScene scene("BEGIN { @[execname, pid] = count(); @b[arg0] = sum(arg0); @total = sum(1); @u[usym(33)] = max(3); }");
  scene.probe.arguments = {7};
  scene.fire();
  scene.probe.arguments = {3};
  scene.fire();
  CHECK(scene.rest() ==
        "  ls                                                      100                2\n"
        "                3                3\n                7                7\n"
        "                2\n"
        "  mod`f2                                                            3\n");
}

TEST_CASE("d aggregations: addresses of one name are one key") {
  // usym(33) and usym(40) are mod`f2; uaddr() of them is not the same.
  DScene scene("BEGIN { @s[usym(arg0)] = sum(arg0); @m[umod(arg0), 1] = max(arg0); @a[uaddr(arg0)] = count(); }");
  for (uint64_t value : {33, 40, 50, 33}) {
    scene.probe.arguments = {value};
    scene.fire();
  }
  std::string united =
      "  mod`f3                                                           50\n  mod`f2                               "
      "                           106\n"
      "  mod                                                       1               50\n"
      "  mod`f2+0x8                                                        1\n  mod`f3+0x2                           "
      "                             1\n"
      "  mod`f2+0x1                                                        2\n";
  CHECK(scene.rest() == united);
  CHECK(scene.rest() == united);
  scene.probe.arguments = {41};
  scene.fire();
  CHECK(scene.rest().find("147") != std::string::npos);
}

TEST_CASE("d aggregations: of united keys as many are left as trunc() says") {
  DScene scene("BEGIN { @s[usym(arg0)] = count(); } END { trunc(@s, 1); }");
  for (uint64_t value : {33, 40, 50}) {
    scene.probe.arguments = {value};
    scene.machine->begin_firing();
    scene.machine->run(0, scene.probe);
  }
  scene.last = scene.machine->run(1, scene.probe);
  DFormatter(scene.program, scene.machine->aggregations(), scene.symbolizer, scene.console, scene.style)
      .report(scene.error, scene.last.record);
  CHECK(scene.rest() == "  mod`f2                                                            2\n");
}

TEST_CASE("d aggregations: quantize") {
  DScene scene("BEGIN { @[execname] = quantize(arg0); }");
  for (uint64_t value : {1, 2, 3, 100}) {
    scene.probe.arguments = {value};
    scene.fire();
  }
  CHECK(scene.rest() ==
        "  ls                                                \n"
        "           value  ------------- Distribution ------------- count    \n"
        "               0 |                                         0        \n"
        "               1 |@@@@@@@@@@                               1        \n"
        "               2 |@@@@@@@@@@@@@@@@@@@@                     2        \n"
        "               4 |                                         0        \n"
        "               8 |                                         0        \n"
        "              16 |                                         0        \n"
        "              32 |                                         0        \n"
        "              64 |@@@@@@@@@@                               1        \n"
        "             128 |                                         0        \n"
        "\n");
}

TEST_CASE("d aggregations: lquantize has a row below and a row above") {
  DScene scene("BEGIN { @ = lquantize(arg0, 0, 20, 10); }");
  for (uint64_t value : {uint64_t{5}, uint64_t{25}, static_cast<uint64_t>(-1)}) {
    scene.probe.arguments = {value};
    scene.fire();
  }
  CHECK(scene.rest() ==
        "\n"
        "           value  ------------- Distribution ------------- count    \n"
        "             < 0 |@@@@@@@@@@@@@                            1        \n"
        "               0 |@@@@@@@@@@@@@                            1        \n"
        "              10 |                                         0        \n"
        "           >= 20 |@@@@@@@@@@@@@                            1        \n"
        "\n");
}

TEST_CASE("d aggregations: counts of both signs share a bar in the middle") {
  DScene scene("BEGIN { @ = lquantize(arg0, 0, 3, 1, arg1); }");
  scene.probe.arguments = {0, 5};
  scene.fire();
  scene.probe.arguments = {2, static_cast<uint64_t>(-5)};
  scene.fire();
  CHECK(scene.rest() ==
        "\n"
        "           value  ------------- Distribution ------------- count    \n"
        "             < 0                     |                     0        \n"
        "               0                     |@@@@@@@@@@           5        \n"
        "               1                     |                     0        \n"
        "               2           @@@@@@@@@@|                     -5       \n"
        "            >= 3                     |                     0        \n"
        "\n");
}

TEST_CASE("d aggregations: llquantize") {
  DScene scene("BEGIN { @ = llquantize(arg0, 10, 0, 1, 10); }");
  scene.probe.arguments = {35};
  scene.fire();
  CHECK(scene.rest().find("              20 |                                         0        \n"
                          "              30 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
                          "              40 |                                         0        \n") !=
        std::string::npos);
}

TEST_CASE("d aggregations: llquantize of small amounts and of negative values") {
  DScene scene("BEGIN { @ = llquantize(arg0, 2, 1, 2, 2); }");
  for (int64_t value : {0, 1, -1, 2, -5, -100, 8}) {
    scene.probe.arguments = {static_cast<uint64_t>(value)};
    scene.fire();
  }
  CHECK(scene.rest() ==
        "\n"
        "           value  ------------- Distribution ------------- count    \n"
        "           <= -8 |@@@@@@                                   1        \n"
        "              -4 |@@@@@@                                   1        \n"
        "              -2 |                                         0        \n"
        "       abs() < 2 |@@@@@@@@@@@@@@@@@                        3        \n"
        "               2 |@@@@@@                                   1        \n"
        "               4 |                                         0        \n"
        "            >= 8 |@@@@@@                                   1        \n"
        "\n");
}

TEST_CASE("d aggregations: an aggregation of nothing still has rows") {
  DScene scene("BEGIN { @ = quantize(1); clear(@); }");
  scene.fire();
  CHECK(scene.rest().find("               0 |                                         0        \n") !=
        std::string::npos);
}

TEST_CASE("d printa: formats take keys and values in turn") {
  CHECK(error_of("BEGIN { @a[arg0] = count(); printa(\"%s\", @a); }") == "D_PRINTF_ARG_TYPE 1:36");
  CHECK(error_of("BEGIN { @a[arg0] = count(); printa(\"%@s\", @a); }") == "D_PRINTF_AGG_CONV 1:36");
  CHECK(error_of("BEGIN { @a[arg0] = count(); printa(\"%*d\", @a); }") == "D_PRINTF_DYN_PROTO 1:36");
}

struct Counted : DScene {
  explicit Counted(const std::string& what)
      : DScene("BEGIN /arg0/ { @a[arg0, execname] = sum(arg0 * 10); @b[arg0, execname] = count(); } BEGIN /!arg0/ { " +
               what + " }") {
    style.quiet = true;
    for (uint64_t value : {3, 1, 2, 2}) {
      probe.arguments = {value};
      fire();
    }
    probe.arguments = {0};
  }
};

TEST_CASE("d printa: lines") {
  CHECK(Counted("printa(\"%-4d|%5s|%@d;\", @a);").fire() == "1   |   ls|10;3   |   ls|30;2   |   ls|40;");
  CHECK(Counted("printa(\"%d %s %@d %@5d;\", @a, @b);").fire() == "1 ls 10     1;3 ls 30     1;2 ls 40     2;");
  CHECK(Counted("printa(@b);").fire() ==
        "\n                1  ls                                                                1\n"
        "                3  ls                                                                1\n"
        "                2  ls                                                                2\n");
}

TEST_CASE("d aggregations: the end of a run shows those that no printa() has shown") {
  Counted scene("printa(\"%@d.\\n\", @a);");
  CHECK(scene.rest().find("               10\n") != std::string::npos);
  scene.fire();
  CHECK(scene.rest().find("               10\n") == std::string::npos);
  CHECK(scene.rest().find("                2\n") != std::string::npos);
}

TEST_CASE("d printa: orders") {
  auto ordered = [](DSortOrder order) {
    Counted scene("printa(\"%d=%@d \", @b);");
    scene.style.order = order;
    return scene.fire();
  };
  CHECK(ordered({.reverse = true}) == "2=2 3=1 1=1 ");
  CHECK(ordered({.by_key = true}) == "1=1 2=2 3=1 ");
  CHECK(ordered({.by_key = true, .reverse = true, .key_position = 1}) == "3=1 2=2 1=1 ");
}

TEST_CASE("d printa: a key that one aggregation lacks is 0 there, in the order of lines, too") {
  auto ordered = [](uint32_t position) {
    DScene scene(
        "BEGIN { @a[2] = sum(5); @a[3] = sum(-1); @b[1] = sum(7); @b[2] = sum(9); printa(\"%d=%@d,%@d \", @a, @b); }");
    scene.style.quiet = true;
    scene.style.sort_position = position;
    return scene.fire();
  };
  CHECK(ordered(0) == "3=-1,0 1=0,7 2=5,9 ");
  CHECK(ordered(1) == "3=-1,0 1=0,7 2=5,9 ");
  CHECK(ordered(2) == ordered(0));
}

TEST_CASE("d aggregations: trunc, clear, normalize") {
  CHECK(Counted("trunc(@a, 2); printa(\"%d=%@d \", @a);").fire() == "3=30 2=40 ");
  CHECK(Counted("trunc(@a, -1); printa(\"%d=%@d \", @a);").fire() == "1=10 ");
  CHECK(Counted("trunc(@a); printa(\"%d=%@d \", @a);").fire() == "");
  CHECK(Counted("trunc(@a, 0); printa(\"%d=%@d \", @a);").fire() == "");
  CHECK(Counted("clear(@a); printa(\"%d=%@d \", @a);").fire() == "1=0 2=0 3=0 ");
  CHECK(Counted("normalize(@a, 10); printa(\"%d=%@d \", @a); denormalize(@a); printa(\"%d=%@d \", @a);").fire() ==
        "1=1 3=3 2=4 1=10 3=30 2=40 ");
  CHECK(Counted("normalize(@a, 0); printa(\"%d=%@d \", @a);").fire() == "1=10 3=30 2=40 ");
}

TEST_CASE("d aggregations: stacks are keys") {
  DScene scene("BEGIN { @[ustack(2)] = count(); @m[umod(arg0)] = count(); }");
  scene.probe.frames = {33, 64, 80};
  scene.fire();
  CHECK(scene.rest() ==
        "\n              mod`f2+0x1\n              mod`f4\n                1\n"
        "  mod                                                               1\n");
}

TEST_CASE("d aggregations: what finds no room is dropped and counted") {
  DScene scene("BEGIN { @[arg0] = count(); }", {}, {.aggregation_bytes = 64});
  for (uint64_t i = 0; i < 10; i++) {
    scene.probe.arguments = {i};
    scene.fire();
  }
  CHECK(scene.machine->aggregations().rows(0).size() == 4);
  CHECK(scene.machine->aggregations().take_drops() == 6);
}

}  // namespace
}  // namespace strut::test
