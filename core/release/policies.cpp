#include "core/release/policies.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/base/enum_names.h"
#include "core/embedding/load.h"
#include "core/io/text_decoder.h"
#include "core/text/characters.h"

namespace epsilens::release {
namespace {

constexpr EnumNames<UnknownPolicy, 4> kUnknownPolicies{{{"mask", UnknownPolicy::mask},
                                                        {"random", UnknownPolicy::random},
                                                        {"drop", UnknownPolicy::drop},
                                                        {"keep", UnknownPolicy::keep}}};

embedding::Vocabulary inLowerCase(const embedding::Vocabulary& words) {
    embedding::Vocabulary lowered;
    for (embedding::Row row = 0; row < static_cast<embedding::Row>(words.size()); ++row) {
        lowered.add(text::toLower(words.word(row)));
    }
    return lowered;
}

bool holdsUnseen(std::string_view spelling) {
    for (std::size_t at = 0; at < spelling.size();) {
        const text::Character character = text::decode(spelling, at);
        if (text::isUnseenInWord(character.codePoint)) {
            return true;
        }
        at = character.end;
    }
    return false;
}

/// Line ends, and what some programs take for them: vertical tab, form feed, the separators of
/// files, groups and records, next line, and Unicode's separators of lines and paragraphs.
bool separatesLines(char32_t codePoint) {
    return (codePoint >= 0x0A && codePoint <= 0x0D) || (codePoint >= 0x1C && codePoint <= 0x1E) ||
           codePoint == 0x85 || codePoint == 0x2028 || codePoint == 0x2029;
}

}  // namespace

Result<UnknownPolicy> parseUnknownPolicy(std::string_view name) {
    return valueIn(kUnknownPolicies, name);
}

std::string_view unknownPolicyName(UnknownPolicy policy) {
    return nameIn(kUnknownPolicies, policy);
}

StopWords::StopWords(const embedding::Vocabulary& words)
    : m_words(inLowerCase(words)), m_lookup(m_words, text::CasePolicy::lower) {}

bool StopWords::contains(std::string_view spelling) const {
    return holdsUnseen(spelling) ? m_words.find(text::toLower(spelling)).has_value()
                                 : m_lookup.find(spelling).has_value();
}

Result<StopWordsHandle> readStopWords(const std::string& path, std::stop_token stop) {
    return embedding::readWordList(path, std::move(stop))
        .map([](const embedding::Vocabulary& words) -> StopWordsHandle {
            return std::make_shared<const StopWords>(words);
        });
}

Result<void> checkMask(std::string_view mask) {
    if (!io::isValidUtf8(mask)) {
        return fail(ErrorCode::invalidArgument, "the mask is not valid UTF-8");
    }
    for (std::size_t at = 0; at < mask.size();) {
        const text::Character character = text::decode(mask, at);
        if (separatesLines(character.codePoint)) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("the mask holds a line separator (U+{:04X}), which would "
                                    "change the lines of the text; leave it out",
                                    static_cast<std::uint32_t>(character.codePoint)));
        }
        at = character.end;
    }
    return {};
}

}  // namespace epsilens::release
