#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "sim/command_line/known_names.hpp"
#include "sim/command_line/options.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/durable_file.hpp"
#include "sim/report/page.hpp"

namespace coterie::sim {

int report_verb(const Call& call) {
  namespace po = boost::program_options;
  Options options("report FILE.h5 [--output FILE.html] [--baseline NAME]",
                  "Writes one HTML page that needs no network: what was run, tables, curves along any axis, risks, "
                  "schedules, where it comes from and how to run it again.");
  options.add()("output", po::value<std::string>(), "the page; default: FILE.html beside FILE.h5")(
      "baseline", po::value<std::string>(), "strategy to compare with, in place of the campaign's");
  options.positional("FILE.h5", 1, 1);
  options.file("output", {".html"});
  options.propose("baseline", strategy_names(call.catalogue));
  if (!options.parse(call)) return 0;
  const std::string& file = options.words().front();
  const std::string path = options.text("output", std::filesystem::path(file).replace_extension(".html").string());
  if (path.empty() || std::filesystem::path(path) == std::filesystem::path(file))
    throw InputError(fmt::format("--output \"{}\": give the page a name of its own", path));
  const ResultFile result(file, call.catalogue);
  write_text_durably(path, report_page(report_data(result, options.text("baseline", "")), report_pictures(result)));
  std::cout << path << '\n';
  return 0;
}

}  // namespace coterie::sim
