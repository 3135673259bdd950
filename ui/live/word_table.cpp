#include "ui/live/word_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QAbstractTableModel>
#include <QApplication>
#include <QCoreApplication>
#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>
#include <QTimer>

#include "ui/live/live_model.h"
#include "ui/state/output_mark.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/focus_frame.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("WordTable", text);
}

QString percent(double count, int draws) {
    const double share = 100.0 * count / draws;
    return share >= 10.0 || share == std::floor(share) ? QString::number(share, 'f', 0)
                                                       : QString::number(share, 'f', 1);
}

constexpr qsizetype kTopOutputs = 6;

bool isPinned(int column) {
    return column == WordTable::pinnedKept || column == WordTable::pinnedDistinct;
}

Qt::Alignment alignmentOf(int column) {
    const bool isText =
        column == WordTable::word || column == WordTable::shares || column == WordTable::topOutputs;
    return Qt::AlignVCenter | (isText ? Qt::AlignLeft : Qt::AlignRight);
}

QString sharesText(const ShownDistribution& shown) {
    const report::Hundredths parts = hundredthsOf(shown);
    return tr("%1/%2/%3%").arg(parts.kept).arg(parts.near).arg(parts.far);
}

QString criticalText(const LiveWord& word) {
    if (word.critical.median == 0.0) {
        return tr("any");
    }
    return std::isfinite(word.critical.median) ? significant(word.critical.median, 3)
                                               : QStringLiteral("∞");
}

}  // namespace

QString topOutputsText(const LiveWord& word, qsizetype most) {
    const ShownDistribution& shown = word.distribution;
    QStringList parts;
    for (const auto& output : shown.outputs) {
        if (output.outputClass == calibration::OutputClass::kept) {
            continue;
        }
        if (parts.size() == most ||
            (shown.exact && 100.0 * output.count < kLeastShown * shown.draws)) {
            break;
        }
        parts.append(tr("%1 %2%").arg(word.spelling(output), percent(output.count, shown.draws)));
    }
    const std::int64_t others = shown.outputCount - (shown.kept > 0.0 ? 1 : 0);
    if (parts.isEmpty()) {
        return others > 0 ? tr("others under 0.1% each") : tr("kept in all draws");
    }
    return parts.join(tr(" · ")) + (others > parts.size() ? tr(" …") : QString());
}

namespace {

/// The words of the sentence as rows. Texts are made when a cell is asked for.
class WordTableModel final : public QAbstractTableModel {
public:
    WordTableModel(const LiveModel& model, QObject* parent)
        : QAbstractTableModel(parent), m_model(model) {
        connect(&model, &LiveModel::wordsReset, this, [this] {
            beginResetModel();
            m_rows = static_cast<int>(m_model.words().size());
            endResetModel();
        });
        connect(&model, &LiveModel::valuesChanged, this, [this] {
            if (m_rows > 0) {
                Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, WordTable::kColumns - 1));
            }
        });
        m_rows = static_cast<int>(m_model.words().size());
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : m_rows;
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : WordTable::kColumns;
    }
    /// Null where the model has dropped its words a moment before this table hears of it.
    [[nodiscard]] const LiveWord* wordAt(const QModelIndex& index) const {
        const auto place = static_cast<std::size_t>(index.row());
        return index.isValid() && place < m_model.words().size() ? &m_model.words()[place]
                                                                 : nullptr;
    }
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override {
        const LiveWord* shown = wordAt(index);
        return shown == nullptr ? Qt::NoItemFlags
               : shown->word ? Qt::ItemIsEnabled | Qt::ItemNeverHasChildren | Qt::ItemIsSelectable
                             : Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        const LiveWord* shown = wordAt(index);
        if (shown == nullptr) {
            return {};
        }
        switch (role) {
            case Qt::DisplayRole:
                return text(*shown, index.column());
            case Qt::AccessibleTextRole:
                return spokenText(*shown, index.column());
            case Qt::ToolTipRole:
                return toolTip(*shown, index.column());
            case Qt::TextAlignmentRole:
                return QVariant::fromValue(alignmentOf(index.column()));
            default:
                return {};
        }
    }

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override {
        if (orientation != Qt::Horizontal) {
            return {};
        }
        if (role == Qt::TextAlignmentRole) {
            return QVariant::fromValue(alignmentOf(section));
        }
        const QString draws = counted(m_model.drawsUsed());
        const bool exact = m_model.state().mechanism().isExact();
        struct Header {
            QString title;
            QString tip;
        };
        const std::array<Header, WordTable::kColumns> headers{{
            {tr("Word"), tr("Words of the text, each once.")},
            {tr("Kept / near / far"),
             tr("Shares of the draws that return the word itself, one of its %1 nearest "
                "neighbours, or another word.")
                 .arg(kNearNeighbours)},
            {tr("Kept"),
             (exact ? tr("How many of %1 draws return the word itself on average: exact.")
                    : tr("How many of %1 draws return the word itself."))
                 .arg(draws)},
            {tr("pinned"),
             tr("How many of the same draws return the word itself under the pinned settings.")},
            {tr("Outputs"),
             (exact ? tr("How many different words %1 draws return on average: exact.")
                    : tr("How many different words %1 draws return."))
                 .arg(draws)},
            {tr("pinned"),
             tr("How many different words the same draws return under the pinned settings.")},
            {tr("Half-kept ε"),
             exact ? tr("The ε at which the word is kept with probability ½.")
                   : tr("From this ε on, half of the draws keep the word: the median over the "
                        "draws of the smallest ε at which a draw keeps it.")},
            {tr("Top outputs"), tr("The most frequent outputs other than the word itself.")},
        }};
        const Header& header = headers.at(static_cast<std::size_t>(section));
        return role == Qt::DisplayRole ? QVariant(header.title)
               : role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole
                   ? QVariant(header.tip)
                   : QVariant();
    }

