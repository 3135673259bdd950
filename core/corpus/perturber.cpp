#include "core/corpus/perturber.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/corpus/streams.h"
#include "core/engine/create_series.h"
#include "core/engine/output_quantiles.h"
#include "core/engine/selection_draws.h"
#include "core/text/lookup.h"
#include "core/text/tokenised_text.h"

namespace epsilens::corpus {
namespace {

constexpr std::string_view kStage = "Perturbing";
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

}  // namespace

/// Draws the noise of one block of words after the other.
class Perturber::NoiseRun {
public:
    NoiseRun(const Perturber& owner, std::span<const DrawPool> pools,
             const std::vector<PoolWords>& words, std::span<const double> epsilons,
             std::vector<PerturbedPool>& result, const JobContext& job)
        : m_owner(owner),
          m_pools(pools),
          m_words(words),
          m_epsilons(epsilons.begin(), epsilons.end()),
          m_result(result),
          m_job(job),
          m_quiet{job.stop, {}},
          m_batch(owner.m_series->batch(m_epsilons, owner.m_threads, m_quiet)) {}

    Result<void> run() {
        const std::vector<DrawBlock>& blocks = m_owner.m_blocks;
        const std::int64_t atOnce = m_owner.wordsAtOnce();
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            const std::span<const Row> words(blocks[block].words);
            for (std::size_t first = 0; first < words.size();
                 first += static_cast<std::size_t>(atOnce)) {
                runGroup(block, words.subspan(first, std::min(static_cast<std::size_t>(atOnce),
                                                              words.size() - first)));
                if (m_job.stopRequested()) {
                    return fail(ErrorCode::cancelled, "cancelled");
                }
            }
            m_job.progress(static_cast<double>(block + 1) / static_cast<double>(blocks.size()),
                           kStage);
        }
        return {};
    }

private:
    void runGroup(std::size_t block, std::span<const Row> group) {
        m_batch->setWords(group);
        for (std::size_t pool = 0; pool < m_pools.size() && !m_job.stopRequested(); ++pool) {
            runPool(block, group, pool);
        }
    }

    void runPool(std::size_t block, std::span<const Row> group, std::size_t pool) {
        const int draws = m_owner.m_blocks[block].draws;
        const engine::NoiseSeries& series = *m_owner.m_series;
        const std::vector<std::vector<Search>> tasks = searchesOf(group, pool, draws);
        if (std::all_of(tasks.begin(), tasks.end(),
                        [](const std::vector<Search>& task) { return task.empty(); })) {
            return;
        }
        // Below 2^16 pools and as many blocks of words each have a number of their own.
        const engine::DrawSource source{
            m_owner.m_seed, kDrawStream,
            (m_pools[pool].number << 16U) | static_cast<std::uint32_t>(block)};
        const std::int64_t chunk = std::clamp<std::int64_t>(
            kDrawScratch / (series.rowBytes() * series.variants()), 1, kDrawsAtOnce);
        for (std::int64_t first = 0; first < draws; first += chunk) {
            const std::int64_t end = std::min<std::int64_t>(first + chunk, draws);
            m_batch->setDraws(source, first, end - first);
            if (m_job.stopRequested()) {
                return;
            }
            parallelFor(
                static_cast<std::int64_t>(tasks.size()), m_owner.m_threads, [&](std::int64_t task) {
                    search(tasks[static_cast<std::size_t>(task)], first, end, m_result[pool]);
                });
        }
    }

    /// What each task has to search, by rising draw.
    [[nodiscard]] std::vector<std::vector<Search>> searchesOf(std::span<const Row> group,
                                                              std::size_t pool, int draws) const {
        std::vector<std::vector<Search>> tasks((group.size() + kWordsPerTask - 1) / kWordsPerTask);
        for (std::size_t word = 0; word < group.size(); ++word) {
            const auto places = m_words[pool].occurrences(group[word]);
            const std::vector<std::uint16_t> order =
                drawOrder(m_owner.m_seed, m_pools[pool].number, group[word], draws, places.size());
            for (std::size_t i = 0; i < places.size(); ++i) {
                tasks[word / kWordsPerTask].push_back(
                    {order[i], static_cast<std::int64_t>(word), places[i]});
            }
        }
        for (std::vector<Search>& task : tasks) {
            std::sort(task.begin(), task.end(), [](const Search& a, const Search& b) {
                return std::pair(a.draw, a.place) < std::pair(b.draw, b.place);
            });
        }
        return tasks;
    }

