#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/version.hpp"

namespace {

constexpr int kFailed = 1;
constexpr int kWrongInput = 2;
constexpr int kStopped = 3;

void print_help() {
  std::cout << "coterie shares a divisible workload among computers that may be interrupted.\n\n"
               "Usage: coterie VERB [...]     (coterie VERB --help tells more)\n\n";
  for (const auto& verb : coterie::sim::verbs()) std::cout << fmt::format("  {:10} {}\n", verb.name, verb.summary);
  std::cout << "\n  --version  version, git revision, compiler, libraries\n  --help     this text\n";
}

int run(const std::vector<std::string>& arguments) {
  using namespace coterie;
  if (arguments.empty()) throw InputError("a verb is missing (see coterie --help)");
  if (arguments[0] == "--help") {
    print_help();
    return 0;
  }
  if (arguments[0] == "--version") {
    std::cout << sim::version_text();
    return 0;
  }
  std::vector<std::string> names;
  for (const auto& verb : sim::verbs()) {
    if (verb.name == arguments[0]) return verb.run({arguments.begin() + 1, arguments.end()});
    names.push_back(verb.name);
  }
  throw InputError(
      fmt::format("unknown verb \"{}\"{} (see coterie --help)", arguments[0], suggestion(arguments[0], names)));
}

/// A closed standard stream would give its number to the next file that is opened, and messages would go into that.
void open_standard_streams() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number)
    if (::fcntl(number, F_GETFD) < 0) ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a failed write, with a message
  try {
    const int code = run({argv + 1, argv + argc});
    std::cout.flush();
    if (!std::cout) throw coterie::RuntimeError("standard output: cannot be written");
    return code;
  } catch (const coterie::InputError& error) {
    std::cerr << error.what() << '\n';
    return kWrongInput;
  } catch (const coterie::Stopped& error) {
    std::cerr << error.what() << '\n';
    return kStopped;
  } catch (const std::bad_alloc&) {
    std::cerr << "out of memory\n";
    return kFailed;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return kFailed;
  }
}
