#include "traces/readers/avt_reader.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/line_words.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

std::size_t count_of(const LineReader& lines, std::string_view word) {
  const bool digits = word.find_first_not_of("0123456789") == std::string_view::npos;
  const auto count = digits ? parse_integer(word) : std::nullopt;
  if (!count) lines.fail("E_COUNT", fmt::format("the count \"{}\" is not a whole number of 0 or more", word));
  return static_cast<std::size_t>(*count);
}

}  // namespace

AvailabilityTrace read_avt(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file);
  SpellList spells(options, file);
  std::string_view line;
  while (lines.next(line)) {
    const auto& words = lines.words(line);
    if (words.size() < 2) lines.fail("E_FIELDS", "the count is missing; write `node count start end start end ...`");
    const std::string node(words[0]);
    const std::size_t count = count_of(lines, words[1]);
    if (words.size() % 2 != 0 || (words.size() - 2) / 2 != count)
      lines.fail("E_COUNT", fmt::format("{} announces {}, but {} follow; there must be two per spell", node,
                                        counted(count, "spell"), counted(words.size() - 2, "time")));
    if (spells.knows(node))
      lines.fail("E_DUPHOST", fmt::format("node {} occurs twice in the file; write one line per node", node));
    Spell spell;
    spell.history = spells.history(node);
    spell.line = lines.line();
    double before = 0;
    for (std::size_t i = 2; i < words.size(); ++i) {
      const auto time = to_seconds(words[i], options.unit);
      if (!time) lines.fail("E_NUMBER", fmt::format("\"{}\" is not a number of seconds", words[i]));
      if (i > 2 && *time < before)
        lines.fail("E_ORDER",
                   fmt::format("{} follows {}; the times of a node must not decrease", words[i], words[i - 1]));
      before = *time;
      (i % 2 == 0 ? spell.start : spell.end) = *time;
      if (i % 2 == 1) spells.add(spell);
    }
  }
  return spells.finish();
}

bool accepts_avt(std::string_view line, bool, const ReadingOptions&) {
  const Words words = words_of(line);
  if (words.size() < 2) return false;
  const auto count = parse_integer(words[1]);
  return count && *count >= 0 && words.size() % 2 == 0 && (words.size() - 2) / 2 == static_cast<std::size_t>(*count);
}

}  // namespace coterie::traces
