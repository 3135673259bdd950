// What the Curves tab consists of; curves_panel.cpp says what it does.

#include <utility>

#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/curves/band_choice.h"
#include "ui/curves/curve_table.h"
#include "ui/curves/curves_panel.h"
#include "ui/curves/statistic_plot.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/large_text.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

QWidget* CurvesPanel::buildEmptyState() {
    m_emptyRun->setObjectName(QStringLiteral("emptyRunPushButton"));
    m_emptyRun->setAccessibleDescription(tr("Measures over the grid above (F5)."));
    m_emptyText->setObjectName(QStringLiteral("curvesEmptyLabel"));
    connect(m_emptyRun, &QPushButton::clicked, this, &CurvesPanel::run);
    return emptyStatePage(m_emptyText, m_emptyRun, this);
}

QWidget* CurvesPanel::buildResults() {
    m_table->showIn(*m_tableView);
    followFont(m_tableView, [this](const QFontMetrics&) { fitColumns(); });
    m_copy->setObjectName(QStringLiteral("copyTablePushButton"));
    m_copy->setToolTip(tr("Copies the table as comma-separated values."));
    connect(m_copy, &QPushButton::clicked, this, &CurvesPanel::copyTable);
    auto* numbers = new QWidget(this);
    auto* beside = new QHBoxLayout(numbers);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->setSpacing(kRowSpacing);
    beside->addWidget(m_tableView, 1);
    beside->addWidget(m_copy, 0, Qt::AlignTop);
    auto* section =
        new CollapsibleSection(QStringLiteral("curvesNumbers"), tr("Numbers"), numbers, this);
    section->setOpen(false);
    auto* results = new QWidget(this);
    auto* column = new QVBoxLayout(results);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(buildPlots(), 1);
    column->addWidget(buildReadingRow());
    column->addWidget(section);
    return results;
}

QWidget* CurvesPanel::buildPlots() {
    m_nwPlot->setObjectName(QStringLiteral("nwPlot"));
    m_swPlot->setObjectName(QStringLiteral("swPlot"));
    m_nwOrigin->setObjectName(QStringLiteral("nwOriginLabel"));
    m_swOrigin->setObjectName(QStringLiteral("swOriginLabel"));
    auto* plots = new QWidget(this);
    auto* grid = new QGridLayout(plots);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kPanelMargin);
    grid->setVerticalSpacing(2);
    grid->setRowStretch(1, 1);
    constexpr int kLowestPlot = 140;
    int column = 0;
    for (const auto& [label, plot] :
         {std::pair{m_nwOrigin, m_nwPlot}, std::pair{m_swOrigin, m_swPlot}}) {
        label->setWordWrap(true);
        keepRoomForTwoLines(label);
        followFont(plot, [shown = plot](const QFontMetrics& metrics) {
            shown->setMinimumHeight(scaledToText(kLowestPlot, metrics));
        });
        grid->addWidget(label, 0, column);
        grid->addWidget(plot, 1, column);
        grid->setColumnStretch(column++, 1);
    }
    return plots;
}

QWidget* CurvesPanel::buildReadingRow() {
    m_reading->setObjectName(QStringLiteral("readingLabel"));
    m_reading->setWordWrap(true);
    keepRoomForTwoLines(m_reading);
    m_reading->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_resultLabel->setObjectName(QStringLiteral("resultLabel"));

    auto* box = new QWidget(this);
    auto* rows = new QVBoxLayout(box);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    rows->addWidget(m_reading);
    // A line of its own: beside the lists it would be cut in a narrow window.
    rows->addWidget(m_resultLabel);
    auto* row = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    row->addStretch(1);
    auto* label = new QLabel(tr("Median and band"), this);
    label->setBuddy(m_bandOf);
    row->addWidget(label);
    row->addWidget(m_bandOf);
    rows->addLayout(row);
    return box;
}

}  // namespace epsilens::ui
