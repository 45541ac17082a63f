#include "traces/readers/line_words.hpp"

#include <algorithm>

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

bool holds(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace coterie::traces
