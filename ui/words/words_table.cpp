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

}  // namespace

void WordsTable::setRows(WordRows rows, WordOrder order) {
    beginResetModel();
    m_rows = std::move(rows);
    m_order = std::move(order);
    endResetModel();
}

void WordsTable::setOrder(WordOrder order) {
    beginResetModel();
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
        const auto side = column == WordColumn::word ? Qt::AlignLeft : Qt::AlignRight;
        return static_cast<int>(side | Qt::AlignVCenter);
    }
    const std::size_t place = (*m_order)[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) {
        return shown(place, column);
    }
    if (role == Qt::EditRole && column != WordColumn::word) {
        return m_rows.value(place, column);
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
    if (role == Qt::ToolTipRole) {
        return tip(static_cast<WordColumn>(section));
    }
    if (role == Qt::TextAlignmentRole) {
        // As the cells below.
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) |
                                   (static_cast<WordColumn>(section) == WordColumn::word
                                        ? Qt::AlignLeft
                                        : Qt::AlignRight));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const QStringList names{tr("word"), tr("row"), tr("kept draws"),  tr("different"), tr("kept"),
                            tr("near"), tr("far"), tr("half-kept ε"), tr("nearest"),   tr("rank")};
    return names.value(section);
}

QString WordsTable::tip(WordColumn column) {
    switch (column) {
        case WordColumn::word:
            return tr("The word as it is in the embedding");
        case WordColumn::row:
            return tr("Row of the word in the embedding, counted from 0");
        case WordColumn::nw:
            return tr("How many of the draws returned the word itself");
        case WordColumn::sw:
            return tr("How many different words the draws returned");
        case WordColumn::kept:
            return tr("Share of outputs equal to the word");
        case WordColumn::near:
            return tr("Share of outputs among the nearest neighbours of the word");
        case WordColumn::far:
            return tr("Share of all other outputs");
        case WordColumn::critical:
            return tr(
                "From this ε on, half of the draws keep the word: its critical ε, the median over "
                "the draws");
        case WordColumn::distance:
            return tr("Distance to the nearest other vector of the vocabulary");
        case WordColumn::rank:
            return tr("Rank by that distance; 1 is the sparsest word of the vocabulary");
        case WordColumn::end:
            break;
    }
    return {};
}

void WordsTable::sort(int column, Qt::SortOrder order) {
    if (column >= 0 && column < static_cast<int>(WordColumn::end)) {
        Q_EMIT sortRequested(static_cast<WordColumn>(column), order == Qt::DescendingOrder);
    }
}

}  // namespace epsilens::ui
