#include "core/text/lookup.h"

#include <cstddef>
#include <string>
#include <utility>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>

#include "core/base/ascii.h"
#include "core/text/characters.h"

namespace epsilens::text {

namespace {

constexpr char32_t kRightQuotationMark = U'\u2019';

std::string compose(std::string text) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* composer = icu::Normalizer2::getNFCInstance(status);
    if (U_FAILURE(status)) {
        return text;
    }
    const icu::StringPiece source(text.data(), static_cast<std::int32_t>(text.size()));
    if (composer->isNormalizedUTF8(source, status) != 0 || U_FAILURE(status)) {
        return text;
    }
    std::string result;
    icu::StringByteSink<std::string> sink(&result, static_cast<std::int32_t>(text.size()));
    composer->normalizeUTF8(0, source, sink, nullptr, status);
    return U_SUCCESS(status) ? result : text;
}

/// Typographic signs as vocabularies have them, what is not visible left out, letters composed.
std::string plainSpelling(std::string_view spelling) {
    std::string plain;
    plain.reserve(spelling.size());
    for (std::size_t at = 0; at < spelling.size();) {
        const Character character = decode(spelling, at);
        const char32_t codePoint = character.codePoint;
        if (codePoint == kRightQuotationMark) {
            plain += '\'';
        } else if (isHyphen(codePoint)) {
            plain += '-';
        } else if (!isUnseenInWord(codePoint)) {
            plain += spelling.substr(at, character.end - at);
        }
        at = character.end;
    }
    return compose(std::move(plain));
}

}  // namespace

Lookup::Lookup(const embedding::Vocabulary& vocabulary, CasePolicy policy)
    : m_vocabulary(&vocabulary), m_policy(decideCasePolicy(policy, vocabulary)) {}

std::optional<embedding::Row> Lookup::findInCase(std::string_view spelling) const {
    return m_policy == CasePolicy::lower ? m_vocabulary->find(toLower(spelling))
                                         : m_vocabulary->find(spelling);
}

std::optional<embedding::Row> Lookup::find(std::string_view spelling) const {
    const std::optional<embedding::Row> row = findInCase(spelling);
    if (row.has_value() || isAscii(spelling)) {
        return row;
    }
    const std::string plain = plainSpelling(spelling);
    return plain == spelling ? row : findInCase(plain);
}

}  // namespace epsilens::text