private:
    [[nodiscard]] QString text(const LiveWord& shown, int column) const {
        if (column == WordTable::word) {
            return shown.occurrences > 1 ? tr("%1 ×%2").arg(shown.typed).arg(shown.occurrences)
                                         : shown.typed;
        }
        if (!shown.word) {
            return column == WordTable::shares ? tr("unknown") : QString();
        }
        if (isPinned(column)) {
            const auto& pinned = shown.pinned;
            return !m_model.state().pin() ? QString()
                   : !pinned
                       ? QStringLiteral("…")
                       : countText(*pinned, column == WordTable::pinnedKept ? pinned->kept
                                                                            : pinned->distinct);
        }
        if (shown.freshness == Freshness::waiting) {
            return QStringLiteral("…");
        }
        const ShownDistribution& distribution = shown.distribution;
        switch (column) {
            case WordTable::shares:
                return sharesText(distribution);
            case WordTable::kept:
                return countText(distribution, distribution.kept);
            case WordTable::distinct:
                return countText(distribution, distribution.distinct);
            case WordTable::critical:
                return criticalText(shown);
            default:
                return topOutputsText(shown, kTopOutputs);
        }
    }

    [[nodiscard]] QString spokenText(const LiveWord& shown, int column) const {
        if (!shown.word && column == WordTable::word) {
            return tr("%1, not in the vocabulary").arg(shown.typed);
        }
        if (column == WordTable::shares && shown.word && shown.freshness != Freshness::waiting) {
            const report::Hundredths parts = hundredthsOf(shown.distribution);
            const QString spoken = tr("kept %1 percent, near %2 percent, far %3 percent")
                                       .arg(parts.kept)
                                       .arg(parts.near)
                                       .arg(parts.far);
            return shown.pinned ? spoken + tr("; pinned: %1").arg(sharesText(*shown.pinned))
                                : spoken;
        }
        return text(shown, column);
    }

    [[nodiscard]] QString toolTip(const LiveWord& shown, int column) const {
        if (!shown.word) {
            return unknownWordNote(m_model.state().textPolicies().unknownWords);
        }
        if (shown.freshness == Freshness::waiting) {
            return tr("Being computed.");
        }
        if (shown.freshness == Freshness::stale) {
            return tr("From the previous settings. Being computed.");
        }
        return spokenText(shown, column);
    }

    const LiveModel& m_model;
    int m_rows = 0;
};

