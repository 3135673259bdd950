#include "ui/words/words_table.h"

#include <cmath>
#include <utility>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kSignificantDigits = 3;
constexpr int kMostDrawsOfWholePercents = 100;

/// A share of so few draws has no decimal.
QString percent(double share, bool isWhole) {
    return QString::number(100.0 * share, 'f', isWhole ? 0 : 1) + QLatin1Char('%');
}

/// Counts of draws are whole; expectations show one decimal.
QString count(double value, bool isWhole) {
    return isWhole ? counted(std::llround(value)) : QString::number(value, 'f', 1);
}

QVariant alignmentOf(WordColumn column) {
    return QVariant::fromValue(Qt::AlignVCenter |
                               (column == WordColumn::word ? Qt::AlignLeft : Qt::AlignRight));
}

}  // namespace

void WordsTable::setRows(WordRows rows, WordOrder order) {
    beginResetModel();
    m_rows = std::move(rows);
    m_order = std::move(order);
    endResetModel();
}

Word WordsTable::wordAt(int tableRow) const {
    return m_rows.at((*m_order)[static_cast<std::size_t>(tableRow)]);
}

int WordsTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order->size());
}

int WordsTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(WordColumn::end);
}

QVariant WordsTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const auto column = static_cast<WordColumn>(index.column());
    if (role == Qt::TextAlignmentRole) {
        return alignmentOf(column);
    }
    const std::size_t place = (*m_order)[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) {
        return shown(place, column);
    }
    if (role == Qt::AccessibleTextRole) {
        return tr("%1 %2").arg(
            headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(),
            shown(place, column));
    }
    return {};
}

QString WordsTable::shown(std::size_t place, WordColumn column) const {
    if (column == WordColumn::word) {
        return toQString(m_rows.word(place));
    }
    const double value = m_rows.value(place, column);
    if (std::isnan(value)) {
        return QStringLiteral("–");
    }
    if (std::isinf(value)) {
        return tr("never");
    }
    switch (column) {
        case WordColumn::nw:
        case WordColumn::sw:
            return count(value, m_rows.areCountsWhole());
        case WordColumn::kept:
        case WordColumn::near:
        case WordColumn::far:
            return percent(value,
                           m_rows.areCountsWhole() && m_rows.draws() <= kMostDrawsOfWholePercents);
        case WordColumn::critical:
        case WordColumn::distance:
            return significant(value, kSignificantDigits);
        default:
            return counted(static_cast<qint64>(value));
    }
}

QVariant WordsTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    const auto column = static_cast<WordColumn>(section);
    switch (role) {
        case Qt::DisplayRole:
            return tr(namesOf(column).title);
        case Qt::ToolTipRole:
            return tr(namesOf(column).tip);
        case Qt::TextAlignmentRole:
            return alignmentOf(column);
        default:
            return {};
    }
}

void WordsTable::sort(int column, Qt::SortOrder order) {
    if (column >= 0 && column < static_cast<int>(WordColumn::end)) {
        Q_EMIT sortRequested(static_cast<WordColumn>(column), order == Qt::DescendingOrder);
    }
}

}  // namespace epsilens::ui
