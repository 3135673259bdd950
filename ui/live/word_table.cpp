#include "ui/live/word_table.h"

#include <algorithm>
#include <array>

#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTimer>

#include "ui/live/live_model.h"
#include "ui/live/stacked_bar_delegate.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/focus_frame.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

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
