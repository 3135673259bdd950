#pragma once

#include <vector>

#include <QAbstractTableModel>
#include <QString>

#include "core/embedding/vocabulary.h"
#include "core/engine/neighbours.h"

namespace epsilens::ui {

/// The nearest words of a word with their distances, nearest first.
class NeighbourModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { word, distance };
    enum Role {
        shareRole = Qt::UserRole  ///< double: the distance as a share of the greatest, 0 to 1
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setNeighbours(const engine::Neighbourhood& neighbours,
                       const embedding::Vocabulary& vocabulary);
    void clear();
    /// What the distances are called, "Distance" to begin with.
    void setDistanceTitle(const QString& title);
    /// The word of the embedding in a row of the table.
    [[nodiscard]] embedding::Row rowOfWord(int row) const {
        return m_entries[static_cast<std::size_t>(row)].row;
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Entry {
        embedding::Row row = 0;
        QString word{};
        double distance = 0.0;
    };
    [[nodiscard]] double shareOf(const Entry& entry) const;

    std::vector<Entry> m_entries;
    QString m_distanceTitle;
};

}  // namespace epsilens::ui
