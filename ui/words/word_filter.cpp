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

constexpr std::array<std::pair<const char*, WordColumn>, 9> kNames{{
    {"row", WordColumn::row},
    {"nw", WordColumn::nw},
    {"sw", WordColumn::sw},
    {"kept", WordColumn::kept},
    {"near", WordColumn::near},
    {"far", WordColumn::far},
    {"critical", WordColumn::critical},
    {"distance", WordColumn::distance},
    {"rank", WordColumn::rank},
}};

WordColumn columnNamed(const QString& name) {
    const auto* const found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) {
        return name.compare(QLatin1String(entry.first), Qt::CaseInsensitive) == 0;
    });
    return found == kNames.end() ? WordColumn::end : found->second;
}

Relation relationOf(const QString& sign) {
    if (sign == QLatin1String("<")) {
        return Relation::less;
    }
    if (sign == QLatin1String(">")) {
        return Relation::greater;
    }
    if (sign == QLatin1String("=")) {
        return Relation::equal;
    }
    return sign == QLatin1String("<=") || sign == QStringLiteral("≤") ? Relation::lessOrEqual
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
    ASSIGN_OR_RETURN(const auto value, parseNumber(toStd(number), toStd(columnKey(column))));
    constexpr double kPercent = 100.0;
    condition.value = isShare(column) || condition.percent ? value / kPercent : value;
    return condition;
}

}  // namespace

QString columnKey(WordColumn column) {
    switch (column) {
        case WordColumn::word:
            return QStringLiteral("word");
        case WordColumn::critical:
            return QStringLiteral("criticalEpsilonMedian");
        case WordColumn::distance:
            return QStringLiteral("nearestDistance");
        case WordColumn::rank:
            return QStringLiteral("densityRank");
        default:
            break;
    }
    const auto* const found = std::find_if(
        kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.second == column; });
    return found == kNames.end() ? QString() : QLatin1String(found->first);
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
