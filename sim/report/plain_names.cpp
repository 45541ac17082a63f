#include "sim/report/plain_names.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace coterie::sim {

std::string without_folders(const std::string& text) {
  constexpr std::string_view kKey = "file=";
  std::string plain;
  std::size_t from = 0;
  for (std::size_t at = text.find(kKey); at != std::string::npos; at = text.find(kKey, from)) {
    std::size_t begin = at + kKey.size();
    const bool quoted = begin < text.size() && text[begin] == '"';
    if (quoted) ++begin;
    const std::size_t end = std::min(text.find_first_of(quoted ? "\"" : ",)", begin), text.size());
    const std::size_t slash = text.substr(0, end).rfind('/');
    plain += text.substr(from, begin - from);
    from = slash != std::string::npos && slash >= begin ? slash + 1 : begin;
    plain += text.substr(from, end - from);
    from = end;
  }
  return plain + text.substr(from);
}

std::vector<std::string> plain_names(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (const std::string& text : texts) names.push_back(without_folders(text));
  return std::set<std::string>(names.begin(), names.end()).size() == names.size() ? names : texts;
}

}  // namespace coterie::sim
