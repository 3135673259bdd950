#pragma once

#include <array>
#include <cstddef>

#include <QAbstractTableModel>
#include <QVariant>

#include "ui/live/shown_distribution.h"

namespace epsilens::ui::live {

class LiveModel;
struct LiveWord;

/// Whole percentages of kept, near and far; they add up to 100.
[[nodiscard]] std::array<int, 3> percentages(const ShownDistribution& distribution);

/// The words of the sentence as rows of a table.
class WordTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// The pinned columns are of use only while something is pinned.
    enum Column { word, shares, kept, distinct, critical, topOutputs, pinnedKept, pinnedDistinct };
    static constexpr int kColumns = 8;
    enum Role {
        sharesRole = Qt::UserRole,  ///< QList<double>: counts of kept, near, far; empty: not known
        pinnedSharesRole,           ///< the same under the pinned settings
        dimmedRole,                 ///< bool: of earlier settings, or not known yet
        unknownRole                 ///< bool: the vocabulary does not have the word
    };

    /// model  must outlive this one
    explicit WordTableModel(const LiveModel& model, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    void refresh();
    [[nodiscard]] QString text(const LiveWord& word, int column) const;
    [[nodiscard]] QString outputsText(const LiveWord& word) const;
    [[nodiscard]] QString pinnedText(const LiveWord& word, int column) const;
    [[nodiscard]] static QString criticalText(const LiveWord& word);
    [[nodiscard]] static QString criticalToolTip(const LiveWord& word);
    [[nodiscard]] QString spokenText(const LiveWord& word, int column) const;
    [[nodiscard]] QString toolTip(const LiveWord& word, int column) const;

    const LiveModel& m_model;
    int m_rows = 0;
};

}  // namespace epsilens::ui::live
