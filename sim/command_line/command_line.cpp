#include "sim/command_line/command_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <new>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/memory_limit.hpp"
#include "sim/out_of_memory.hpp"
#include "sim/parallel.hpp"

namespace coterie::sim {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongInput = 2;
constexpr int kStopped = 3;

void print_help(const std::string& program) {
  std::cout << fmt::format(
      "{0} shares a divisible workload among computers that may be interrupted.\n\n"
      "Usage: {0} VERB [...]     ({0} VERB --help tells more)\n\n",
      program);
  for (const auto& verb : verbs()) std::cout << fmt::format("  {:11} {}\n", verb.name, verb.summary);
  std::cout << "\n  --version  version, git revision, compiler, libraries\n  --help     this text\n";
}

int run(const Catalogue& catalogue, const std::vector<std::string>& arguments) {
  const std::string& program = catalogue.program();
  if (arguments.empty()) throw InputError(fmt::format("a verb is missing (see {} --help)", program));
  if (arguments[0] == "--help") {
    print_help(program);
    return 0;
  }
  if (arguments[0] == "--version") {
    std::cout << catalogue.version_text();
    return 0;
  }
  std::vector<std::string> names;
  for (const auto& verb : verbs()) {
    if (verb.name == arguments[0]) return verb.run({catalogue, {arguments.begin() + 1, arguments.end()}});
    names.push_back(verb.name);
  }
  throw InputError(
      fmt::format("unknown verb \"{}\"{} (see {} --help)", arguments[0], suggestion(arguments[0], names), program));
}

/// A closed standard stream would give its number to the next file that is opened, and messages would go into that.
void open_standard_streams() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number)
    if (::fcntl(number, F_GETFD) < 0) ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int command_line(const Extension& extension, int argc, char** argv) {
  open_standard_streams();
  keep_freed_memory();
  limit_memory(thread_count(0));
  const MemoryWatch watch;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a failed write, with a message
  try {
    const Catalogue catalogue(extension);
    const int code = run(catalogue, {argv + 1, argv + argc});
    std::cout.flush();
    if (!std::cout) throw RuntimeError("standard output: cannot be written");
    return code;
  } catch (const InputError& error) {
    std::cerr << error.what() << '\n';
    return kWrongInput;
  } catch (const Stopped& error) {
    std::cerr << error.what() << '\n';
    return kStopped;
  } catch (const std::bad_alloc&) {
    std::cerr << out_of_memory() << '\n';
    return kFailed;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return kFailed;
  }
}

}  // namespace coterie::sim
