#include "ui/live/word_table_model.h"

#include <algorithm>
#include <cmath>

#include "ui/live/live_model.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {

constexpr std::size_t kTopOutputs = 6;

QString percent(double count, int draws) {
    const double share = 100.0 * count / draws;
    return share >= 10.0 || share == std::floor(share) ? QString::number(share, 'f', 0)
                                                       : QString::number(share, 'f', 1);
}

bool isNumber(int column) {
    return column != WordTableModel::word && column != WordTableModel::shares &&
           column != WordTableModel::topOutputs;
}

bool isPinned(int column) {
    return column == WordTableModel::pinnedKept || column == WordTableModel::pinnedDistinct;
}

QString sharesText(const ShownDistribution& distribution) {
    const auto parts = percentages(distribution);
    return WordTableModel::tr("%1/%2/%3%").arg(parts[0]).arg(parts[1]).arg(parts[2]);
}

QString sharesToolTip(const ShownDistribution& distribution) {
    return (distribution.exact
                ? WordTableModel::tr("Expected of %1 draws: kept %2, near %3, far %4")
                : WordTableModel::tr("Of %1 draws: kept %2, near %3, far %4"))
        .arg(counted(distribution.draws), countText(distribution, distribution.kept),
             countText(distribution, distribution.near), countText(distribution, distribution.far));
}

QVariant sharesOf(const ShownDistribution* distribution) {
    return QVariant::fromValue(
        distribution != nullptr && distribution->draws > 0
            ? QList<double>{distribution->kept, distribution->near, distribution->far}
            : QList<double>{});
}

}  // namespace

std::array<int, 3> percentages(const ShownDistribution& distribution) {
    const std::array<double, 3> counts{distribution.kept, distribution.near, distribution.far};
    std::array<int, 3> result{};
    std::array<double, 3> rest{};
    int missing = 100;
    for (std::size_t i = 0; i < 3; ++i) {
        const double exact = 100.0 * counts[i] / distribution.draws;
        result[i] = static_cast<int>(std::floor(exact));
        rest[i] = exact - result[i];
        missing -= result[i];
    }
    // The largest remainders take what rounding down has left over.
    for (; missing > 0; --missing) {
        const auto largest = std::max_element(rest.begin(), rest.end());
        ++result[static_cast<std::size_t>(largest - rest.begin())];
        *largest = -1.0;
    }
    return result;
}

WordTableModel::WordTableModel(const LiveModel& model, QObject* parent)
    : QAbstractTableModel(parent), m_model(model) {
    connect(&model, &LiveModel::wordsReset, this, [this] {
        beginResetModel();
        m_rows = static_cast<int>(m_model.words().size());
        endResetModel();
    });
    connect(&model, &LiveModel::valuesChanged, this, &WordTableModel::refresh);
    m_rows = static_cast<int>(m_model.words().size());
}

void WordTableModel::refresh() {
    if (m_rows > 0) {
        Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, kColumns - 1));
    }
}

int WordTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int WordTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

Qt::ItemFlags WordTableModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    const bool isKnown = !index.data(unknownRole).toBool();
    return Qt::ItemIsEnabled | Qt::ItemNeverHasChildren |
           (isKnown ? Qt::ItemIsSelectable : Qt::NoItemFlags);
}

QVariant WordTableModel::data(const QModelIndex& index, int role) const {
    const auto place = static_cast<std::size_t>(index.row());
    // The model may have dropped its words a moment before this table hears of it.
    if (!index.isValid() || place >= m_model.words().size()) {
        return {};
    }
    const LiveWord& shown = m_model.words()[place];
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole:
            return text(shown, column);
        case Qt::AccessibleTextRole:
            return spokenText(shown, column);
        case Qt::ToolTipRole:
            return toolTip(shown, column);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) |
                                       (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
        case sharesRole:
            return sharesOf(column == shares ? &shown.distribution : nullptr);
        case pinnedSharesRole:
            return sharesOf(column == shares && shown.pinned ? &*shown.pinned : nullptr);
        case dimmedRole:
            return shown.word && !isPinned(column) && shown.freshness != Freshness::current;
        case unknownRole:
            return !shown.word.has_value();
        default:
            return {};
    }
}

QString WordTableModel::text(const LiveWord& shown, int column) const {
    if (column == word) {
        return shown.occurrences > 1 ? tr("%1 ×%2").arg(shown.typed).arg(shown.occurrences)
                                     : shown.typed;
    }
    if (!shown.word) {
        return column == shares ? tr("unknown") : QString();
    }
    if (isPinned(column)) {
        return pinnedText(shown, column);
    }
    if (shown.freshness == Freshness::waiting) {
        return QStringLiteral("…");
    }
    const ShownDistribution& distribution = shown.distribution;
    switch (column) {
        case shares:
            return sharesText(distribution);
        case kept:
            return countText(distribution, distribution.kept);
        case distinct:
            return countText(distribution, distribution.distinct);
        case critical:
            return criticalText(shown);
        default:
            return outputsText(shown);
    }
}

QString WordTableModel::pinnedText(const LiveWord& shown, int column) const {
    if (!m_model.state().pin()) {
        return {};
    }
    if (!shown.pinned) {
        return QStringLiteral("…");
    }
    return countText(*shown.pinned,
                     column == pinnedKept ? shown.pinned->kept : shown.pinned->distinct);
}

