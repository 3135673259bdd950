#include "core/release/sanitizer.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/operating_system_stream.h"
#include "core/base/parallel.h"
#include "core/text/characters.h"
#include "core/text/tokenised_text.h"

namespace epsilens::release {

/// What becomes of a word.
enum class Fate { replace, mask, random, drop, keep, stop };

namespace {

/// In the order of the fates.
constexpr std::array kCountOf{&ReleaseCounts::replaced, &ReleaseCounts::masked,
                              &ReleaseCounts::random,   &ReleaseCounts::dropped,
                              &ReleaseCounts::kept,     &ReleaseCounts::stopWords};

/// Text below this size is not worth a task of its own.
constexpr std::size_t kLeastPart = 2048;

Fate fateOf(UnknownPolicy policy) {
    switch (policy) {
        case UnknownPolicy::mask:
            return Fate::mask;
        case UnknownPolicy::random:
            return Fate::random;
        case UnknownPolicy::drop:
            return Fate::drop;
        case UnknownPolicy::keep:
            break;
    }
    return Fate::keep;
}

bool isTyped(Fate fate) {
    return fate == Fate::keep || fate == Fate::stop;
}

struct Gap {
    std::int64_t hidden = 0;  ///< characters that may say something unseen
    bool separates = false;   ///< a reader sees that one word ends and another begins
};

/// What stands between two words.
Gap gapOf(std::string_view between) {
    Gap gap;
    for (std::size_t at = 0; at < between.size();) {
        const text::Character character = text::decode(between, at);
        const bool isHidden = text::isHidden(character.codePoint);
        gap.hidden += isHidden ? 1 : 0;
        gap.separates = gap.separates || !isHidden;
        at = character.end;
    }
    return gap;
}

}  // namespace

/// Lines that are treated together.
struct Sanitizer::Part {
    std::string_view source{};
    text::TokenisedText text{};
    std::vector<Fate> fates{};                  ///< one per word
    std::vector<Row> replaced{};                ///< rows of the words for the mechanism
    std::vector<std::int64_t> replacedLines{};  ///< line ends of the part before each of them
    std::int64_t lineEnds = 0;
    std::int64_t hiddenCharacters = 0;  ///< between words
    std::int64_t unchanged = 0;         ///< words that the mechanism returned as they were
    std::string rendered{};