    void search(std::span<const Search> searches, std::int64_t first, std::int64_t end,
                PerturbedPool& result) const {
        const auto begin = std::lower_bound(
            searches.begin(), searches.end(), first,
            [](const Search& search, std::int64_t at) { return search.draw < at; });
        const std::unique_ptr<engine::DrawSearch> nearest = m_batch->search();
        const std::int64_t variants = m_owner.m_series->variants();
        std::vector<std::int32_t> positions(m_epsilons.size());
        for (std::int64_t variant = 0; variant < variants && !m_job.stopRequested(); ++variant) {
            for (auto at = begin; at != searches.end() && at->draw < end; ++at) {
                nearest->setWord(at->word);
                nearest->setDraw(variant, at->draw - first);
                nearest->nearestAtAll(positions);
                for (std::size_t epsilon = 0; epsilon < positions.size(); ++epsilon) {
                    const std::size_t setting =
                        static_cast<std::size_t>(variant) * positions.size() + epsilon;
                    result.outputs[setting][at->place] = m_owner.m_space.rowAt(positions[epsilon]);
                }
            }
        }
    }

    const Perturber& m_owner;
    std::span<const DrawPool> m_pools;
    const std::vector<PoolWords>& m_words;
    std::vector<double> m_epsilons;
    std::vector<PerturbedPool>& m_result;
    const JobContext& m_job;
    JobContext m_quiet;
    std::unique_ptr<engine::SearchBatch> m_batch;
};

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

/// Everything but the words that the mechanism replaces.
PerturbedPool Perturber::withoutReplaced(const PoolWords& words, std::uint32_t pool,
                                         std::size_t settings) const {
    SeededStream stream({m_seed, kUniformStream, pool, 1});
    const auto vocabulary = static_cast<std::uint64_t>(m_space.embedding().wordCount());
    std::vector<Row> released(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        released[i] = m_words.rows()[words.place(i)];
        if (released[i] == kMasked && m_policies.unknown == release::UnknownPolicy::random) {
            released[i] = static_cast<Row>(stream.below(vocabulary));
        } else if (released[i] == kMasked && m_policies.unknown == release::UnknownPolicy::drop) {
            released[i] = kDropped;
        }
    }
    return {std::vector(settings, released), words.starts()};
}

Result<std::vector<PerturbedPool>> Perturber::perturb(std::span<const DrawPool> pools,
                                                      std::span<const double> epsilons,
                                                      const JobContext& job) const {
    const std::size_t settings =
        epsilons.size() *
        (m_series ? static_cast<std::size_t>(m_series->variants()) : m_selections.columns.size());
    std::vector<PoolWords> words;
    std::vector<PerturbedPool> result;
    for (const DrawPool& pool : pools) {
        words.emplace_back(m_words, pool);
        result.push_back(withoutReplaced(words.back(), pool.number, settings));
    }
    RETURN_IF_ERROR(m_series ? NoiseRun(*this, pools, words, epsilons, result, job).run()
                             : drawSelected(pools, words, epsilons, result, job));
    return result;
}

Result<void> Perturber::drawSelected(std::span<const DrawPool> pools,
                                     const std::vector<PoolWords>& words,
                                     std::span<const double> epsilons,
                                     std::vector<PerturbedPool>& result,
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
        const double shares = static_cast<double>(m_selections.spaces.size());
        const auto draw = [&](std::size_t index, const engine::RankedVocabulary& vocabulary) {
            for (std::size_t setting = 0; setting < laws.size(); ++setting) {
                if (m_selections.columns[setting / epsilons.size()].space != space) {
                    continue;
                }
                const engine::OutputQuantiles law(laws[setting], vocabulary.ranked);
                for (std::size_t pool = 0; pool < pools.size(); ++pool) {
                    SeededStream stream({m_seed, kQuantileStream, pools[pool].number,
                                         static_cast<std::uint32_t>(rows[index])});
                    for (const std::uint32_t place : words[pool].occurrences(rows[index])) {
                        result[pool].outputs[setting][place] = law.at(stream.uniform());
                    }
                }
            }
        };
        const JobContext part = partOf(job, static_cast<double>(space) / shares,
                                       static_cast<double>(space + 1) / shares);
        RETURN_IF_ERROR(
            engine::rankVocabulary(m_selections.spaces[space], rows, 1, m_threads, part, draw));
    }
    return {};
}

std::int64_t Perturber::wordsAtOnce() const {
    constexpr auto kInBlock = static_cast<std::int64_t>(kWordsPerBlock);
    return m_series ? std::clamp<std::int64_t>(kWordScratch / m_series->rowBytes(), 1, kInBlock)
                    : kInBlock;
}

