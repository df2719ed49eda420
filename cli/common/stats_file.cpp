#include "cli/common/stats_file.hpp"

#include <cerrno>
#include <cinttypes>
#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>

#include "base/owned_fd.hpp"

namespace strut {
namespace {

constexpr double kNsPerMs = 1e6;

Result<void> write_text(const std::string& file, const std::string& text) {
  FILE* stream = std::fopen(file.c_str(), "we");
  if (!stream) return fail({errno, "--stats", file, {}, {}});
  bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  int error = errno;
  if (std::fclose(stream) != 0 && written) written = false, error = errno;
  if (!written) return fail({error, "--stats", file, {}, {}});
  return {};
}

}  // namespace

std::string stats_json(std::string_view backend, const BackendStats& stats) {
  char text[512];
  std::snprintf(text, sizeof text,
                "{\"backend\":\"%.*s\",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"unseen\":%" PRIu64
                ",\"late\":%" PRIu64 ",\"held\":%" PRIu64 ",\"unfollowed\":%" PRIu64 ",\"startup_ms\":%.3f}\n",
                int(backend.size()), backend.data(), stats.events, stats.lost, stats.unseen, stats.late, stats.held,
                stats.unfollowed, double(stats.startup_ns) / kNsPerMs);
  return text;
}

std::string stats_json(std::string_view engine, const DEngineCounts& counts, const DSessionCounts& session) {
  char text[512];
  std::snprintf(text, sizeof text,
                "{\"backend\":\"%.*s\",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"probes\":%" PRIu64
                ",\"instructions\":%" PRIu64 ",\"refused\":%" PRIu64 ",\"startup_ms\":%.3f}\n",
                int(engine.size()), engine.data(), counts.fired, session.dropped, session.probes, counts.armed,
                session.refused, double(counts.startup_ns) / kNsPerMs);
  return text;
}

Result<void> check_stats_file(const std::string& file) {
  struct stat status{};
  bool is_other = ::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode);  // a reader would see a pipe's end
  if (file.empty() || is_other || OwnedFd(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666))) return {};
  return fail({errno, "--stats", file, {}, {}});
}

Result<void> write_stats(const std::string& file, const Backend& backend) {
  return write_text(file, stats_json(backend.name(), backend.stats()));
}

Result<void> write_stats(const std::string& file, std::string_view engine, const DEngineCounts& counts,
                         const DSessionCounts& session) {
  return write_text(file, stats_json(engine, counts, session));
}

}  // namespace strut
