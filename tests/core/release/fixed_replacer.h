#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "core/release/word_replacer.h"

namespace epsilens::test {

/// A replacer whose outputs are known: what surrounds the words can then be checked byte by byte.
class FixedReplacer final : public release::WordReplacer {
public:
    using Rule = std::function<embedding::Row(embedding::Row)>;
    explicit FixedReplacer(Rule rule) : m_rule(std::move(rule)) { m_guarantee.bound = 2.0; }

    [[nodiscard]] const mechanism::Guarantee& guarantee() const override { return m_guarantee; }
    void replace(std::span<const embedding::Row> words, std::span<embedding::Row> outputs, int,
                 const JobContext&) override {
        std::transform(words.begin(), words.end(), outputs.begin(), m_rule);
    }

private:
    Rule m_rule;
    mechanism::Guarantee m_guarantee{};
};

}  // namespace epsilens::test
