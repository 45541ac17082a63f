#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "core/errors.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/files/output_path.hpp"
#include "sim/report/page.hpp"
#include "sim/terminal/known_names.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"

namespace coterie::sim {

int report_verb(const Call& call) {
  namespace po = boost::program_options;
  Options options("report FILE.h5 [--output FILE.html] [--baseline NAME]",
                  "Writes one HTML page that needs no network: what was run, tables, curves along any axis, risks, "
                  "schedules, the provenance of the result and how to run it again.");
  options.add()("output", po::value<std::string>(), "the page to write (default: FILE.html beside FILE.h5)")(
      "baseline", po::value<std::string>(), "strategy to compare with instead of the campaign's");
  options.positional("FILE.h5", 1, 1);
  options.file("output", {".html", ".htm"});
  options.propose("baseline", strategy_names(call.catalogue));
  if (!options.parse(call)) return 0;
  const std::string& file = options.words().front();
  const std::string path = options.has("output")
                               ? options.output("output", "a report is an HTML page (a browser prints it to PDF)")
                               : std::filesystem::path(file).replace_extension(".html").string();
  const std::string target = output_target(path);
  protect_inputs(target, {file});
  const ResultFile result(file, call.catalogue);
  result.tell(warn);
  protect_inputs(target, result.provenance().located(result.path()).trace_paths());
  const ReportPictures pictures = report_pictures(result);
  write_text_durably(target,
                     report_page(report_data(result, options.text("baseline", ""), pictures.risks.get()), pictures));
  std::cout << path << '\n';
  return 0;
}

}  // namespace coterie::sim