/// Paints shares as a stacked bar with its percentages beside it, what belongs to earlier settings
/// dimmed, unknown words in the muted colour. Meant for a view whose selection colour text and bars
/// stay readable on.
class StackedBarDelegate final : public QStyledItemDelegate {
public:
    StackedBarDelegate(const WordTableModel& words, QObject* parent)
        : QStyledItemDelegate(parent), m_words(words) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const LiveWord* word = m_words.wordAt(index);
        if (word == nullptr) {
            return;
        }
        const Theme theme = themeFor(option.palette);
        painter->save();
        QStyleOptionViewItem plain = option;
        plain.state &= ~QStyle::State_HasFocus;
        // The whole row shows the focus as selection, which must not be dimmed with the text.
        const QStyle* style =
            option.widget != nullptr ? option.widget->style() : QApplication::style();
        style->drawPrimitive(QStyle::PE_PanelItemViewItem, &plain, painter, option.widget);
        if (!word->word) {
            plain.palette.setColor(QPalette::Text, theme.mutedText);
        } else if (!isPinned(index.column()) && word->freshness != Freshness::current) {
            painter->setOpacity(kDimmedOpacity);
        }
        if (index.column() == WordTable::shares && word->distribution.draws > 0) {
            paintBars(*painter, option.rect, *word, theme);
            plain.rect.setLeft(plain.rect.left() + kBarRoom);
        }
        QStyledItemDelegate::paint(painter, plain, index);
        painter->restore();
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        if (index.column() == WordTable::shares) {
            size.setWidth(kBarRoom + 2 * kPadding +
                          option.fontMetrics.horizontalAdvance(QStringLiteral("88/88/88%")));
        }
        return size;
    }

private:
    static constexpr int kBarWidth = 104;
    static constexpr int kBarHeight = 12;
    static constexpr int kPadding = 6;
    static constexpr int kBarRoom = kBarWidth + 2 * kPadding;
    static constexpr int kPinnedHeight = 5;
    static constexpr int kPinnedGap = 3;

    static void paintBars(QPainter& painter, const QRect& cell, const LiveWord& word,
                          const Theme& theme) {
        const auto draw = [&painter](const QRectF& bar, const ShownDistribution& shown,
                                     const ShareBrushes& brushes, const QPen& outline) {
            drawShares(painter, bar, {shown.kept, shown.near, shown.far}, brushes, outline);
        };
        const int height = kBarHeight + (word.pinned ? kPinnedGap + kPinnedHeight : 0);
        const int top = cell.top() + (cell.height() - height) / 2;
        const QRectF bar(cell.left() + kPadding + 0.5, top + 0.5, kBarWidth, kBarHeight);
        draw(bar, word.distribution, shareBrushes(theme), theme.border);
        if (word.pinned) {
            // Grey, told apart by their patterns.
            const ShareBrushes grey{QBrush(theme.pinned), QBrush(theme.pinned, Qt::BDiagPattern),
                                    QBrush(Qt::NoBrush)};
            draw({bar.left(), bar.bottom() + kPinnedGap, kBarWidth, kPinnedHeight}, *word.pinned,
                 grey, QPen(theme.pinned, 1, Qt::DashLine));
        }
    }

    const WordTableModel& m_words;
};

constexpr int kLeastRowHeight = 28;
constexpr int kRoomAroundText = 10;
constexpr int kNumberWidth = 46;
constexpr int kCriticalWidth = 78;
constexpr int kLeastWordWidth = 80;
constexpr int kMostWordWidth = 180;
constexpr int kLeastOutputsWidth = 90;

/// The most important one first. What the panel of the chosen word says, too, comes last.
constexpr std::array kByImportance{
    WordTable::word,     WordTable::shares,         WordTable::kept,       WordTable::pinnedKept,
    WordTable::distinct, WordTable::pinnedDistinct, WordTable::topOutputs, WordTable::critical};

/// A share of the accent on the surface.
QColor tint(const Theme& theme) {
    const float share = theme.dark ? 0.30F : 0.14F;
    const auto mixed = [share](float accent, float surface) {
        return accent * share + surface * (1.0F - share);
    };
    return QColor::fromRgbF(mixed(theme.accent.redF(), theme.surface.redF()),
                            mixed(theme.accent.greenF(), theme.surface.greenF()),
                            mixed(theme.accent.blueF(), theme.surface.blueF()));
}

}  // namespace

