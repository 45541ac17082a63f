#include "traces/readers/line_words.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace coterie::traces {

void split_words(std::string_view line, Words& words) {
  constexpr std::string_view kBlanks = " \t";
  words.clear();
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
}

Words words_of(std::string_view line) {
  Words words;
  split_words(line, words);
  return words;
}

Words fields_of(std::string_view line) {
  Words fields = split(line, ',');
  for (std::string_view& field : fields) field = trimmed(field);
  return fields;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace coterie::traces
