#include "core/attack/channel.h"

#include <algorithm>

namespace epsilens::attack {

void ReleasedWords::read(std::span<const std::int64_t> tokens, ChannelScratch& scratch,
                         const LikelihoodVisitor& visit) const {
    scratch.row.resize(m_space.wordCount());
    const auto atOnce = static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(m_space));
    for (std::size_t first = 0; first < tokens.size(); first += atOnce) {
        std::vector<Row> outputs;
        for (const std::int64_t token :
             tokens.subspan(first, std::min(atOnce, tokens.size() - first))) {
            outputs.push_back(m_outputs[static_cast<std::size_t>(token)]);
        }
        scratch.rows.load(m_space, outputs);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const engine::MetricRow row = scratch.rows.finish(static_cast<std::int64_t>(i), 0);
            m_kernel.logColumn(row.distances, scratch.row.data());
            visit(first + i, scratch.row);
        }
    }
}

void WordsSeen::read(std::span<const std::int64_t> tokens, ChannelScratch& scratch,
                     const LikelihoodVisitor& visit) const {
    // ln 0, but finite: a sum of it with another number stays a number.
    constexpr float kNever = -1e6F;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        scratch.row.setConstant(m_words, kNever);
        if (const Row word = m_text[static_cast<std::size_t>(tokens[i])]; word >= 0) {
            scratch.row[word] = 0.0F;
        }
        visit(i, scratch.row);
    }
}

}  // namespace epsilens::attack
