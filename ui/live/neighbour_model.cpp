#include "ui/live/neighbour_model.h"

#include "ui/common/qt_convert.h"

namespace epsilens::ui::live {

void NeighbourModel::setNeighbours(const engine::Neighbourhood& neighbours,
                                   const embedding::Vocabulary& vocabulary) {
    beginResetModel();
    m_entries.clear();
    for (std::size_t i = 0; i < neighbours.rows.size(); ++i) {
        const embedding::Row row = neighbours.rows[i];
        m_entries.push_back({row, toQString(vocabulary.word(row)), neighbours.distances[i]});
    }
    endResetModel();
}

void NeighbourModel::clear() {
    beginResetModel();
    m_entries.clear();
    endResetModel();
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
        return index.column() == word ? entry.word : significant(entry.distance, 3);
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
        return section == word ? tr("Nearest words") : tr("Distance");
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) |
                                   (section == word ? Qt::AlignLeft : Qt::AlignRight));
    }
    return {};
}

}  // namespace epsilens::ui::live