WordTable::WordTable(const LiveModel& model, QWidget* parent) : QTableView(parent), m_model(model) {
    auto* words = new WordTableModel(model, this);
    m_words = words;
    setObjectName(QStringLiteral("wordTableView"));
    setAccessibleName(tr("Words of the text"));
    setModel(m_words);
    describeRows(*this, [](int rows) {
        return tr("Words of the text: %1, with the outputs that the mechanism gives them")
            .arg(counted(rows));
    });
    setItemDelegate(new StackedBarDelegate(*words, this));
    showFocusAround(this);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setTabKeyNavigation(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setWordWrap(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView& header = *horizontalHeader();
    header.setHighlightSections(false);
    header.setSectionResizeMode(QHeaderView::Interactive);
    header.setStretchLastSection(true);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid() && !m_isSelecting) {
                    Q_EMIT entryChosen(static_cast<std::size_t>(current.row()));
                }
            });
    applyTheme();
    fit();
}

void WordTable::showEntry(std::optional<std::size_t> entry) {
    // What the program selects is not the analyst's choice of a word for all tabs.
    const QScopedValueRollback<bool> selecting(m_isSelecting, true);
    if (!entry) {
        selectionModel()->clear();
        return;
    }
    const QModelIndex index = m_words->index(static_cast<int>(*entry), 0);
    if (currentIndex().row() != index.row() || !selectionModel()->hasSelection()) {
        selectionModel()->setCurrentIndex(
            index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
}

void WordTable::fit() {
    const int rowHeight = std::max(kLeastRowHeight, fontMetrics().height() + kRoomAroundText);
    verticalHeader()->setDefaultSectionSize(rowHeight);
    setMinimumHeight(3 * rowHeight);
    chooseColumns();
}

int WordTable::leastWidth(int column) const {
    switch (column) {
        case WordTable::word:
            return scaledToText(kLeastWordWidth, fontMetrics());
        case WordTable::shares:
            return sizeHintForColumn(column);
        case WordTable::topOutputs:
            return scaledToText(kLeastOutputsWidth, fontMetrics());
        default:
            return std::max(
                scaledToText(column == WordTable::critical ? kCriticalWidth : kNumberWidth,
                             fontMetrics()),
                horizontalHeader()->sectionSizeHint(column));
    }
}

/// Words grow with the room that is left, up to what they need; the last column takes the rest.
void WordTable::chooseColumns() {
    QHeaderView& header = *horizontalHeader();
    const bool isPinned = m_model.state().pin().has_value();
    int room = viewport()->width();
    bool fits = true;
    for (const int column : kByImportance) {
        const bool isOfPin = column == WordTable::pinnedKept || column == WordTable::pinnedDistinct;
        header.setSectionHidden(column, isOfPin && !isPinned);
        if (header.isSectionHidden(column)) {
            continue;
        }
        const int width = leastWidth(column);
        fits = fits && (width <= room || column == WordTable::word);
        header.setSectionHidden(column, !fits);
        if (fits) {
            header.resizeSection(column, width);
            room -= width;
        }
    }
    const int least = header.sectionSize(WordTable::word);
    const bool hasOutputs = !header.isSectionHidden(WordTable::topOutputs);
    const int wanted =
        std::clamp(sizeHintForColumn(WordTable::word) + 16, least,
                   hasOutputs ? scaledToText(kMostWordWidth, fontMetrics()) : QWIDGETSIZE_MAX);
    header.resizeSection(WordTable::word, least + std::clamp(hasOutputs ? wanted - least : room, 0,
                                                             std::max(0, room)));
}

void WordTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fit();
}

void WordTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_isApplyingTheme) {
        applyTheme();
    }
    if (event->type() == QEvent::FontChange) {
        // The headers have the font only after this.
        QTimer::singleShot(0, this, &WordTable::fit);
    }
}

void WordTable::applyTheme() {
    m_isApplyingTheme = true;
    const Theme theme = themeOf(this);
    // The strong selection colour would hide the colours of the bars.
    QPalette soft = palette();
    soft.setColor(QPalette::Highlight, tint(theme));
    soft.setColor(QPalette::HighlightedText, theme.text);
    setPalette(soft);
    m_isApplyingTheme = false;
}

}  // namespace epsilens::ui::live
