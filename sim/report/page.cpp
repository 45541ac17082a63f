#include "sim/report/page.hpp"

#include <fmt/format.h>

#include <string_view>

#include "sim/drawing/svg.hpp"
#include "sim/report/page_sources.hpp"
#include "sim/report/plain_names.hpp"

namespace coterie::sim {
namespace {

void put_in(std::string& page, std::string_view where, const std::string& what) {
  const std::size_t at = page.find(where);
  if (at == std::string::npos) throw std::logic_error(fmt::format("page.html has no {}", where));
  page.replace(at, where.size(), what);
}

/// JSON that may be put into a script element: nothing of a file can end the element or begin a comment.
std::string script_json(const nlohmann::ordered_json& data) {
  std::string text;
  for (const char c : data.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)) {
    if (c == '<' || c == '>' || c == '&') {
      text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string report_page(const nlohmann::ordered_json& data, const ReportPictures& report) {
  std::string figures;
  if (!report.problem.empty())
    figures = fmt::format("<p class=\"problem\">No schedule is drawn: {}</p>\n", svg_escaped(report.problem));
  for (const Picture& picture : report.pictures)
    figures += fmt::format("<figure><figcaption>{}</figcaption><div class=\"wide\">{}</div></figure>\n",
                           svg_escaped(without_folders(picture.caption)), picture.svg);
  std::string page = kPageHtml;
  put_in(page, "/*CSS*/", std::string(kPlotCss) + kPageCss);
  put_in(page, "/*PLOT*/", fmt::format("/*\n{}\n*/\n{}", kPlotLicence, kPlotJs));
  put_in(page, "/*JS*/", kPageJs);
  put_in(page, "/*STYLES*/", kStyles);
  // What comes from files has no "<" left, so that none of it is taken for one of these places.
  const bool titled = !data["title"].get<std::string>().empty();
  put_in(page, "<!--TITLE-->", svg_escaped(data[titled ? "title" : "file"].get<std::string>()));
  put_in(page, "<!--WORDS-->", svg_escaped(data["words"].get<std::string>()));
  put_in(page, "<!--DATA-->", script_json(data));
  put_in(page, "<!--FIGURES-->", figures);
  return page;
}

}  // namespace coterie::sim
