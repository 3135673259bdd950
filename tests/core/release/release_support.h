#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/random_stream.h"
#include "core/engine/search_space.h"
#include "core/release/word_replacer.h"

namespace epsilens::test {

/// A search space over these words, at 0, 1, 2, … on a line.
[[nodiscard]] inline engine::SearchSpaceHandle wordSpace(std::vector<std::string_view> words) {
    embedding::Embedding embedding;
    embedding.vectors.resize(static_cast<Eigen::Index>(words.size()), 1);
    for (std::size_t i = 0; i < words.size(); ++i) {
        embedding.vocabulary.add(words[i]);
        embedding.vectors(static_cast<Eigen::Index>(i), 0) = static_cast<float>(i);
    }
    return std::make_shared<const engine::SearchSpace>(
        embedding::prepareEmbedding(std::move(embedding)).value());
}

/// A replacer whose outputs are known: what surrounds the words can then be checked byte by byte.
class FixedReplacer final : public release::WordReplacer {
public:
    using Rule = std::function<embedding::Row(embedding::Row)>;
    explicit FixedReplacer(Rule rule) : m_rule(std::move(rule)) { m_guarantee.bound = 2.0; }

    [[nodiscard]] const mechanism::Guarantee& guarantee() const override { return m_guarantee; }
    void replace(std::span<const embedding::Row> words, std::span<embedding::Row> outputs, int,
                 const JobContext&) override {
        std::ranges::transform(words, outputs.begin(), m_rule);
    }

private:
    Rule m_rule;
    mechanism::Guarantee m_guarantee{};
};

/// Text of pieces that tokenisers and line counting trip over, in random order; UTF-8.
[[nodiscard]] inline std::string awkwardText(std::uint64_t seed, int pieces) {
    using std::string_view_literals::operator""sv;
    static constexpr std::array kPieces{
        "one"sv,     "Two"sv,    "THREE"sv,    "four-two"sv, "don’t"sv,
        "Don't"sv,   "blorp"sv,  "#one"sv,     "@two"sv,     "http://a.b/c,"sv,
        "3.14"sv,    "U.S."sv,   " "sv,        " "sv,        " "sv,
        "  "sv,      "\t"sv,     "\n"sv,       "\n"sv,       "\r\n"sv,
        "\r"sv,      "\n\n"sv,   "."sv,        ", "sv,       "…"sv,
        "-"sv,       "--"sv,     "—"sv,        "'"sv,        "’"sv,
        "\x01"sv,    "\uFFFD"sv, "\x7f"sv,     "\u0085"sv,   "\u2029"sv,
        "e\u0301"sv, "\u0301"sv, "\u00a0"sv,   "\u200b"sv,   "\u2028"sv,
        "\u202e"sv,  "שלום"sv,   "漢字かな"sv, "ไทยภาษา"sv,  "👩‍👩‍👧"sv,
        "🇩🇪"sv,      "ß"sv,      "İ"sv,        "ǆ"sv,        "one\u00adtwo"sv,
        "\ufeff"sv,  "$5"sv,     "<unk>"sv,    "x=1"sv};
    SeededStream stream(StreamKey{seed, StreamPurpose::sentence, 0, 0});
    std::string text;
    for (int i = 0; i < pieces; ++i) {
        text += kPieces[stream.below(kPieces.size())];
    }
    return text;
}

}  // namespace epsilens::test
