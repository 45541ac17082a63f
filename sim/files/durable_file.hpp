#pragma once

#include <string>
#include <vector>

#include "sim/files/file_calls.hpp"

namespace coterie::sim {

/// Flushes the names in a folder to disk: until then a crash of the machine may undo the creation or removal of a file.
/// Throws RuntimeError.
void flush_folder(const std::string& path);

/// The same for the folder that a file lies in.
void flush_folder_of(const std::string& path);

/// Throws RuntimeError. A crash of the machine may undo it until the folder is flushed.
void rename_file(const std::string& from, const std::string& to);

/// Throws RuntimeError.
void remove_file(const std::string& path);

/// Of all that lies in a folder, in ascending order; none if there is no such folder. Throws RuntimeError.
std::vector<std::string> files_in(const std::string& folder);

/// A file while it is written. It lies beside the one that it becomes, under a name that nobody else has. Removed on
/// destruction unless published, so that a failed write leaves nothing behind on the disk; a kill does.
class TemporaryFile {
 public:
  /// Throws RuntimeError.
  explicit TemporaryFile(std::string target);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& target() const { return target_; }  ///< what it becomes, and what messages name
  const std::string& path() const { return path_; }
  int descriptor() const { return file_.get(); }  ///< for reading and writing
  /// Flushes it to disk and gives it the name of its target, so that it survives a crash of the machine. Readers see
  /// either the old file or the complete new one. Throws RuntimeError.
  void publish();

 private:
  std::string target_;
  std::string path_;
  Descriptor file_;
};

/// A name that nobody else has, for what becomes `target` or was it.
std::string temporary_name(const std::string& target);
/// The name of what a TemporaryFile is to become; empty for other names.
std::string target_of_temporary(const std::string& name);

/// Writes a text file in this way; if PATH is a link, writes its target. Throws InputError for what output_target
/// refuses, RuntimeError if it cannot be written.
void write_text_durably(const std::string& path, const std::string& text);

}  // namespace coterie::sim
