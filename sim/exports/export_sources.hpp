#pragma once

namespace coterie::sim {

/// The files of exports, which CMake builds into the program; @NAME@ is filled in.
extern const char* const kQueueWorker;
extern const char* const kQueueScript;
extern const char* const kQueueSbatch;
extern const char* const kQueueSubmit;
extern const char* const kListsSbatch;
extern const char* const kListsSubmit;

}  // namespace coterie::sim