SharedDraws Perturber::drawsOf(const DrawPool& pool) const {
    if (!m_series) {
        return {};
    }
    const PoolWords words(m_words, pool);
    SharedDraws draws(words.size(), -1);
    std::int32_t first = 0;
    for (const DrawBlock& block : m_blocks) {
        for (const Row row : block.words) {
            const auto places = words.occurrences(row);
            const std::vector<std::uint16_t> order =
                drawOrder(m_seed, pool.number, row, block.draws, places.size());
            for (std::size_t i = 0; i < places.size(); ++i) {
                draws[places[i]] = first + order[i];
            }
        }
        first += block.draws;
    }
    return draws;
}

PerturbedPool Perturber::unperturbed(const DrawPool& pool) const {
    return withoutReplaced(PoolWords(m_words, pool), pool.number, 1);
}

PerturbedPool Perturber::uniform(const DrawPool& pool) const {
    const PoolWords words(m_words, pool);
    PerturbedPool result = withoutReplaced(words, pool.number, 1);
    SeededStream stream({m_seed, kUniformStream, pool.number, 0});
    const auto vocabulary = static_cast<std::uint64_t>(m_space.embedding().wordCount());
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (m_words.isReplaced(words.place(i))) {
            result.outputs.front()[i] = static_cast<Row>(stream.below(vocabulary));
        }
    }
    return result;
}

namespace {

constexpr int kLeastDraws = 100;
constexpr int kMostDraws = 1024;

int drawsFor(std::size_t occurrences) {
    return occurrences <= kLeastDraws
               ? kLeastDraws
               : static_cast<int>(std::min<std::size_t>(std::bit_ceil(occurrences), kMostDraws));
}

}  // namespace

PoolWords::PoolWords(const TokenisedDocuments& words, const DrawPool& pool) {
    std::vector<std::pair<Row, std::uint32_t>> replaced;
    for (const std::int64_t document : pool.documents) {
        for (std::size_t place = words.begin(document); place < words.end(document); ++place) {
            if (words.isReplaced(place)) {
                replaced.emplace_back(words.rows()[place],
                                      static_cast<std::uint32_t>(m_places.size()));
            }
            m_places.push_back(place);
        }
        m_starts.push_back(m_places.size());
    }
    std::sort(replaced.begin(), replaced.end());
    m_occurrences.reserve(replaced.size());
    for (const auto& [row, word] : replaced) {
        if (m_rows.empty() || m_rows.back() != row) {
            m_rows.push_back(row);
            m_firstOfRow.push_back(m_occurrences.size());
        }
        m_occurrences.push_back(word);
    }
    m_firstOfRow.push_back(m_occurrences.size());
}

std::span<const std::uint32_t> PoolWords::occurrences(Row row) const {
    const auto found = std::lower_bound(m_rows.begin(), m_rows.end(), row);
    if (found == m_rows.end() || *found != row) {
        return {};
    }
    const auto index = static_cast<std::size_t>(found - m_rows.begin());
    return std::span(m_occurrences)
        .subspan(m_firstOfRow[index], m_firstOfRow[index + 1] - m_firstOfRow[index]);
}

std::vector<DrawBlock> drawBlocks(const TokenisedDocuments& words) {
    std::map<Row, std::size_t> counts;
    for (std::size_t place = 0; place < words.rows().size(); ++place) {
        if (words.isReplaced(place)) {
            ++counts[words.rows()[place]];
        }
    }
    std::vector<std::pair<Row, std::size_t>> falling(counts.begin(), counts.end());
    std::stable_sort(falling.begin(), falling.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<DrawBlock> blocks;
    for (std::size_t i = 0; i < falling.size(); ++i) {
        if (i % kWordsPerBlock == 0) {
            blocks.push_back({drawsFor(falling[i].second), {}});
        }
        blocks.back().words.push_back(falling[i].first);
    }
    return blocks;
}

std::vector<std::uint16_t> drawOrder(std::uint64_t seed, std::uint32_t pool, Row row, int draws,
                                     std::size_t count) {
    SeededStream stream({seed, kOrderStream, pool, static_cast<std::uint32_t>(row)});
    std::vector<std::uint16_t> order(static_cast<std::size_t>(draws));
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::vector<std::uint16_t> taken;
    taken.reserve(count);
    while (taken.size() < count) {
        const std::size_t some = std::min(order.size(), count - taken.size());
        for (std::size_t i = 0; i < some; ++i) {
            std::swap(order[i], order[i + stream.below(order.size() - i)]);
            taken.push_back(order[i]);
        }
    }
    return taken;
}

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

}  // namespace epsilens::corpus