QString WordTableModel::criticalText(const LiveWord& shown) {
    if (!shown.critical) {
        return QStringLiteral("–");
    }
    if (shown.critical->median == 0.0) {
        return tr("any");
    }
    return std::isfinite(shown.critical->median) ? significant(shown.critical->median, 3)
                                                 : QStringLiteral("∞");
}

QString WordTableModel::criticalToolTip(const LiveWord& shown) {
    if (!shown.critical) {
        return tr(
            "Added noise has no half-kept ε: what a draw returns may change back and forth as ε "
            "grows.");
    }
    const double median = shown.critical->median;
    if (shown.distribution.exact) {
        return std::isfinite(median) ? tr("The word is kept with probability ½ at ε = %1.")
                                           .arg(significant(median, 3))
                                     : tr("The word is kept with probability below ½ at every ε.");
    }
    if (median == 0.0) {
        return tr("Half of the draws keep the word at every ε.");
    }
    return std::isfinite(median) ? tr("Half of the draws keep the word at ε = %1 and above.")
                                       .arg(significant(median, 3))
                                 : tr("Another word has the same vector and is returned instead.");
}

QString WordTableModel::outputsText(const LiveWord& shown) const {
    QStringList parts;
    for (const auto& output : shown.distribution.outputs) {
        if (output.outputClass == statistics::OutputClass::kept) {
            continue;
        }
        if (static_cast<std::size_t>(parts.size()) == kTopOutputs ||
            (shown.distribution.exact &&
             100.0 * output.count < kLeastShown * shown.distribution.draws)) {
            break;
        }
        parts.append(tr("%1 %2%").arg(shown.distribution.spelling(output),
                                      percent(output.count, shown.distribution.draws)));
    }
    const std::int64_t others =
        shown.distribution.outputCount - (shown.distribution.kept > 0.0 ? 1 : 0);
    if (parts.isEmpty()) {
        return others > 0 ? tr("others under 0.1% each") : tr("kept in all draws");
    }
    return others > parts.size() ? parts.join(tr(" · ")) + tr(" …") : parts.join(tr(" · "));
}

QString WordTableModel::spokenText(const LiveWord& shown, int column) const {
    if (!shown.word && column == word) {
        return tr("%1, not in the vocabulary").arg(shown.typed);
    }
    if (column == shares && shown.word && shown.freshness != Freshness::waiting) {
        const auto parts = percentages(shown.distribution);
        const QString spoken = tr("kept %1 percent, near %2 percent, far %3 percent")
                                   .arg(parts[0])
                                   .arg(parts[1])
                                   .arg(parts[2]);
        return shown.pinned ? spoken + tr("; pinned: %1").arg(sharesText(*shown.pinned)) : spoken;
    }
    return text(shown, column);
}

QString WordTableModel::toolTip(const LiveWord& shown, int column) const {
    if (!shown.word) {
        return unknownWordNote(m_model.state().textPolicies().unknownWords);
    }
    if (shown.freshness == Freshness::waiting) {
        return tr("Being computed.");
    }
    if (shown.freshness == Freshness::stale) {
        return tr("From the previous settings. Being computed.");
    }
    const ShownDistribution& distribution = shown.distribution;
    switch (column) {
        case word:
            return shown.typed;
        case shares:
            return sharesToolTip(distribution) +
                   (shown.pinned ? tr("\nPinned, the grey bar: %1").arg(sharesText(*shown.pinned))
                                 : QString());
        case critical:
            return criticalToolTip(shown);
        case topOutputs:
            return outputsText(shown);
        default:
            return {};
    }
}

QVariant WordTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) |
                                   (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    }
    const std::array<QString, kColumns> titles{
        tr("Word"),        tr("Kept / near / far"), tr("Kept"),   tr("Outputs"),
        tr("Half-kept ε"), tr("Top outputs"),       tr("pinned"), tr("pinned")};
    const QString draws = counted(m_model.drawsUsed());
    const bool exact = m_model.state().mechanism().isExact();
    const std::array<QString, kColumns> tips{
        tr("Words of the text, each once."),
        tr("Shares of the draws that return the word itself, one of its %1 nearest neighbours, or "
           "another word.")
            .arg(kNearNeighbours),
        exact ? tr("How many of %1 draws return the word itself on average: exact.").arg(draws)
              : tr("How many of %1 draws return the word itself.").arg(draws),
        exact ? tr("How many different words %1 draws return on average: exact.").arg(draws)
              : tr("How many different words %1 draws return.").arg(draws),
        exact ? tr("The ε at which the word is kept with probability ½.")
              : tr("From this ε on, half of the draws keep the word: the median over the draws of "
                   "the smallest ε at which a draw keeps it."),
        tr("The most frequent outputs other than the word itself."),
        tr("How many of the same draws return the word itself under the pinned settings."),
        tr("How many different words the same draws return under the pinned settings.")};
    const auto column = static_cast<std::size_t>(section);
    switch (role) {
        case Qt::DisplayRole:
            return titles[column];
        case Qt::ToolTipRole:
        case Qt::AccessibleDescriptionRole:
            return tips[column];
        default:
            return {};
    }
}

}  // namespace epsilens::ui::live