    void keepApart(std::vector<std::string>& substitutes,
                   std::vector<std::string_view>& replacements) const;
};

/// Puts a blank before a word where nothing parts it from the one before: symbols that parted them
/// were words, and what stands for them, if anything, is none. Where that happens follows from
/// which words are unknown, and from no draw.
///
/// substitutes  room for what is written, one for each word
void Sanitizer::Part::keepApart(std::vector<std::string>& substitutes,
                                std::vector<std::string_view>& replacements) const {
    const auto isTypedSymbol = [this](std::size_t word) {
        return isTyped(fates[word]) && text.words[word].token.kind == text::TokenKind::symbol;
    };
    const std::size_t none = fates.size();
    std::size_t before = none;  // the word that nothing visible parts from this one
    std::size_t gapBegin = 0;
    for (std::size_t i = 0; i < fates.size(); ++i) {
        const text::TextRange& range = text.words[i].token.range;
        if (gapOf(source.substr(gapBegin, range.begin - gapBegin)).separates) {
            before = none;
        }
        gapBegin = range.end;
        if (replacements[i].empty()) {
            continue;
        }
        if (before != none && !isTypedSymbol(before) && !isTypedSymbol(i) &&
            !(before + 1 == i && isTyped(fates[before]) && isTyped(fates[i]))) {
            substitutes[i] = " " + std::string(replacements[i]);
            replacements[i] = substitutes[i];
        }
        before = i;
    }
}

Result<Sanitizer> Sanitizer::create(engine::SearchSpaceHandle space, WordReplacer& replacer,
                                    ReleasePolicies policies) {
    RETURN_IF_ERROR(checkMask(policies.mask));
    return Sanitizer(std::move(space), replacer, std::move(policies));
}

Sanitizer::Sanitizer(engine::SearchSpaceHandle space, WordReplacer& replacer,
                     ReleasePolicies policies)
    : m_space(std::move(space)),
      m_replacer(&replacer),
      m_policies(std::move(policies)),
      m_lookup(m_space->embedding().vocabulary(), m_policies.letterCase) {}

Result<std::string> Sanitizer::sanitize(std::string_view piece,
                                        std::span<const std::int64_t> documents, int threads,
                                        const JobContext& job) {
    std::deque<Part> parts = split(piece, threads);
    while (m_tokenisers.size() < parts.size()) {
        m_tokenisers.emplace_back();
    }
    parallelFor(std::ssize(parts), threads, [&](std::int64_t index) {
        const auto i = static_cast<std::size_t>(index);
        examine(parts[i], m_tokenisers[i]);
    });
    std::vector<Row> words;
    std::vector<std::int64_t> lines;  // of each, in the whole text
    std::vector<std::size_t> firsts{0};
    std::int64_t lineEnds = 0;
    for (const Part& part : parts) {
        words.insert(words.end(), part.replaced.begin(), part.replaced.end());
        for (const std::int64_t line : part.replacedLines) {
            lines.push_back(m_lineEnds + lineEnds + line);
        }
        firsts.push_back(words.size());
        lineEnds += part.lineEnds;
    }
    std::vector<Row> outputs(words.size());
    if (!m_policies.isConsistent) {
        m_replacer->replace(words, outputs, threads, job);
    } else if (documents.empty()) {
        drawConsistently(words, lines, outputs, threads, job);
    } else {
        std::vector<std::int64_t> ofWords;
        ofWords.reserve(lines.size());
        for (const std::int64_t line : lines) {
            ofWords.push_back(documents[static_cast<std::size_t>(line - m_lineEnds)]);
        }
        drawConsistently(words, ofWords, outputs, threads, job);
    }
    RETURN_IF_ERROR(job.checkStop());
    parallelFor(std::ssize(parts), threads, [&](std::int64_t index) {
        const auto i = static_cast<std::size_t>(index);
        render(parts[i], std::span(outputs).subspan(firsts[i], firsts[i + 1] - firsts[i]));
    });
    std::string released;
    for (const Part& part : parts) {
        released += part.rendered;
    }
    count(parts, lines, piece, released.size());
    return released;
}

bool Sanitizer::keepsStart(std::string_view text) {
    if (m_tokenisers.empty()) {
        m_tokenisers.emplace_back();
    }
    Part part;
    part.source = text;
    examine(part, m_tokenisers.front());
    return part.fates.empty() || part.text.words.front().token.range.begin > 0 ||
           isTyped(part.fates.front());
}

/// Draws each distinct word of a document once, also where it goes on in the next piece. What that
/// costs is derived in release.md.
///
/// documents  of each word, never falling
void Sanitizer::drawConsistently(std::span<const Row> words,
                                 std::span<const std::int64_t> documents, std::span<Row> outputs,
                                 int threads, const JobContext& job) {
    std::vector<Row> fresh;
    std::vector<std::size_t> places(words.size());
    const std::size_t known = m_drawn.size();
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (documents[i] != m_document) {
            m_document = documents[i];
            m_places.clear();
        }
        const auto [place, isNew] = m_places.emplace(words[i], known + fresh.size());
        if (isNew) {
            fresh.push_back(words[i]);
        }
        places[i] = place->second;
        m_mostDrawn = std::max(m_mostDrawn, std::ssize(m_places));
    }
    m_drawnCount += std::ssize(fresh);
    m_drawn.resize(known + fresh.size());
    m_replacer->replace(fresh, std::span(m_drawn).subspan(known), threads, job);
    for (std::size_t i = 0; i < words.size(); ++i) {
        outputs[i] = m_drawn[places[i]];
    }
    // Only the outputs of the document that may go on are kept.
    std::vector<Row> kept;
    for (auto& [word, place] : m_places) {
        kept.push_back(m_drawn[place]);
        place = kept.size() - 1;
    }
    m_drawn = std::move(kept);
}

/// Parts end behind line ends, where no word goes on.
std::deque<Sanitizer::Part> Sanitizer::split(std::string_view piece, int threads) const {
    const auto workers = static_cast<std::size_t>(threads > 0 ? threads : defaultThreadCount());
    const std::size_t size = std::max(kLeastPart, piece.size() / (2 * workers) + 1);
    std::deque<Part> parts;
    while (!piece.empty()) {
        const std::size_t lineEnd =
            piece.size() > size ? piece.find('\n', size - 1) : std::string_view::npos;
        const std::size_t end = lineEnd == std::string_view::npos ? piece.size() : lineEnd + 1;
        parts.emplace_back().source = piece.substr(0, end);
        piece.remove_prefix(end);
    }
    return parts;
}

