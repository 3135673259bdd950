#include "ui/live/word_table.h"

#include <algorithm>
#include <array>

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>
#include <QTimer>

#include "ui/live/live_model.h"
#include "ui/live/word_table_model.h"
#include "ui/state/output_mark.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/focus_frame.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

/// Paints the cells of WordTableModel: shares as a stacked bar with its percentages beside it,
/// what belongs to earlier settings dimmed, unknown words in the muted colour. Meant for a view
/// whose selection colour text and bars stay readable on.
class StackedBarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    void paintText(QPainter* painter, const QStyleOptionViewItem& option,
                   const QModelIndex& index) const;
    void paintShares(QPainter* painter, const QStyleOptionViewItem& option,
                     const QModelIndex& index) const;
};

constexpr int kBarWidth = 104;
constexpr int kBarHeight = 12;
constexpr int kPadding = 6;
constexpr int kPinnedHeight = 5;
constexpr int kPinnedGap = 3;

/// Grey, told apart by their patterns.
ShareBrushes pinnedBrushes(const Theme& theme) {
    return {QBrush(theme.pinned), QBrush(theme.pinned, Qt::BDiagPattern), QBrush(Qt::NoBrush)};
}

void StackedBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
    painter->save();
    QStyleOptionViewItem plain = option;
    plain.state &= ~QStyle::State_HasFocus;
    // The whole row shows the focus as selection; the background must not be dimmed with the text.
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &plain, painter, option.widget);
    if (index.data(WordTableModel::dimmedRole).toBool()) {
        painter->setOpacity(kDimmedOpacity);
    }
    if (!index.data(WordTableModel::sharesRole).value<QList<double>>().isEmpty()) {
        paintShares(painter, plain, index);
    } else {
        paintText(painter, plain, index);
    }
    painter->restore();
}

void StackedBarDelegate::paintShares(QPainter* painter, const QStyleOptionViewItem& option,
                                     const QModelIndex& index) const {
    const Theme theme = themeFor(option.palette);
    const QRect cell = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const auto pinned = index.data(WordTableModel::pinnedSharesRole).value<QList<double>>();
    const int height = kBarHeight + (pinned.isEmpty() ? 0 : kPinnedGap + kPinnedHeight);
    const int top = cell.top() + (cell.height() - height) / 2;
    const QRectF bar(cell.left() + 0.5, top + 0.5, kBarWidth, kBarHeight);
    drawShares(*painter, bar, index.data(WordTableModel::sharesRole).value<QList<double>>(),
               shareBrushes(theme), theme.border);
    if (!pinned.isEmpty()) {
        const QRectF below(bar.left(), bar.bottom() + kPinnedGap, kBarWidth, kPinnedHeight);
        drawShares(*painter, below, pinned, pinnedBrushes(theme),
                   QPen(theme.pinned, 1, Qt::DashLine));
    }
    painter->setPen(option.palette.color(QPalette::Text));
    painter->setFont(option.font);
    painter->drawText(cell.adjusted(kBarWidth + 10, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                      index.data(Qt::DisplayRole).toString());
}

void StackedBarDelegate::paintText(QPainter* painter, const QStyleOptionViewItem& option,
                                   const QModelIndex& index) const {
    const QRect cell = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const bool isUnknown = index.data(WordTableModel::unknownRole).toBool();
    painter->setPen(isUnknown ? themeFor(option.palette).mutedText
                              : option.palette.color(QPalette::Text));
    painter->setFont(option.font);
    const auto alignment = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    painter->drawText(cell, static_cast<int>(alignment) | Qt::TextSingleLine,
                      option.fontMetrics.elidedText(index.data(Qt::DisplayRole).toString(),
                                                    Qt::ElideRight, cell.width()));
}

QSize StackedBarDelegate::sizeHint(const QStyleOptionViewItem& option,
                                   const QModelIndex& index) const {
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (index.column() == WordTableModel::shares) {
        size.setWidth(kBarWidth + 10 + 2 * kPadding +
                      option.fontMetrics.horizontalAdvance(QStringLiteral("88/88/88%")));
    }
    return size;
}

constexpr int kLeastRowHeight = 28;
constexpr int kRoomAroundText = 10;
constexpr int kNumberWidth = 46;
constexpr int kCriticalWidth = 78;
constexpr int kLeastWordWidth = 80;
constexpr int kMostWordWidth = 180;
constexpr int kLeastOutputsWidth = 90;

/// The most important one first. What the panel of the chosen word says, too, comes last.
constexpr std::array kByImportance{WordTableModel::word,       WordTableModel::shares,
                                   WordTableModel::kept,       WordTableModel::pinnedKept,
                                   WordTableModel::distinct,   WordTableModel::pinnedDistinct,
                                   WordTableModel::topOutputs, WordTableModel::critical};

QString headerStyle(const Theme& theme) {
    return QStringLiteral(
               "QHeaderView { background: %1; } QHeaderView::section { background: %1; color: %2; "
               "border: none; border-bottom: 1px solid %3; padding: 4px 6px; }")
        .arg(theme.surface.name(), theme.mutedText.name(), theme.border.name());
}

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

WordTable::WordTable(const LiveModel& model, QWidget* parent)
    : QTableView(parent), m_model(model), m_words(model) {
    setObjectName(QStringLiteral("wordTableView"));
    setAccessibleName(tr("Words of the text"));
    setModel(&m_words);
    describeRows(*this, [](int rows) {
        return tr("Words of the text: %1, with the outputs that the mechanism gives them")
            .arg(counted(rows));
    });
    setItemDelegate(new StackedBarDelegate(this));
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
    // What is pinned stands beside the current values.
    header.moveSection(header.visualIndex(WordTableModel::pinnedKept),
                       header.visualIndex(WordTableModel::kept) + 1);
    header.moveSection(header.visualIndex(WordTableModel::pinnedDistinct),
                       header.visualIndex(WordTableModel::distinct) + 1);
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
    const QModelIndex index = m_words.index(static_cast<int>(*entry), 0);
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
        case WordTableModel::word:
            return scaledToText(kLeastWordWidth, fontMetrics());
        case WordTableModel::shares:
            return sizeHintForColumn(column);
        case WordTableModel::topOutputs:
            return scaledToText(kLeastOutputsWidth, fontMetrics());
        default:
            return std::max(
                scaledToText(column == WordTableModel::critical ? kCriticalWidth : kNumberWidth,
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
        const bool isOfPin =
            column == WordTableModel::pinnedKept || column == WordTableModel::pinnedDistinct;
        header.setSectionHidden(column, isOfPin && !isPinned);
        if (header.isSectionHidden(column)) {
            continue;
        }
        const int width = leastWidth(column);
        fits = fits && (width <= room || column == WordTableModel::word);
        header.setSectionHidden(column, !fits);
        if (fits) {
            header.resizeSection(column, width);
            room -= width;
        }
    }
    const int least = header.sectionSize(WordTableModel::word);
    const bool hasOutputs = !header.isSectionHidden(WordTableModel::topOutputs);
    const int wanted =
        std::clamp(sizeHintForColumn(WordTableModel::word) + 16, least,
                   hasOutputs ? scaledToText(kMostWordWidth, fontMetrics()) : QWIDGETSIZE_MAX);
    header.resizeSection(
        WordTableModel::word,
        least + std::clamp(hasOutputs ? wanted - least : room, 0, std::max(0, room)));
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
    horizontalHeader()->setStyleSheet(headerStyle(theme));
    m_isApplyingTheme = false;
}

}  // namespace epsilens::ui::live
