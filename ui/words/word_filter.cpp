#include "ui/words/word_filter.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QCoreApplication>
#include <QRegularExpression>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using Relation = WordFilter::Relation;

QString tr(const char* text) {
    return QCoreApplication::translate("WordFilter", text);
}

constexpr std::array<ColumnNames, static_cast<std::size_t>(WordColumn::end)> kColumns{{
    {"", "word", QT_TRANSLATE_NOOP("WordsPanel", "word"),
     QT_TRANSLATE_NOOP("WordsPanel", "The word as it is in the embedding")},
    {"row", "row", QT_TRANSLATE_NOOP("WordsPanel", "row"),
     QT_TRANSLATE_NOOP("WordsPanel", "Row of the word in the embedding, counted from 0")},
    {"nw", "nw", QT_TRANSLATE_NOOP("WordsPanel", "kept draws"),
     QT_TRANSLATE_NOOP("WordsPanel", "How many of the draws returned the word itself")},
    {"sw", "sw", QT_TRANSLATE_NOOP("WordsPanel", "different"),
     QT_TRANSLATE_NOOP("WordsPanel", "How many different words the draws returned")},
    {"kept", "kept", QT_TRANSLATE_NOOP("WordsPanel", "kept"),
     QT_TRANSLATE_NOOP("WordsPanel", "Share of outputs equal to the word")},
    {"near", "near", QT_TRANSLATE_NOOP("WordsPanel", "near"),
     QT_TRANSLATE_NOOP("WordsPanel", "Share of outputs among the nearest neighbours of the word")},
    {"far", "far", QT_TRANSLATE_NOOP("WordsPanel", "far"),
     QT_TRANSLATE_NOOP("WordsPanel", "Share of all other outputs")},
    {"critical", "criticalEpsilonMedian", QT_TRANSLATE_NOOP("WordsPanel", "half-kept ε"),
     QT_TRANSLATE_NOOP("WordsPanel",
                       "From this ε on, half of the draws keep the word: its critical ε, the "
                       "median over the draws")},
    {"distance", "nearestDistance", QT_TRANSLATE_NOOP("WordsPanel", "nearest"),
     QT_TRANSLATE_NOOP("WordsPanel", "Distance to the nearest other vector of the vocabulary")},
    {"rank", "densityRank", QT_TRANSLATE_NOOP("WordsPanel", "rank"),
     QT_TRANSLATE_NOOP("WordsPanel",
                       "Rank by that distance; 1 is the sparsest word of the vocabulary")},
}};

WordColumn columnNamed(const QString& name) {
    const auto* const found = std::ranges::find_if(kColumns, [&](const ColumnNames& column) {
        return name.compare(QLatin1String(column.inFilters), Qt::CaseInsensitive) == 0;
    });
    return static_cast<WordColumn>(found - kColumns.begin());
}

Relation relationOf(const QString& sign) {
    return sign == QLatin1String("<")                                   ? Relation::less
           : sign == QLatin1String(">")                                 ? Relation::greater
           : sign == QLatin1String("=")                                 ? Relation::equal
           : sign == QLatin1String("<=") || sign == QStringLiteral("≤") ? Relation::lessOrEqual
                                                                        : Relation::greaterOrEqual;
}

bool isShare(WordColumn column) {
    return column == WordColumn::kept || column == WordColumn::near || column == WordColumn::far;
}

bool isCount(WordColumn column) {
    return column == WordColumn::nw || column == WordColumn::sw;
}

Result<WordFilter::Condition> conditionOf(WordColumn column, const QString& sign, QString number) {
    WordFilter::Condition condition{column, relationOf(sign), 0.0, false};
    if (number.endsWith(QLatin1Char('%')) && (isShare(column) || isCount(column))) {
        number.chop(1);
        condition.percent = isCount(column);
    }
    ASSIGN_OR_RETURN(const auto value, parseNumber(toStd(number), namesOf(column).inFiles));
    constexpr double kPercent = 100.0;
    condition.value = isShare(column) || condition.percent ? value / kPercent : value;
    return condition;
}

}  // namespace

const ColumnNames& namesOf(WordColumn column) {
    return kColumns.at(static_cast<std::size_t>(column));
}

bool WordFilter::Condition::holds(double known, int draws) const {
    // Shares that are floats, and percentages of counts, are whole only up to rounding.
    constexpr double kRounding = 1e-6;
    const double bound = percent ? value * draws : value;
    const double slack = percent || isShare(column) ? kRounding * std::max(1.0, bound) : 0.0;
    switch (relation) {
        case Relation::less:
            return known < bound - slack;
        case Relation::lessOrEqual:
            return known <= bound + slack;
        case Relation::equal:
            return known >= bound - slack && known <= bound + slack;
        case Relation::greaterOrEqual:
            return known >= bound - slack;
        case Relation::greater:
            return known > bound + slack;
    }
    return false;
}

Result<WordFilter> WordFilter::parse(const QString& text) {
    static const QRegularExpression kCondition(
        QStringLiteral("^([a-zA-Z]+)(<=|>=|≤|≥|<|>|=)(.*)$"));
    WordFilter filter;
    const QStringList parts =
        text.split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts);
    for (const QString& part : parts) {
        const auto match = kCondition.match(part);
        const WordColumn column =
            match.hasMatch() ? columnNamed(match.captured(1)) : WordColumn::end;
        if (column == WordColumn::end) {
            filter.m_parts.append(part);
            continue;
        }
        if (match.captured(3).isEmpty()) {
            return fail(ErrorCode::invalidArgument,
                        toStd(tr("%1 needs a number after it, such as %1%2")
                                  .arg(part, isShare(column) ? QStringLiteral("5%")
                                                             : QStringLiteral("5"))));
        }
        ASSIGN_OR_RETURN(auto condition, conditionOf(column, match.captured(2), match.captured(3)));
        filter.m_conditions.push_back(condition);
    }
    return filter;
}

bool WordFilter::matchesText(std::string_view word) const {
    if (m_parts.isEmpty()) {
        return true;
    }
    const QString text = toQString(word);
    return std::all_of(m_parts.begin(), m_parts.end(), [&](const QString& part) {
        return text.contains(part, Qt::CaseInsensitive);
    });
}

}  // namespace epsilens::ui
