#include "ui/space/neighbour_list.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/state/neighbour_model.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

/// Draws the distances of a NeighbourModel as bars with their numbers; the longest bar is the
/// greatest distance of the table.
class DistanceBarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

constexpr int kPadding = 6;
constexpr int kBarHeight = 8;

void DistanceBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
    QStyleOptionViewItem row = option;
    row.state &= ~QStyle::State_HasFocus;
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &row, painter, option.widget);
    const QString number = index.data(Qt::DisplayRole).toString();
    const QRect cell = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const int numberWidth = option.fontMetrics.horizontalAdvance(QStringLiteral("0.0000"));
    const double room = cell.width() - numberWidth - kPadding;
    const double share = index.data(NeighbourModel::shareRole).toDouble();
    const bool isSelected = row.state.testFlag(QStyle::State_Selected);
    const QColor text =
        option.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    const QRectF bar(cell.left(), cell.center().y() - 0.5 * (kBarHeight - 1),
                     qMax(1.0, room * share), kBarHeight);
    painter->fillRect(bar, isSelected ? text : themeFor(option.palette).series(2));
    painter->setPen(text);
    painter->setFont(option.font);
    painter->drawText(cell, Qt::AlignVCenter | Qt::AlignRight, number);
}
constexpr int kWidth = 240;
constexpr int kDistanceWidth = 132;
constexpr int kRowHeight = 24;
}  // namespace

NeighbourList::NeighbourList(QWidget* parent)
    : QTableView(parent), m_neighbours(new NeighbourModel(this)) {
    setModel(m_neighbours);
    setItemDelegateForColumn(NeighbourModel::distance, new DistanceBarDelegate(this));
    setAccessibleName(tr("Nearest words"));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setTabKeyNavigation(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->hide();
    keepRowHeight(this, kRowHeight);
    QHeaderView* header = horizontalHeader();
    header->setSectionResizeMode(NeighbourModel::word, QHeaderView::Stretch);
    header->setSectionResizeMode(NeighbourModel::distance, QHeaderView::Fixed);
    followFont(this, [this, header](const QFontMetrics& metrics) {
        setFixedWidth(scaledToText(kWidth, metrics));
        header->resizeSection(NeighbourModel::distance, scaledToText(kDistanceWidth, metrics));
    });
    header->setHighlightSections(false);
    connect(this, &QTableView::clicked, this, &NeighbourList::choose);
    clear();
}

void NeighbourList::setNeighbours(const engine::Neighbourhood& neighbours, const Word& word,
                                  const QString& distanceTitle) {
    m_neighbours->setNeighbours(neighbours, word.embedding());
    m_neighbours->setDistanceTitle(distanceTitle);
    scrollToTop();
    setToolTip(
        tr("%1 from “%2”. A click or Return selects a word.").arg(distanceTitle, word.text()));
    if (neighbours.rows.empty()) {
        setAccessibleDescription(tr("There is no other word."));
        return;
    }
    setAccessibleDescription(
        tr("The %1 words nearest to %2 by %3; the nearest at %4. Return selects one.")
            .arg(counted(static_cast<qint64>(neighbours.rows.size())), word.text(), distanceTitle,
                 significant(neighbours.distances.front(), 3)));
}

void NeighbourList::clear() {
    m_neighbours->clear();
    setToolTip({});
    setAccessibleDescription(tr("Not known yet."));
}

void NeighbourList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        choose(currentIndex());
        return;
    }
    QTableView::keyPressEvent(event);
}

void NeighbourList::choose(const QModelIndex& index) {
    if (index.isValid()) {
        Q_EMIT wordChosen(m_neighbours->wordAt(index.row()));
    }
}

}  // namespace epsilens::ui