void Sanitizer::examine(Part& part, text::Tokeniser& tokeniser) const {
    part.text = text::tokeniseText(std::string(part.source), tokeniser, m_lookup);
    if (m_policies.unknown == UnknownPolicy::mask) {
        text::joinPhrase(part.text, m_policies.mask);
    }
    const Fate unknown = fateOf(m_policies.unknown);
    std::size_t gapBegin = 0;
    std::size_t at = 0;
    const auto endLinesUpTo = [&](std::size_t end) {
        const std::string_view lines = part.source.substr(at, end - at);
        part.lineEnds += std::ranges::count(lines, '\n');
        at = end;
    };
    for (std::size_t i = 0; i < part.text.words.size(); ++i) {
        const text::Word& word = part.text.words[i];
        const text::TextRange& range = word.token.range;
        part.hiddenCharacters += gapOf(part.source.substr(gapBegin, range.begin - gapBegin)).hidden;
        gapBegin = range.end;
        const bool isStop = m_policies.stopWords != nullptr &&
                            m_policies.stopWords->contains(part.text.spelling(i));
        part.fates.push_back(isStop ? Fate::stop : word.row ? Fate::replace : unknown);
        if (part.fates.back() == Fate::replace) {
            part.replaced.push_back(*word.row);
            endLinesUpTo(range.begin);
            part.replacedLines.push_back(part.lineEnds);
        }
    }
    part.hiddenCharacters += gapOf(part.source.substr(gapBegin)).hidden;
    endLinesUpTo(part.source.size());
}

void Sanitizer::render(Part& part, std::span<const Row> outputs) const {
    const embedding::Vocabulary& vocabulary = m_space->embedding().vocabulary();
    std::vector<std::string> substitutes(part.fates.size());
    std::vector<std::string_view> replacements(part.fates.size());
    std::unique_ptr<OperatingSystemStream> stream;
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < part.fates.size(); ++i) {
        const auto substitute = [&](Row row) {
            substitutes[i] =
                text::applyCasePattern(vocabulary.word(row), part.text.words[i].pattern);
            replacements[i] = substitutes[i];
        };
        switch (part.fates[i]) {
            case Fate::replace:
                substitute(outputs[drawn]);
                part.unchanged += outputs[drawn++] == part.text.words[i].row ||
                                          replacements[i] == part.text.spelling(i)
                                      ? 1
                                      : 0;
                break;
            case Fate::random:
                stream = stream ? std::move(stream) : std::make_unique<OperatingSystemStream>();
                substitute(
                    static_cast<Row>(stream->below(static_cast<std::uint64_t>(vocabulary.size()))));
                break;
            case Fate::mask:
                replacements[i] = m_policies.mask;
                break;
            case Fate::drop:
                break;
            case Fate::keep:
            case Fate::stop:
                replacements[i] = part.text.spelling(i);
                break;
        }
    }
    part.keepApart(substitutes, replacements);
    part.rendered = text::render(part.text, replacements).text;
}

void Sanitizer::count(const std::deque<Part>& parts, std::span<const std::int64_t> lines,
                      std::string_view piece, std::size_t written) {
    if (piece.empty()) {
        return;
    }
    const bool wasWithinLine = std::exchange(m_withinLine, piece.back() != '\n');
    m_counts.lines += (m_withinLine ? 1 : 0) - (wasWithinLine ? 1 : 0);
    for (const Part& part : parts) {
        for (std::size_t i = 0; m_tell && i < part.fates.size(); ++i) {
            if (part.fates[i] != Fate::replace && part.fates[i] != Fate::stop) {
                m_tell(part.text.spelling(i));
            }
        }
        for (const Fate fate : part.fates) {
            ++m_counts.words;
            ++(m_counts.*kCountOf.at(static_cast<std::size_t>(fate)));
        }
        m_counts.lines += part.lineEnds;
        m_lineEnds += part.lineEnds;
        m_counts.hiddenCharacters += part.hiddenCharacters;
        m_unchanged += part.unchanged;
    }
    for (const std::int64_t line : lines) {
        if (line != m_line && m_line >= 0) {
            ++m_lengths[m_replacedInLine];
        }
        m_replacedInLine = line == m_line ? m_replacedInLine + 1 : 1;
        m_line = line;
        m_counts.mostReplacedInLine = std::max(m_counts.mostReplacedInLine, m_replacedInLine);
    }
    m_counts.drawn = m_drawnCount;
    m_counts.mostDrawn = m_mostDrawn;
    m_counts.bytesWritten += static_cast<std::int64_t>(written);
}

std::int64_t Sanitizer::medianReplacedInLine() const {
    auto lengths = m_lengths;
    std::int64_t lines = 0;
    if (m_line >= 0) {
        ++lengths[m_replacedInLine];
    }
    for (const auto& [words, count] : lengths) {
        lines += count;
    }
    std::int64_t before = lines / 2;
    for (const auto& [words, count] : lengths) {
        if (before < count) {
            return words;
        }
        before -= count;
    }
    return 0;
}

}  // namespace epsilens::release
