#include "ui/state/neighbour_model.h"

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

NeighbourModel::NeighbourModel(QObject* parent) : QStandardItemModel(0, 2, parent) {
    setHorizontalHeaderLabels({tr("Nearest words"), tr("Distance")});
    horizontalHeaderItem(word)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeaderItem(distance)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

void NeighbourModel::setNeighbours(const engine::Neighbourhood& neighbours,
                                   const embedding::EmbeddingHandle& embedding) {
    setRowCount(0);
    m_words.clear();
    for (std::size_t i = 0; i < neighbours.rows.size(); ++i) {
        m_words.emplace_back(embedding, neighbours.rows[i]);
        const double greatest = neighbours.distances.back();
        auto* spelling = new QStandardItem(m_words.back().text());
        auto* number = new QStandardItem(significant(neighbours.distances[i], 3));
        number->setData(greatest > 0.0 ? neighbours.distances[i] / greatest : 0.0, shareRole);
        number->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        spelling->setEditable(false);
        number->setEditable(false);
        appendRow({spelling, number});
    }
}

}  // namespace epsilens::ui
