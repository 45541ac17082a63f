#include "sim/command_line/command_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <new>
#include <span>
#include <string_view>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "core/vector_loops.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/run/ranks.hpp"
#include "sim/terminal/painted.hpp"
#include "sim/terminal/printable_output.hpp"

namespace coterie::sim {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongInput = 2;
constexpr int kStopped = 3;

/// A message with long words of the command line shortened, also the parts of words before and after "=".
std::string shortened(std::string message, std::span<char* const> words) {
  for (const std::string_view word : words) {
    message = with_echoed(std::move(message), word);
    for (std::size_t equals = word.find('='); equals != std::string_view::npos; equals = word.find('=', equals + 1)) {
      message = with_echoed(std::move(message), trimmed(word.substr(equals + 1)));
      message = with_echoed(std::move(message), trimmed(word.substr(0, equals)));
    }
  }
  return message;
}

int run(const Catalogue& catalogue, const std::vector<std::string>& arguments) {
  const std::string& program = catalogue.program();
  if (arguments.empty()) throw InputError(fmt::format("a verb is missing (see {} --help)", program));
  const bool help = arguments[0] == "--help" || arguments[0] == "-h";
  if ((help || arguments[0] == "--version") && arguments.size() > 1)
    throw InputError(fmt::format("stray word \"{}\" after {}{}", arguments[1], arguments[0],
                                 help ? fmt::format(" (see {} help VERB)", program) : ""));
  if (help) return help_verb({catalogue, {}});
  if (arguments[0] == "--version") {
    std::cout << catalogue.version_text() << "MPI       " << Ranks::library() << '\n';
    return 0;
  }
  const Verb& verb = find_verb(program, arguments[0]);
  return verb.run({catalogue, {arguments.begin() + 1, arguments.end()}});
}

/// While one exists, a refused request for memory ends the process at once, with a message: files are safe at every
/// moment, but libraries would go on with half of their data (streams) or crash (JSON values).
class OutOfMemory {
 public:
  OutOfMemory() : before_(std::set_new_handler(end)) {}
  ~OutOfMemory() { std::set_new_handler(before_); }
  OutOfMemory(const OutOfMemory&) = delete;
  OutOfMemory& operator=(const OutOfMemory&) = delete;

  [[noreturn]] static void end() {
    constexpr std::string_view kMessage =
        "out of memory: ask for fewer workers, chunks, instances, trials, configurations or threads; what a run has "
        "saved is kept, and --resume continues it\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
    ::_exit(kFailed);
  }

 private:
  std::new_handler before_;
};

/// Otherwise the next file that is opened would get the number of a closed standard stream, and messages would go into
/// it.
void open_standard_streams() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number)
    if (::fcntl(number, F_GETFD) < 0) ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int command_line(const Extension& extension, int argc, char** argv) {
  const OutOfMemory watch;
  open_standard_streams();
  const PrintableOutput answers(std::cout, STDOUT_FILENO);
  const PrintableOutput messages(std::cerr, STDERR_FILENO);
  const auto tell = [&](const std::string& problem, Look look = Look::kError) {
    const std::size_t command = std::min(problem.find("continue with: "), problem.size());  // must stay whole
    const std::span words(argv, static_cast<std::size_t>(argc));
    std::cerr << Painted{look, shortened(problem.substr(0, command), words) + problem.substr(command)} << '\n';
  };
  std::signal(SIGXFSZ, SIG_IGN);  // reaching a file size limit is a failed write with a message
  try {
    vector_loops();  // COTERIE_LOOPS is refused here, not in the midst of a search
    const Catalogue catalogue(extension);
    const int code = run(catalogue, {argv + 1, argv + argc});
    std::cout.flush();
    if (!std::cout) throw RuntimeError("standard output: cannot be written");
    return code;
  } catch (const InputError& error) {
    tell(error.what());
    return kWrongInput;
  } catch (const Stopped& error) {
    tell(error.what(), Look::kWarning);
    return kStopped;
  } catch (const std::filesystem::filesystem_error& error) {
    tell(fmt::format("{}: {}", error.path1().string(), error.code().message()));
    return kFailed;
  } catch (const std::bad_alloc&) {
    OutOfMemory::end();
  } catch (const std::exception& error) {
    tell(error.what());
    return kFailed;
  }
}

}  // namespace coterie::sim
