#pragma once

#include <string>
#include <utility>

namespace coterie::sim {

/// Asks the system to start writing the cached part of a file to disk, so that there is less to wait for at the end. A
/// hint: failures are ignored.
void flush_ahead(const std::string& path);

/// Flushes an open file to disk and closes it; `path` is for messages. Throws RuntimeError. This must be the descriptor
/// that was written through: one opened later might not report a failure.
void flush_and_close(int file, const std::string& path);

/// Flushes the names in a folder to disk: until then a crash of the machine may undo the creation or removal of a file.
/// Throws RuntimeError.
void flush_folder(const std::string& path);

/// The same for the folder that a file lies in.
void flush_folder_of(const std::string& path);

/// Removes a temporary file, if it still exists, on destruction: a failed write leaves nothing behind on the disk.
class RemovedUnlessPublished {
 public:
  explicit RemovedUnlessPublished(std::string temporary) : temporary_(std::move(temporary)) {}
  ~RemovedUnlessPublished();
  /// Gives the file, written and flushed, its final name, so that it survives a crash of the machine. Readers see
  /// either the old file or the complete new one. Throws RuntimeError.
  void publish(const std::string& path);
  RemovedUnlessPublished(const RemovedUnlessPublished&) = delete;
  RemovedUnlessPublished& operator=(const RemovedUnlessPublished&) = delete;

 private:
  std::string temporary_;
};

/// Writes a text file in this way, through PATH.tmp, which others who write the same file wait for; if PATH is a link,
/// writes its target. Throws InputError for what output_target refuses, RuntimeError if it cannot be written.
void write_text_durably(const std::string& path, const std::string& text);

}  // namespace coterie::sim
