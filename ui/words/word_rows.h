#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/measurement.h"
#include "ui/state/session_results.h"
#include "ui/state/word.h"

namespace epsilens::ui {

enum class WordColumn {
    word,
    row,
    nw,
    sw,
    kept,      ///< share of outputs, in [0, 1]
    near,      ///< share of outputs, in [0, 1]
    far,       ///< share of outputs, in [0, 1]
    critical,  ///< median critical epsilon
    distance,  ///< to the nearest neighbour
    rank,      ///< by that distance, 1 is the sparsest word
    end
};

struct ColumnNames {
    const char* inFilters;  ///< "nw"; empty: it has no conditions
    const char* inFiles;    ///< "criticalEpsilonMedian"
    const char* title;
    const char* tip;
};
[[nodiscard]] const ColumnNames& namesOf(WordColumn column);

/// Which words to show, as typed: "lon nw>=90 far<5%". Words must contain every plain part, letter
/// case aside, and meet every condition.
class WordFilter {
public:
    struct Condition {
        WordColumn column = WordColumn::nw;
        int direction = 0;       ///< -1: less, 1: greater, 0: neither
        bool isEqualMet = true;  ///< by an equal value
        double value = 0.0;
        bool percent = false;  ///< of R, for counts

        /// draws  R, which a percentage of a count refers to
        [[nodiscard]] bool holds(double value, int draws) const;
        [[nodiscard]] bool operator==(const Condition&) const = default;
    };

    [[nodiscard]] static Result<WordFilter> parse(const QString& text);

    [[nodiscard]] const QStringList& parts() const { return m_parts; }
    [[nodiscard]] const std::vector<Condition>& conditions() const { return m_conditions; }
    [[nodiscard]] bool matchesText(std::string_view word) const;
    [[nodiscard]] bool operator==(const WordFilter&) const = default;

private:
    QStringList m_parts;
    std::vector<Condition> m_conditions;
};

/// The words of a measurement at one epsilon, each with a place from 0 in its order. A view: cheap
/// to copy, its data are shared and immutable, so jobs may read it.
class WordRows {
public:
    WordRows() = default;
    /// density  null until it has been computed; that of another embedding counts as none
    /// Fails with cancelled.
    [[nodiscard]] static Result<WordRows> at(calibration::MeasurementHandle measurement,
                                             double epsilon, embedding::EmbeddingHandle embedding,
                                             const VocabularyDensityHandle& density,
                                             const JobContext& job = {});

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] const calibration::MeasurementHandle& measurement() const {
        return m_measurement;
    }
    [[nodiscard]] int draws() const { return m_measurement->options().draws; }
    [[nodiscard]] const calibration::Cell& cell() const { return m_values->cell; }
    [[nodiscard]] bool areCountsWhole() const;
    [[nodiscard]] embedding::Row row(std::size_t place) const;
    [[nodiscard]] Word at(std::size_t place) const { return {m_embedding, row(place)}; }
    [[nodiscard]] std::string_view word(std::size_t place) const;
    /// The number of a column other than the word; NaN where there is none, infinity for the
    /// critical epsilon of a word that is never kept so often.
    [[nodiscard]] double value(std::size_t place, WordColumn column) const;

private:
    struct Values {
        calibration::Cell cell{};
        std::vector<calibration::MeasuredWord> words{};
    };

    calibration::MeasurementHandle m_measurement;
    std::shared_ptr<const Values> m_values;
    embedding::EmbeddingHandle m_embedding;
    std::shared_ptr<const calibration::DensityProfile> m_density;
};

/// Words that keep 0 to 9, 10 to 19, …, 90 to 100 of 100 outputs.
using KeptCounts = std::array<std::int64_t, 10>;

[[nodiscard]] KeptCounts countKept(const WordRows& rows);

/// Which of the measured words are shown.
enum class WordPreset { all, sparsest, worst, ownTexts };

constexpr std::int64_t kPresetWords = 50;

struct WordQuery {
    WordPreset preset = WordPreset::all;
    WordFilter filter{};
    WordColumn sortedBy = WordColumn::row;
    bool descending = false;

    [[nodiscard]] bool operator==(const WordQuery&) const = default;
};

/// Places in the order shown. Words without a value come last in either direction; equal ones keep
/// their order. The worst words are those kept most often, and among them those with the
/// fewest distinct outputs. Fails with cancelled.
[[nodiscard]] Result<std::vector<std::uint32_t>> arrangeWords(const WordRows& rows,
                                                              const WordQuery& query,
                                                              const JobContext& job = {});

/// The words of `order` as comma-separated values in full precision, with a header; UTF-8. Fails
/// with cancelled.
[[nodiscard]] Result<QByteArray> wordsCsv(const WordRows& rows,
                                          const std::vector<std::uint32_t>& order,
                                          const JobContext& job = {});

}  // namespace epsilens::ui
