#include "core/corpus/perturber.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/ordered.h"
#include "core/base/parallel.h"
#include "core/corpus/streams.h"
#include "core/engine/selection_draws.h"
#include "core/text/lookup.h"
#include "core/text/tokenised_text.h"

namespace epsilens::corpus {
namespace {

// Projections of a chunk of draws and distances of a group of words each take at most this much.
constexpr std::int64_t kDrawScratch = Perturber::kScratchBytes / 4;
constexpr std::int64_t kWordScratch = Perturber::kScratchBytes - kDrawScratch;
// More draws at once would only leave the cache.
constexpr std::int64_t kDrawsAtOnce = 128;
constexpr std::size_t kWordsPerTask = 8;

/// One search: the output of a word of a pool under a draw.
struct Search {
    std::int64_t draw = 0;    ///< of the block
    std::int64_t word = 0;    ///< index into the words of the batch
    std::uint32_t place = 0;  ///< in the outputs of the pool
};

/// Words of a pool that are replaced, by row, then place: each its row and which word it is.
using Replaced = std::vector<std::pair<Row, std::uint32_t>>;

std::span<const Replaced::value_type> occurrencesIn(const Replaced& replaced, Row row) {
    const auto from = [&](Row least) {
        return std::ranges::lower_bound(replaced, std::pair(least, std::uint32_t{0}));
    };
    return {from(row), from(row + 1)};
}

/// What tasks have to search for some words of a pool, each by rising draw.
std::vector<std::vector<Search>> searchesOf(std::span<const Row> group, const Replaced& replaced,
                                            std::uint64_t seed, std::uint32_t pool, int draws) {
    std::vector<std::vector<Search>> tasks((group.size() + kWordsPerTask - 1) / kWordsPerTask);
    for (std::size_t word = 0; word < group.size(); ++word) {
        const auto occurrences = occurrencesIn(replaced, group[word]);
        const auto order = drawOrder(seed, pool, group[word], draws, occurrences.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            tasks[word / kWordsPerTask].push_back(
                {order[i], static_cast<std::int64_t>(word), occurrences[i].second});
        }
    }
    std::erase_if(tasks, [](const std::vector<Search>& task) { return task.empty(); });
    for (std::vector<Search>& task : tasks) {
        std::ranges::sort(
            task, {}, [](const Search& search) { return std::pair(search.draw, search.place); });
    }
    return tasks;
}

int drawsFor(std::size_t occurrences) {
    constexpr int kLeast = 100;
    constexpr std::size_t kMost = 1024;
    return occurrences <= kLeast ? kLeast
                                 : static_cast<int>(std::min(std::bit_ceil(occurrences), kMost));
}

}  // namespace

Perturber::Perturber(const engine::SearchSpace& space, const TokenisedDocuments& words,
                     const ReplacementPolicies& policies, std::uint64_t seed, int threads)
    : m_space(space),
      m_words(words),
      m_policies(policies),
      m_seed(seed),
      m_threads(threads),
      m_blocks(drawBlocks(words)) {}

Result<std::unique_ptr<Perturber>> Perturber::create(const engine::SearchSpace& space,
                                                     const TokenisedDocuments& words,
                                                     const ReplacementPolicies& policies,
                                                     const mechanism::Grid& grid,
                                                     std::uint64_t seed, int threads) {
    std::unique_ptr<Perturber> perturber(new Perturber(space, words, policies, seed, threads));
    if (grid.mechanism.isExact()) {
        ASSIGN_OR_RETURN(perturber->m_selections,
                         calibration::selectionGrid(space.handle(), grid, threads));
    } else {
        ASSIGN_OR_RETURN(perturber->m_series,
                         engine::createSeries(space, grid.mechanism, grid.usedLambdas()));
    }
    return perturber;
}

struct Perturber::Copy {
    std::uint32_t pool = 0;
    Replaced replaced{};
    PerturbedPool released{};
};

Perturber::Copy Perturber::unreplaced(const DrawPool& pool, std::size_t settings) const {
    Copy copy{pool.number};
    SeededStream stream({m_seed, kUniformStream, pool.number, 1});
    const auto vocabulary = static_cast<std::uint64_t>(m_space.embedding().wordCount());
    std::vector<Row> released;
    for (const std::size_t document : pool.documents) {
        for (std::size_t place = m_words.begin(document); place < m_words.end(document); ++place) {
            Row row = m_words.rows()[place];
            if (m_words.isReplaced(place)) {
                copy.replaced.emplace_back(row, static_cast<std::uint32_t>(released.size()));
            } else if (row == kMasked && m_policies.unknown == release::UnknownPolicy::random) {
                row = static_cast<Row>(stream.below(vocabulary));
            } else if (row == kMasked && m_policies.unknown == release::UnknownPolicy::drop) {
                row = kDropped;
            }
            released.push_back(row);
        }
        copy.released.starts.push_back(released.size());
    }
    std::ranges::sort(copy.replaced);
    copy.released.outputs.assign(settings, released);
    return copy;
}

Result<std::vector<PerturbedPool>> Perturber::perturb(std::span<const DrawPool> pools,
                                                      std::span<const double> epsilons,
                                                      const JobContext& job) const {
    const std::size_t settings =
        epsilons.size() *
        (m_series ? static_cast<std::size_t>(m_series->variants()) : m_selections.columns.size());
    std::vector<Copy> copies;
    copies.reserve(pools.size());
    for (const DrawPool& pool : pools) {
        copies.push_back(unreplaced(pool, settings));
    }
    RETURN_IF_ERROR(m_series ? drawNoise(copies, epsilons, job)
                             : drawSelected(copies, epsilons, job));
    std::vector<PerturbedPool> result;
    result.reserve(copies.size());
    for (Copy& copy : copies) {
        result.push_back(std::move(copy.released));
    }
    return result;
}

Result<void> Perturber::drawNoise(std::vector<Copy>& copies, std::span<const double> epsilons,
                                  const JobContext& job) const {
    const JobContext quiet{job.stop};
    const auto batch = m_series->batch(epsilons, m_threads, quiet);
    const auto atOnce = static_cast<std::size_t>(std::clamp<std::int64_t>(
        kWordScratch / m_series->rowBytes(), 1, static_cast<std::int64_t>(kWordsPerBlock)));
    const std::int64_t variants = m_series->variants();
    const std::int64_t chunk =
        std::clamp<std::int64_t>(kDrawScratch / (m_series->rowBytes() * variants), 1, kDrawsAtOnce);
    // The searches of a task under some draws of the batch.
    const auto search = [&](std::span<const Search> searches, std::int64_t first, std::int64_t end,
                            PerturbedPool& pool) {
        const auto begin = std::ranges::lower_bound(searches, first, {}, &Search::draw);
        const auto nearest = batch->search();
        std::vector<std::int32_t> positions(epsilons.size());
        for (std::int64_t variant = 0; variant < variants && !job.stopRequested(); ++variant) {
            const std::size_t setting = static_cast<std::size_t>(variant) * positions.size();
            for (auto at = begin; at != searches.end() && at->draw < end; ++at) {
                nearest->setWord(at->word);
                nearest->setDraw(variant, at->draw - first);
                nearest->nearestAtAll(positions);
                for (std::size_t epsilon = 0; epsilon < positions.size(); ++epsilon) {
                    pool.outputs[setting + epsilon][at->place] = m_space.rowAt(positions[epsilon]);
                }
            }
        }
    };
    for (std::size_t block = 0; block < m_blocks.size(); ++block) {
        const auto& [draws, rows] = m_blocks[block];
        for (std::size_t word = 0; word < rows.size(); word += atOnce) {
            const auto group = partFrom(rows, word, atOnce);
            batch->setWords(group);
            for (Copy& copy : copies) {
                const auto tasks = searchesOf(group, copy.replaced, m_seed, copy.pool, draws);
                for (std::int64_t first = 0; first < draws && !tasks.empty(); first += chunk) {
                    const std::int64_t end = std::min<std::int64_t>(first + chunk, draws);
                    // Below 2^16 pools and as many blocks each have a number of their own.
                    batch->setDraws({m_seed, kDrawStream,
                                     (copy.pool << 16U) | static_cast<std::uint32_t>(block)},
                                    first, end - first);
                    RETURN_IF_ERROR(job.checkStop());
                    parallelFor(std::ssize(tasks), m_threads, [&](std::int64_t task) {
                        search(tasks[static_cast<std::size_t>(task)], first, end, copy.released);
                    });
                }
            }
        }
        RETURN_IF_ERROR(job.checkStop());
        job.progress(block + 1, m_blocks.size(), "Perturbing");
    }
    return {};
}

Result<void> Perturber::drawSelected(std::vector<Copy>& copies, std::span<const double> epsilons,
                                     const JobContext& job) const {
    std::vector<mechanism::TruncatedExponential> laws;
    for (const auto& selection : m_selections.columns) {
        for (const double epsilon : epsilons) {
            ASSIGN_OR_RETURN(const auto law, selection.truncation.at(epsilon));
            laws.push_back(law);
        }
    }
    std::vector<Row> rows;
    for (const DrawBlock& block : m_blocks) {
        rows.insert(rows.end(), block.words.begin(), block.words.end());
    }
    for (std::size_t space = 0; space < m_selections.spaces.size(); ++space) {
        const auto draw = [&](std::size_t index, const engine::RankedVocabulary& vocabulary) {
            for (std::size_t setting = 0; setting < laws.size(); ++setting) {
                if (m_selections.columns[setting / epsilons.size()].space != space) {
                    continue;
                }
                const engine::OutputQuantiles law(laws[setting], vocabulary.ranked);
                for (Copy& copy : copies) {
                    SeededStream stream({m_seed, kQuantileStream, copy.pool,
                                         static_cast<std::uint32_t>(rows[index])});
                    for (const auto& [row, place] : occurrencesIn(copy.replaced, rows[index])) {
                        copy.released.outputs[setting][place] = law.at(stream.uniform());
                    }
                }
            }
        };
        const JobContext part = partOf(job, space, space + 1, m_selections.spaces.size());
        RETURN_IF_ERROR(
            engine::rankVocabulary(m_selections.spaces[space], rows, 1, m_threads, part, draw));
    }
    return {};
}

SharedDraws Perturber::drawsOf(const DrawPool& pool) const {
    if (!m_series) {
        return {};
    }
    const Copy copy = unreplaced(pool, 0);
    SharedDraws draws(copy.released.starts.back(), -1);
    std::int32_t first = 0;
    for (const DrawBlock& block : m_blocks) {
        for (const Row row : block.words) {
            const auto occurrences = occurrencesIn(copy.replaced, row);
            const auto order = drawOrder(m_seed, pool.number, row, block.draws, occurrences.size());
            for (std::size_t i = 0; i < order.size(); ++i) {
                draws[occurrences[i].second] = first + order[i];
            }
        }
        first += block.draws;
    }
    return draws;
}

PerturbedPool Perturber::unperturbed(const DrawPool& pool) const {
    return unreplaced(pool, 1).released;
}

PerturbedPool Perturber::uniform(const DrawPool& pool) const {
    Copy copy = unreplaced(pool, 1);
    std::vector<Row>& output = copy.released.outputs.front();
    // In the order of the text.
    std::ranges::sort(copy.replaced, {}, &Replaced::value_type::second);
    SeededStream stream({m_seed, kUniformStream, pool.number, 0});
    const auto vocabulary = static_cast<std::uint64_t>(m_space.embedding().wordCount());
    for (const auto& [row, place] : copy.replaced) {
        output[place] = static_cast<Row>(stream.below(vocabulary));
    }
    return std::move(copy.released);
}

std::vector<DrawBlock> drawBlocks(const TokenisedDocuments& words) {
    std::map<Row, std::size_t> counts;
    for (std::size_t place = 0; place < words.rows().size(); ++place) {
        if (words.isReplaced(place)) {
            ++counts[words.rows()[place]];
        }
    }
    std::vector<std::pair<Row, std::size_t>> falling(counts.begin(), counts.end());
    std::ranges::stable_sort(falling,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<DrawBlock> blocks;
    for (std::size_t i = 0; i < falling.size(); ++i) {
        if (i % kWordsPerBlock == 0) {
            blocks.push_back({drawsFor(falling[i].second)});
        }
        blocks.back().words.push_back(falling[i].first);
    }
    return blocks;
}

std::vector<std::uint16_t> drawOrder(std::uint64_t seed, std::uint32_t pool, Row row, int draws,
                                     std::size_t count) {
    SeededStream stream({seed, kOrderStream, pool, static_cast<std::uint32_t>(row)});
    auto order = indicesBelow<std::uint16_t>(draws);
    std::vector<std::uint16_t> taken;
    taken.reserve(count);
    while (taken.size() < count) {
        const std::size_t some = std::min(order.size(), count - taken.size());
        shuffleFirst(order, some, stream);
        std::copy_n(order.begin(), some, std::back_inserter(taken));
    }
    return taken;
}

std::vector<std::string> writeDocuments(const DataSet& data,
                                        const embedding::Vocabulary& vocabulary,
                                        const ReplacementPolicies& policies,
                                        std::span<const std::size_t> documents,
                                        const PerturbedPool& pool, std::size_t setting,
                                        int threads) {
    const text::Lookup lookup(vocabulary, policies.letterCase);
    const auto write = [&](const std::string& text, std::span<const Row> outputs,
                           text::Tokeniser& tokeniser) {
        const text::TokenisedText typed = tokeniseDocument(text, tokeniser, lookup, policies);
        std::vector<std::string> substitutes(outputs.size());
        std::vector<std::string_view> replacements(outputs.size());
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const text::Word& word = typed.words[i];
            if (outputs[i] >= 0 && outputs[i] != word.row) {
                substitutes[i] = text::applyCasePattern(vocabulary.word(outputs[i]), word.pattern);
                replacements[i] = substitutes[i];
            } else if (outputs[i] == kMasked && policies.unknown == release::UnknownPolicy::mask) {
                replacements[i] = policies.mask;
            } else if (outputs[i] != kDropped) {
                replacements[i] = typed.spelling(i);
            }
        }
        return text::render(typed, replacements).text;
    };
    std::vector<std::string> texts(documents.size());
    static_cast<void>(inParallel(
        texts.size(), threads, {}, JobContext{}, [](int) { return text::Tokeniser(); },
        [&](text::Tokeniser& tokeniser, std::size_t i) {
            texts[i] =
                write(data.documents[documents[i]].text, pool.document(setting, i), tokeniser);
        }));
    return texts;
}

}  // namespace epsilens::corpus
