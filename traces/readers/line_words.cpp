#include "traces/readers/line_words.hpp"

#include "core/text.hpp"

namespace coterie::traces {

Words words_of(std::string_view line) {
  Words words;
  for (const std::string_view word : split(line, ' '))
    for (const std::string_view part : split(word, '\t'))
      if (!part.empty()) words.push_back(part);
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

bool holds(const Words& words, std::string_view word) { return is_one_of(words, word); }

}  // namespace coterie::traces
