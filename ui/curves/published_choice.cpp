#include "ui/curves/published_choice.h"

#include <QStandardItemModel>

#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

PublishedChoice::PublishedChoice(QWidget* parent) : QComboBox(parent) {
    setObjectName(QStringLiteral("publishedComboBox"));
    setAccessibleName(tr("Published numbers"));
    addItem(tr("none"));
    setItemData(0, tr("No published numbers"), Qt::ToolTipRole);
    for (const PublishedTable& table : publishedTables()) {
        addItem(QString::fromUtf8(table.name));
        setItemData(count() - 1, QString::fromUtf8(table.source), Qt::ToolTipRole);
    }
    guardWheel(this);
}

void PublishedChoice::offerFor(const RunCurvesHandle& run) {
    const auto& tables = publishedTables();
    auto* items = qobject_cast<QStandardItemModel*>(model());
    bool isAnyOffered = false;
    for (int i = 0; i < static_cast<int>(tables.size()); ++i) {
        const bool isOffered = run && isComparable(tables[static_cast<std::size_t>(i)], *run);
        items->item(i + 1)->setEnabled(isOffered);
        isAnyOffered = isAnyOffered || isOffered;
    }
    if (isAnyOffered && !items->item(currentIndex())->isEnabled()) {
        setCurrentIndex(0);
    }
    setEnabled(isAnyOffered);
    setToolTip(isAnyOffered
                   ? tr("Crosses mark the means printed in a paper, in the colour of their curve. "
                        "They come from the paper's vectors, so yours give other digits.")
                   : tr("Published numbers can be compared with runs of the Laplace or the "
                        "regularized Mahalanobis mechanism with R = 100 draws, at λ 0, 0.25, 0.5, "
                        "0.75 or 1."));
}

const PublishedTable* PublishedChoice::table(Statistic statistic) const {
    if (!isEnabled() || currentIndex() < 1) {
        return nullptr;
    }
    const PublishedTable& chosen = publishedTables()[static_cast<std::size_t>(currentIndex()) - 1];
    return publishedPoints(chosen, statistic).empty() ? nullptr : &chosen;
}

}  // namespace epsilens::ui
