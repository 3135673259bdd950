#include "core/release/policies.h"

#include <utility>

#include <fmt/format.h>

#include "core/embedding/word_list.h"
#include "core/io/utf8.h"

namespace epsilens::release {
namespace {

embedding::Vocabulary inLowerCase(const embedding::Vocabulary& words) {
    embedding::Vocabulary lowered;
    for (embedding::Row row = 0; row < static_cast<embedding::Row>(words.size()); ++row) {
        lowered.add(text::toLower(words.word(row)));
    }
    return lowered;
}

}  // namespace

Result<UnknownPolicy> parseUnknownPolicy(std::string_view name) {
    for (const UnknownPolicy policy :
         {UnknownPolicy::mask, UnknownPolicy::random, UnknownPolicy::drop, UnknownPolicy::keep}) {
        if (name == unknownPolicyName(policy)) {
            return policy;
        }
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("unknown words: \"{}\" is not one of mask, random, drop, keep", name));
}

std::string_view unknownPolicyName(UnknownPolicy policy) {
    switch (policy) {
        case UnknownPolicy::mask:
            return "mask";
        case UnknownPolicy::random:
            return "random";
        case UnknownPolicy::drop:
            return "drop";
        case UnknownPolicy::keep:
            return "keep";
    }
    return {};
}

StopWords::StopWords(const embedding::Vocabulary& words)
    : m_words(inLowerCase(words)), m_lookup(m_words, text::CasePolicy::lower) {}

bool StopWords::contains(std::string_view spelling) const {
    return m_lookup.find(spelling).has_value();
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
    if (mask.find_first_of("\r\n") != std::string_view::npos) {
        return fail(ErrorCode::invalidArgument,
                    "the mask holds a line end, which would change the lines of the text");
    }
    return {};
}

}  // namespace epsilens::release
