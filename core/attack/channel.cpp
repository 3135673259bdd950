#include "core/attack/channel.h"

#include <algorithm>

namespace epsilens::attack {
namespace {

using Tokens = std::span<const std::size_t>;

/// Outputs or words of one row are of one kind.
auto kindIn(std::span<const Row> rows) {
    return [rows](std::size_t token) { return static_cast<std::size_t>(rows[token]); };
}

}  // namespace

Channel releasedWords(const engine::MetricSpace& space, const DistanceKernel& kernel,
                      std::span<const Row> outputs) {
    const auto read = [&space, &kernel, outputs](Tokens tokens, ChannelScratch& scratch,
                                                 const LikelihoodVisitor& visit) {
        scratch.row.resize(space.wordCount());
        const auto atOnce = static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(space));
        for (std::size_t first = 0; first < tokens.size(); first += atOnce) {
            std::vector<Row> some;
            for (const std::size_t token :
                 tokens.subspan(first, std::min(atOnce, tokens.size() - first))) {
                some.push_back(outputs[token]);
            }
            scratch.rows.load(space, some);
            for (std::size_t i = 0; i < some.size(); ++i) {
                const engine::MetricRow row = scratch.rows.finish(static_cast<std::int64_t>(i), 0);
                kernel.logColumn(row.distances, scratch.row.data());
                visit(first + i, scratch.row);
            }
        }
    };
    return {read, kindIn(outputs)};
}

Channel wordsSeen(std::span<const Row> text, Row words) {
    const auto read = [text, words](Tokens tokens, ChannelScratch& scratch,
                                    const LikelihoodVisitor& visit) {
        // ln 0, but finite: a sum of it with another number stays a number.
        constexpr float kNever = -1e6F;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            scratch.row.setConstant(words, kNever);
            if (const Row word = text[tokens[i]]; word >= 0) {
                scratch.row[word] = 0.0F;
            }
            visit(i, scratch.row);
        }
    };
    return {read, kindIn(text)};
}

Channel nothingSeen(Row words) {
    const auto read = [words](Tokens tokens, ChannelScratch& scratch,
                              const LikelihoodVisitor& visit) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            scratch.row.setZero(words);
            visit(i, scratch.row);
        }
    };
    return {read, [](std::size_t /*token*/) { return std::size_t{0}; }};
}

}  // namespace epsilens::attack
