#include "ui/state/neighbour_model.h"

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

void NeighbourModel::setNeighbours(const engine::Neighbourhood& neighbours,
                                   const embedding::EmbeddingHandle& embedding) {
    beginResetModel();
    m_entries.clear();
    for (std::size_t i = 0; i < neighbours.rows.size(); ++i) {
        m_entries.push_back({Word(embedding, neighbours.rows[i]), neighbours.distances[i]});
    }
    endResetModel();
}

void NeighbourModel::clear() {
    beginResetModel();
    m_entries.clear();
    endResetModel();
}

void NeighbourModel::setDistanceTitle(const QString& title) {
    if (title != m_distanceTitle) {
        m_distanceTitle = title;
        Q_EMIT headerDataChanged(Qt::Horizontal, distance, distance);
    }
}

double NeighbourModel::shareOf(const Entry& entry) const {
    const double greatest = m_entries.back().distance;
    return greatest > 0.0 ? entry.distance / greatest : 0.0;
}

int NeighbourModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int NeighbourModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 2;
}

QVariant NeighbourModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const Entry& entry = m_entries[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) {
        return index.column() == word ? entry.word.text() : significant(entry.distance, 3);
    }
    if (role == shareRole) {
        return shareOf(entry);
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) |
                                   (index.column() == word ? Qt::AlignLeft : Qt::AlignRight));
    }
    return {};
}

QVariant NeighbourModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        if (section == word) {
            return tr("Nearest words");
        }
        return m_distanceTitle.isEmpty() ? tr("Distance") : m_distanceTitle;
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) |
                                   (section == word ? Qt::AlignLeft : Qt::AlignRight));
    }
    return {};
}

}  // namespace epsilens::ui
