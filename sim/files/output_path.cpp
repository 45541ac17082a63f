#include "sim/files/output_path.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "core/errors.hpp"

namespace coterie::sim {

namespace fs = std::filesystem;

std::string followed(const std::string& path) {
  constexpr int kMostLinks = 40;  // as the system
  fs::path at = path;
  std::error_code failure;
  for (int links = 0; fs::is_symlink(fs::symlink_status(at, failure)); ++links) {
    if (links == kMostLinks) throw InputError(path + ": is part of a loop of links; remove it, or name another file");
    const fs::path next = fs::read_symlink(at, failure);
    if (failure) throw RuntimeError(fmt::format("{}: the link cannot be read: {}", path, failure.message()));
    at = at.parent_path() / next;
  }
  return at.string();
}

std::string output_target(const std::string& path) {
  if (path.empty()) throw InputError("the output needs a name");
  const std::string target = followed(path);
  std::error_code failure;
  const fs::file_status status = fs::status(target, failure);
  if (fs::is_directory(status)) throw InputError(path + ": is a directory; name a file");
  if (fs::exists(status) && !fs::is_regular_file(status)) throw InputError(path + ": is not a regular file");
  if (target != path && !fs::exists(status))
    throw InputError(
        fmt::format("{}: is a link to {}, which does not exist; name that, or remove the link", path, target));
  return target;
}

void protect_inputs(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code failure;
    if (fs::equivalent(output, input, failure) && !failure)
      throw InputError(
          fmt::format("{}: is the input {}, which would be lost; give the output another name", output, input));
  }
}

void protect_from_standard_output(const std::string& input) {
  struct stat out = {};
  struct stat in = {};
  if (::fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode) && ::stat(input.c_str(), &in) == 0 &&
      out.st_dev == in.st_dev && out.st_ino == in.st_ino)
    throw InputError(input + ": is also the target of standard output; redirect that to another file");
}

}  // namespace coterie::sim
