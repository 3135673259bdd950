#include "ui/choose/word_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QtWidgets>

#include "ui/choose/choose_model.h"
#include "ui/state/output_mark.h"
#include "ui/state/word.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::choose {

namespace {

QString percent(double count, int draws) {
    const double share = 100.0 * count / draws;
    return share >= 10.0 || share == std::floor(share) ? QString::number(share, 'f', 0)
                                                       : oneDecimal(share);
}

constexpr qsizetype kTopOutputs = 6;

Qt::Alignment alignmentOf(int column) {
    const bool isText =
        column == wordColumn || column == sharesColumn || column == topOutputsColumn;
    return Qt::AlignVCenter | (isText ? Qt::AlignLeft : Qt::AlignRight);
}

QString sharesText(const ShownDistribution& shown) {
    const report::Hundredths parts = hundredthsOf(shown);
    return tr("%1/%2/%3%").arg(parts.kept).arg(parts.near).arg(parts.far);
}

QString halfKeptText(const TextWord& word) {
    return word.outputs->halfKept == 0.0           ? tr("any")
           : std::isfinite(word.outputs->halfKept) ? significant(word.outputs->halfKept, 3)
                                                   : QStringLiteral("∞");
}

QString topOutputsText(const TextWord& word, qsizetype most) {
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
        parts.append(
            tr("%1 %2%").arg(word.spelling(output.row), percent(output.count, shown.draws)));
    }
    const std::int64_t others = shown.outputCount - (shown.kept > 0.0 ? 1 : 0);
    if (parts.isEmpty()) {
        return others > 0 ? tr("others under 0.1% each") : tr("kept in all draws");
    }
    return parts.join(tr(" · ")) + (others > parts.size() ? tr(" …") : QString());
}

