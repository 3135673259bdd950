#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <QByteArray>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "ui/state/session_results.h"
#include "ui/state/word.h"
#include "ui/words/word_filter.h"

namespace epsilens::ui {

/// The words of one cell of a run, each with a place from 0 in the order of the run. A view: cheap
/// to copy, its data are shared and immutable, so jobs may read it.
class WordRows {
public:
    WordRows() = default;
    /// run      not null
    /// cell     index into the cells of the run
    /// density  null until it has been computed; that of another embedding counts as none
    WordRows(calibration::RunHandle run, embedding::EmbeddingHandle embedding, std::size_t cell,
             const VocabularyDensityHandle& density);

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::size_t cell() const { return m_cell; }
    [[nodiscard]] const calibration::CalibrationSummary& summary() const { return *m_run->summary; }
    [[nodiscard]] bool hasDensity() const { return m_density != nullptr; }
    [[nodiscard]] bool hasCritical() const;
    /// Row of the embedding.
    [[nodiscard]] embedding::Row row(std::size_t place) const;
    [[nodiscard]] Word at(std::size_t place) const { return {m_embedding, row(place)}; }
    /// UTF-8.
    [[nodiscard]] std::string_view word(std::size_t place) const;
    /// The number of a column other than the word; NaN where there is none, infinity for the
    /// critical epsilon of a word that is never kept so often.
    [[nodiscard]] double value(std::size_t place, WordColumn column) const;
    /// Places of the words with the largest or smallest distance to their nearest neighbour; empty
    /// without density.
    [[nodiscard]] std::vector<std::uint32_t> sparsest(std::int64_t count) const;
    [[nodiscard]] std::vector<std::uint32_t> densest(std::int64_t count) const;

private:
    [[nodiscard]] double nearCount(std::size_t index) const;
    [[nodiscard]] std::vector<std::uint32_t> placesOf(
        const std::vector<embedding::Row>& rows) const;

    calibration::RunHandle m_run;
    embedding::EmbeddingHandle m_embedding;
    std::size_t m_cell = 0;
    std::shared_ptr<const statistics::DensityProfile> m_density;
};

/// Which words of the run are looked at before the filter.
enum class WordPreset { all, sparsest, densest, worst };

constexpr std::int64_t kPresetWords = 50;

/// What a table of words shows and in which order.
struct WordQuery {
    WordPreset preset = WordPreset::all;
    WordFilter filter{};
    WordColumn sortedBy = WordColumn::row;
    bool descending = false;
};

/// Places in the order shown. Words without a value come last in either direction; equal ones keep
/// the order of the run. The worst words are those kept most often, and among them those with the
/// fewest distinct outputs. Fails with cancelled.
[[nodiscard]] Result<std::vector<std::uint32_t>> arrangeWords(const WordRows& rows,
                                                              const WordQuery& query,
                                                              const JobContext& job = {});

/// Index into `order` of a word to jump to.
///
/// from   index to start at, looked at first
/// exact  prefer the word itself, then words that begin so, over words that contain the text
[[nodiscard]] std::optional<std::size_t> findWord(const WordRows& rows,
                                                  const std::vector<std::uint32_t>& order,
                                                  const QString& text, std::size_t from,
                                                  bool backwards, bool exact);

/// The words of `order` as comma-separated values in full precision, with a header; UTF-8. Fails
/// with cancelled.
[[nodiscard]] Result<QByteArray> wordsCsv(const WordRows& rows,
                                          const std::vector<std::uint32_t>& order,
                                          const JobContext& job = {});

}  // namespace epsilens::ui
