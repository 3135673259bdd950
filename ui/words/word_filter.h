#pragma once

#include <string_view>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/base/error.h"

namespace epsilens::ui {

/// Columns of the Words table.
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

/// What a column is called.
struct ColumnNames {
    const char* inFilters;  ///< "nw"; empty: it has no conditions
    const char* inFiles;    ///< "criticalEpsilonMedian"
    const char* title;      ///< above the column, not translated
    const char* tip;        ///< what stands in it, not translated
};
[[nodiscard]] const ColumnNames& namesOf(WordColumn column);

/// Which words to show, as typed: "lon nw>=90 far<5%". Words must contain every plain part, letter
/// case aside, and meet every condition.
class WordFilter {
public:
    enum class Relation { less, lessOrEqual, equal, greaterOrEqual, greater };
    struct Condition {
        WordColumn column = WordColumn::nw;
        Relation relation = Relation::equal;
        double value = 0.0;
        bool percent = false;  ///< of R, for counts

        /// Values that are not known meet no condition.
        ///
        /// draws  R, which a percentage of a count refers to
        [[nodiscard]] bool holds(double value, int draws) const;
        [[nodiscard]] bool operator==(const Condition&) const = default;
    };

    /// Fails with invalidArgument for a condition without a readable number.
    [[nodiscard]] static Result<WordFilter> parse(const QString& text);

    [[nodiscard]] bool isEmpty() const { return m_parts.isEmpty() && m_conditions.empty(); }
    [[nodiscard]] const QStringList& parts() const { return m_parts; }
    [[nodiscard]] const std::vector<Condition>& conditions() const { return m_conditions; }
    /// Whether the word contains every plain part.
    ///
    /// word  UTF-8
    [[nodiscard]] bool matchesText(std::string_view word) const;
    [[nodiscard]] bool operator==(const WordFilter&) const = default;

private:
    QStringList m_parts;
    std::vector<Condition> m_conditions;
};

}  // namespace epsilens::ui