class WordTableModel final : public QAbstractTableModel {
public:
    WordTableModel(const ChooseModel& model, QObject* parent)
        : QAbstractTableModel(parent), m_model(model) {
        connect(&model, &ChooseModel::wordsReset, this, [this] {
            beginResetModel();
            m_rows = static_cast<int>(m_model.distinctWords());
            endResetModel();
        });
        connect(&model, &ChooseModel::valuesChanged, this, [this] {
            if (m_rows > 0) {
                Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, columnsEnd - 1));
            }
        });
        m_rows = static_cast<int>(m_model.distinctWords());
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : m_rows;
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : columnsEnd;
    }
    /// Null where the model has dropped its words a moment before this table hears of it.
    [[nodiscard]] const TextWord* wordAt(const QModelIndex& index) const {
        const auto place = static_cast<std::size_t>(index.row());
        return index.isValid() && place < m_model.words().size() ? &m_model.words()[place]
                                                                 : nullptr;
    }
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override {
        const TextWord* shown = wordAt(index);
        return shown == nullptr ? Qt::NoItemFlags
               : shown->word ? Qt::ItemIsEnabled | Qt::ItemNeverHasChildren | Qt::ItemIsSelectable
                             : Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        const TextWord* shown = wordAt(index);
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
            case Qt::ForegroundRole:
                return !shown->word || m_model.isStale()
                           ? QVariant(themeFor(QApplication::palette()).mutedText)
                           : QVariant();
            case SharesDelegate::kRole:
                return index.column() == sharesColumn && shown->outputs
                           ? QVariant::fromValue(QList<double>{shown->distribution.kept,
                                                               shown->distribution.near,
                                                               shown->distribution.far})
                           : QVariant();
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
        const bool exact = m_model.state().mechanism().isExact();
        struct Header {
            QString title;
            QString tip;
        };
        const std::array<Header, columnsEnd> headers{{
            {tr("Word"), tr("Words of the text, each once.")},
            {tr("Kept / near / far"),
             tr("Shares of the draws that return the word itself, one of its %1 nearest "
                "neighbours, or another word.")
                 .arg(kNearNeighbours)},
            {tr("Different"),
             (exact ? tr("How many different words %1 draws return on average: exact.")
                    : tr("How many different words %1 draws return."))
                 .arg(counted(m_model.drawsUsed()))},
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
    [[nodiscard]] QString text(const TextWord& shown, int column) const {
        if (column == wordColumn) {
            return shown.occurrences > 1 ? tr("%1 ×%2").arg(shown.typed).arg(shown.occurrences)
                                         : shown.typed;
        }
        if (!shown.word) {
            return column == sharesColumn ? tr("unknown") : QString();
        }
        if (!shown.outputs) {
            return QStringLiteral("…");
        }
        const ShownDistribution& distribution = shown.distribution;
        switch (column) {
            case sharesColumn:
                return sharesText(distribution);
            case distinctColumn:
                return countText(distribution, distribution.distinct);
            case halfKeptColumn:
                return halfKeptText(shown);
            default:
                return topOutputsText(shown, kTopOutputs);
        }
    }

    [[nodiscard]] QString spokenText(const TextWord& shown, int column) const {
        if (!shown.word && column == wordColumn) {
            return tr("%1, not in the vocabulary").arg(shown.typed);
        }
        if (column == sharesColumn && shown.outputs) {
            const report::Hundredths parts = hundredthsOf(shown.distribution);
            return tr("kept %1 percent, near %2 percent, far %3 percent")
                .arg(parts.kept)
                .arg(parts.near)
                .arg(parts.far);
        }
        return text(shown, column);
    }

    [[nodiscard]] QString toolTip(const TextWord& shown, int column) const {
        return !shown.word ? tr("The vocabulary does not have this word: it %1.")
                                 .arg(fateOfUnknown(m_model.state().textPolicies().unknownWords))
               : !shown.outputs    ? tr("Being computed.")
               : m_model.isStale() ? tr("From the previous settings. Being computed.")
                                   : spokenText(shown, column);
    }

    const ChooseModel& m_model;
    int m_rows = 0;
};

constexpr int kSharesWidth = 190;
constexpr int kNumberWidth = 46;
constexpr int kLeastWordWidth = 80;
constexpr int kMostWordWidth = 180;
constexpr int kLeastOutputsWidth = 90;

/// The most important one first. What the panel of the chosen word says, too, comes last.
constexpr std::array kByImportance{wordColumn, sharesColumn, distinctColumn, topOutputsColumn,
                                   halfKeptColumn};

class WordTable final : public QTableView {
public:
    WordTable(ChooseModel& model, QWidget* parent) : QTableView(parent), m_model(model) {
        setUpRows(*this, "wordTableView", tr("Words of the text"));
        setModel(new WordTableModel(model, this));
        describeRows(*this, [](int rows) {
            return tr("Words of the text: %1, with the outputs that the mechanism gives them")
                .arg(counted(rows));
        });
        setItemDelegate(new SharesDelegate(this));
        horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
        horizontalHeader()->setStretchLastSection(true);
        connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
                [this](const QModelIndex& current) {
                    if (current.isValid() && !m_isSelecting) {
                        m_model.select(static_cast<std::size_t>(current.row()));
                    }
                });
        connect(&model, &ChooseModel::wordsReset, this, &WordTable::fit);
        connect(&model, &ChooseModel::valuesChanged, this, &WordTable::showDetail);
        followFont(this,
                   [this](const QFontMetrics&) { QTimer::singleShot(0, this, &WordTable::fit); });
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QTableView::resizeEvent(event);
        fit();
    }

private:
    void showDetail() {
        // What the program selects is not the analyst's choice of a word for all tabs.
        const QScopedValueRollback<bool> selecting(m_isSelecting, true);
        const auto entry = m_model.detailIndex();
        if (!entry || *entry >= m_model.distinctWords()) {
            selectionModel()->clear();
        } else if (const QModelIndex index = model()->index(static_cast<int>(*entry), 0);
                   currentIndex().row() != index.row() || !selectionModel()->hasSelection()) {
            selectionModel()->setCurrentIndex(
                index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        }
    }
    /// Columns that have no room are hidden. Words grow with the room that is left, up to what they
    /// need; the last column takes the rest.
    void fit() {
        constexpr int kLeastRows = 4;
        setMinimumHeight(horizontalHeader()->sizeHint().height() +
                         kLeastRows * verticalHeader()->defaultSectionSize());
        const auto scaled = [this](int pixels) { return scaledToText(pixels, fontMetrics()); };
        QHeaderView& header = *horizontalHeader();
        int room = viewport()->width();
        bool fits = true;
        for (const int column : kByImportance) {
            header.setSectionHidden(column, false);  // hidden ones have no size
            const int width = column == wordColumn ? scaled(kLeastWordWidth)
                              : column == sharesColumn
                                  ? std::max(scaled(kSharesWidth), sizeHintForColumn(column))
                              : column == topOutputsColumn
                                  ? scaled(kLeastOutputsWidth)
                                  : std::max(scaled(kNumberWidth), header.sectionSizeHint(column));
            fits = fits && (width <= room || column == wordColumn);
            header.setSectionHidden(column, !fits);
            if (fits) {
                header.resizeSection(column, width);
                room -= width;
            }
        }
        const int least = header.sectionSize(wordColumn);
        header.resizeSection(wordColumn, std::clamp(std::min(sizeHintForColumn(wordColumn) + 16,
                                                             scaled(kMostWordWidth)),
                                                    least, least + std::max(0, room)));
    }

    ChooseModel& m_model;
    bool m_isSelecting = false;  ///< the program, not the analyst, selects a row
};

constexpr qsizetype kMostNamed = 8;

QString nearestText(const TextWord& word) {
    const engine::Neighbourhood& near = *word.outputs->neighbours;
    QStringList parts;
    for (std::size_t i = 0; i < near.rows.size() && parts.size() < kMostNamed; ++i) {
        parts.append(
            tr("%1 at %2").arg(word.spelling(near.rows[i]), significant(near.distances[i], 3)));
    }
    return parts.isEmpty() ? QString() : tr("Nearest: %1").arg(parts.join(tr(" · ")));
}

QString outputsText(const TextWord& word) {
    const ShownDistribution& shown = word.distribution;
    if (!shown.exact && shown.kept >= shown.draws) {
        return tr("No other word in %1 draws.").arg(counted(shown.draws));
    }
    return tr("Most often instead: %1; %2 different words in %3 draws.")
        .arg(topOutputsText(word, kMostNamed), countText(shown, shown.distinct),
             counted(shown.draws));
}

class WordDetails final : public QWidget {
public:
    WordDetails(const ChooseModel& model, QWidget* parent) : QWidget(parent) {
        QVBoxLayout* column =
            columnIn(this, kRowSpacing / 2, {m_heading, m_outputs, m_nearest, m_facts});
        column->setContentsMargins(kRowSpacing, 0, kRowSpacing, 0);
        column->addStretch();
        for (QLabel* label : {m_heading, m_outputs, m_nearest, m_facts}) {
            label->setTextFormat(Qt::PlainText);
        }
        connect(&model, &ChooseModel::valuesChanged, this,
                [this, &model] { showWord(model.detail()); });
    }

private:
    void showWord(const TextWord* word) {
        const bool isKnown = word != nullptr && word->outputs;
        m_outputs->setText(isKnown ? outputsText(*word) : QString());
        m_nearest->setText(isKnown ? nearestText(*word) : QString());
        m_facts->setText(isKnown ? tr("Half-kept ε: %1").arg(halfKeptText(*word)) : QString());
        for (QLabel* part : {m_outputs, m_nearest, m_facts}) {
            part->setVisible(!part->text().isEmpty());
        }
        m_heading->setText(
            word == nullptr ? QString()
            : !isKnown      ? tr("“%1”: being computed…").arg(word->typed)
                            : tr("“%1” survives %2 of 100 draws")
                                 .arg(word->typed)
                                 .arg(hundredthsOf(word->distribution).kept) +
                             (word->occurrences > 0 ? QString() : tr(" (not in the sentence)")));
    }

    QLabel* m_heading = wrapped(headingLabel({}, this), "detailHeadingLabel");
    QLabel* m_outputs = wrapped(new QLabel(this), "detailOutputsLabel");
    QLabel* m_nearest = wrapped(hintLabel({}, this), "nearestWordsLabel");
    QLabel* m_facts = wrapped(hintLabel({}, this), "detailFactsLabel");
};

}  // namespace

QWidget* newWordTable(ChooseModel& model, QWidget* parent) {
    return new WordTable(model, parent);
}

QWidget* newWordDetails(const ChooseModel& model, QWidget* parent) {
    return new WordDetails(model, parent);
}

}  // namespace epsilens::ui::choose
