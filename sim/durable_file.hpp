#pragma once

#include <string>
#include <utility>

namespace coterie::sim {

/// Asks the system to begin to write to disk what of a file is in memory, so that publish_file has less to wait for.
/// A hint: nothing is said where it fails.
void flush_ahead(const std::string& path);

/// Gives a written and closed file its final name so that it outlasts a crash of the machine: its contents reach the
/// disk first, then the name. Whoever looks sees the file of before or the whole new one. Throws RuntimeError.
void publish_file(const std::string& temporary, const std::string& path);

/// Removes a temporary file, if it is still there when this goes: after a failed write nothing is left to fill a disk.
class RemovedUnlessPublished {
 public:
  explicit RemovedUnlessPublished(std::string temporary) : temporary_(std::move(temporary)) {}
  ~RemovedUnlessPublished();
  RemovedUnlessPublished(const RemovedUnlessPublished&) = delete;
  RemovedUnlessPublished& operator=(const RemovedUnlessPublished&) = delete;

 private:
  std::string temporary_;
};

/// Writes a text file that way, through PATH.tmp; where PATH is a link, what that leads to. Throws InputError for what
/// output_target refuses.
void write_text_durably(const std::string& path, const std::string& text);

}  // namespace coterie::sim
