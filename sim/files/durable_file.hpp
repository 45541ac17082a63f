#pragma once

#include <string>
#include <utility>

namespace coterie::sim {

/// Asks the system to begin to write to disk what of a file is in memory, so that there is less to wait for at the end.
/// A hint: nothing is said where it fails.
void flush_ahead(const std::string& path);

/// Writes what an open file holds to disk, and closes it; `path` is for messages. Throws RuntimeError: what a file was
/// written through tells of a failure that one opened later might not hear of.
void flush_and_close(int file, const std::string& path);

/// Writes to disk which names a folder holds: until then a new file, or that one is gone, may be forgotten by a crash
/// of the machine. Throws RuntimeError.
void flush_folder(const std::string& path);

/// The same for the folder that a file lies in.
void flush_folder_of(const std::string& path);

/// Gives a file that is written and flushed its final name so that it outlasts a crash of the machine. Whoever looks
/// sees the file of before or the whole new one. Throws RuntimeError.
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
