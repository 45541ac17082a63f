#pragma once

#include <string>
#include <utility>

#include "sim/files/file_calls.hpp"

namespace coterie::sim {

/// Flushes an open file to disk and closes it; `path` is for messages. Throws RuntimeError. It must have been opened
/// before anything was written: the system tells a failure only to those who have the file open then.
void flush_and_close(Descriptor file, const std::string& path);

/// Flushes the names in a folder to disk: until then a crash of the machine may undo the creation or removal of a file.
/// Throws RuntimeError.
void flush_folder(const std::string& path);

/// The same for the folder that a file lies in.
void flush_folder_of(const std::string& path);

/// Throws RuntimeError. A crash of the machine may undo it until the folder is flushed.
void rename_file(const std::string& from, const std::string& to);

/// A temporary file, which is removed on destruction, if it still exists: a failed write leaves nothing behind on the
/// disk.
class RemovedUnlessPublished {
 public:
  /// Throws what create_file does, and then removes nothing.
  explicit RemovedUnlessPublished(std::string temporary) : temporary_(std::move(temporary)) { create_file(temporary_); }
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
