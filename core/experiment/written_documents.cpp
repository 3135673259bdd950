#include "core/experiment/written_documents.h"

#include <string_view>

#include "core/base/parallel.h"
#include "core/text/lookup.h"
#include "core/text/tokenised_text.h"

namespace epsilens::experiment {
namespace {

constexpr std::int64_t kDocumentsPerTask = 64;

class Writer {
public:
    Writer(const embedding::Vocabulary& vocabulary, const ReplacementPolicies& policies)
        : m_vocabulary(vocabulary),
          m_policies(policies),
          m_lookup(vocabulary, policies.letterCase) {}

    /// outputs  one for each word of the text
    [[nodiscard]] std::string write(const std::string& text, std::span<const Row> outputs,
                                    text::Tokeniser& tokeniser) const {
        const text::TokenisedText typed = tokeniseDocument(text, tokeniser, m_lookup, m_policies);
        std::vector<std::string> substitutes(outputs.size());
        std::vector<std::string_view> replacements(outputs.size());
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const text::Word& word = typed.words[i];
            if (outputs[i] >= 0 && outputs[i] != word.row) {
                substitutes[i] =
                    text::applyCasePattern(m_vocabulary.word(outputs[i]), word.pattern);
                replacements[i] = substitutes[i];
            } else if (outputs[i] == kMasked &&
                       m_policies.unknown == release::UnknownPolicy::mask) {
                replacements[i] = m_policies.mask;
            } else if (outputs[i] != kDropped) {
                replacements[i] = typed.spelling(i);
            }
        }
        return text::render(typed, replacements).text;
    }

private:
    const embedding::Vocabulary& m_vocabulary;
    const ReplacementPolicies& m_policies;
    text::Lookup m_lookup;
};

}  // namespace

std::vector<std::string> writeDocuments(const DataSet& data,
                                        const embedding::Vocabulary& vocabulary,
                                        const ReplacementPolicies& policies,
                                        std::span<const std::int64_t> documents,
                                        const PerturbedPool& pool, std::size_t setting,
                                        int threads) {
    const Writer writer(vocabulary, policies);
    const auto count = static_cast<std::int64_t>(documents.size());
    std::vector<std::string> texts(documents.size());
    parallelFor(
        (count + kDocumentsPerTask - 1) / kDocumentsPerTask, threads, [&](std::int64_t task) {
            text::Tokeniser tokeniser;
            const std::int64_t begin = task * kDocumentsPerTask;
            const std::int64_t end = std::min(begin + kDocumentsPerTask, count);
            for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
                const auto document = static_cast<std::size_t>(documents[i]);
                texts[i] = writer.write(data.documents[document].text, pool.document(setting, i),
                                        tokeniser);
            }
        });
    return texts;
}

}  // namespace epsilens::experiment
