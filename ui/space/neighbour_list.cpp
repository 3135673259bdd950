#include "ui/space/neighbour_list.h"

#include <QHeaderView>
#include <QKeyEvent>

#include "ui/space/distance_bar_delegate.h"
#include "ui/state/neighbour_model.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {
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
