#include "ui/space/space_panel.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTableWidget>

#include "ui/space/space_plot.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kNarrowestPlot = 385;
constexpr int kLowestPlot = 230;
constexpr int kLongestWord = 200;
constexpr std::size_t kMostLabels = 10;
constexpr int kNeighbourWidth = 240;
constexpr int kDistanceWidth = 132;

}  // namespace

SpacePanel::SpacePanel(AnalysisState& state, QWidget* parent)
    : Panel(parent),
      m_model(*new SpaceModel(state, this)),
      m_notice(new NoticeLine(this)),
      m_word(described(new QLineEdit(this), "spaceWordLineEdit", tr("Selected word"),
                       tr("The word that the noise is drawn around."))),
      m_pages(new QStackedWidget(this)),
      m_empty(emptyStateLabel({}, this)),
      m_plot(new SpacePlot(this)),
      m_neighbours(new QTableWidget(0, 2, this)),
      m_planeLabel(hintLabel({}, this)),
      m_drawsLabel(hintLabel({}, this)) {
    setObjectName(QStringLiteral("spacePanel"));
    m_plot->setObjectName(QStringLiteral("spacePlot"));
    m_empty->setObjectName(QStringLiteral("spaceEmptyLabel"));
    for (const auto& [label, name] :
         {std::pair{m_planeLabel, "planeLabel"}, std::pair{m_drawsLabel, "drawsShareLabel"}}) {
        label->setObjectName(QLatin1String(name));
        label->setWordWrap(true);
    }
    m_pages->addWidget(m_empty);
    auto* picture = new QWidget(this);
    // Less than its legend would like at 960 pixels, where the legend comes closer together.
    followFont(m_plot, [this](const QFontMetrics& metrics) {
        m_plot->setMinimumWidth(scaledToText(kNarrowestPlot, metrics));
        m_plot->setMinimumHeight(scaledToText(kLowestPlot, metrics));
    });
    buildNeighbours();
    picture->setLayout(rowOf({m_plot, m_neighbours}, kRowSpacing));
    m_pages->addWidget(picture);
    auto* word = new QHBoxLayout;
    word->setSpacing(kRowSpacing);
    m_word->setPlaceholderText(tr("a word of the vocabulary"));
    m_word->setMaxLength(kLongestWord);
    m_word->setClearButtonEnabled(true);
    addLabelled(*word, tr("Word"), m_word, 1);
    auto* column = new QWidget(this);
    auto* content =
        columnIn(column, kRowSpacing / 2, {m_pages, m_planeLabel, m_drawsLabel}, kPanelMargin);
    content->setStretch(0, 1);
    content->insertLayout(0, word);
    columnIn(this, 0, {m_notice, scrolledPage(column, this)})->setStretch(1, 1);
    connect(m_word, &QLineEdit::returnPressed, &m_model,
            [this] { m_model.selectSpelling(m_word->text()); });
    connect(&m_model, &SpaceModel::wordsChanged, this, &SpacePanel::showWords);
    connect(&m_model, &SpaceModel::noiseChanged, this, &SpacePanel::showNoise);
    connect(&m_model, &SpaceModel::unknownWord, this, &SpacePanel::showUnknown);
    connect(m_plot, &SpacePlot::wordClicked, &m_model.state(),
            qOverload<std::optional<Word>>(&AnalysisState::lookAt));
    connect(m_plot, &SpacePlot::labelsPlaced, this, &SpacePanel::showPlaneText);
    showWords();
}

QString SpacePanel::title() const {
    return tr("Space");
}

bool SpacePanel::handles(PanelCommand command) const {
    // From other tabs the word is looked for in Words.
    return command == PanelCommand::findWord && isVisible();
}

void SpacePanel::execute(PanelCommand command) {
    if (command == PanelCommand::findWord) {
        m_word->setFocus(Qt::ShortcutFocusReason);
        m_word->selectAll();
    }
}

QWidget* SpacePanel::firstControl() const {
    return m_word;
}

void SpacePanel::buildNeighbours() {
    setUpRows(*m_neighbours, "spaceNeighbourTableView", tr("Nearest words"));
    m_neighbours->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QHeaderView* header = m_neighbours->horizontalHeader();
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    header->setSectionResizeMode(1, QHeaderView::Fixed);
    followFont(m_neighbours, [this](const QFontMetrics& metrics) {
        m_neighbours->setFixedWidth(scaledToText(kNeighbourWidth, metrics));
        m_neighbours->setColumnWidth(1, scaledToText(kDistanceWidth, metrics));
    });
    const auto choose = [this](int row) {
        if (const PlaneScene* scene = m_model.scene()) {
            m_model.state().lookAt(scene->neighbours[static_cast<std::size_t>(row)].word);
        }
    };
    connect(m_neighbours, &QTableWidget::cellClicked, this, choose);
    connect(m_neighbours, &QTableWidget::cellActivated, this, choose);
}

void SpacePanel::showWords() {
    const auto cloud = m_model.cloud();
    const PlaneScene* scene = m_model.scene();
    if (cloud) {
        m_plot->setAxisTitles(m_model.axisTitle(0), m_model.axisTitle(1));
        m_plot->setAccessibleName(m_model.planeName());
    }
    if (scene != nullptr) {
        const auto& near = scene->neighbours;
        const auto named = static_cast<std::ptrdiff_t>(std::min(kMostLabels, near.size()));
        m_plot->setWords(cloud, scene->word, {near.begin(), near.begin() + named});
        m_word->setText(scene->word.word.text());
    } else {
        m_plot->setWords(cloud, {}, {});
        m_word->clear();
    }
    showNeighbours();
    showNoise();
}

void SpacePanel::showNeighbours() {
    const PlaneScene* scene = m_model.scene();
    const QString title = scene != nullptr ? m_model.distanceTitle() : tr("Distance");
    m_neighbours->setRowCount(0);
    m_neighbours->setHorizontalHeaderLabels({tr("Nearest words"), title});
    m_neighbours->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignVCenter | Qt::AlignLeft);
    m_neighbours->horizontalHeaderItem(1)->setTextAlignment(Qt::AlignVCenter | Qt::AlignRight);
    if (scene == nullptr || scene->neighbours.empty()) {
        m_neighbours->setAccessibleDescription(scene == nullptr ? tr("Not known yet.")
                                                                : tr("There is no other word."));
        m_neighbours->setToolTip({});
        return;
    }
    const auto& words = scene->neighbours;
    const QString word = scene->word.word.text();
    m_neighbours->setToolTip(
        tr("%1 from “%2”. A click or Return selects a word.").arg(title, word));
    m_neighbours->setAccessibleDescription(
        tr("The %1 words nearest to %2 by %3; the nearest at %4. Return selects one.")
            .arg(counted(std::ssize(words)), word, title, significant(words.front().distance, 3)));
    m_neighbours->setRowCount(static_cast<int>(words.size()));
    for (int row = 0; row < m_neighbours->rowCount(); ++row) {
        const PlaneWord& neighbour = words[static_cast<std::size_t>(row)];
        auto* distance = new QTableWidgetItem(significant(neighbour.distance, 3));
        distance->setTextAlignment(Qt::AlignVCenter | Qt::AlignRight);
        m_neighbours->setItem(row, 0, new QTableWidgetItem(neighbour.word.text()));
        m_neighbours->setItem(row, 1, distance);
    }
    m_neighbours->scrollToTop();
}

void SpacePanel::showNoise() {
    const QString obstacle = m_model.obstacle();
    m_empty->setText(obstacle);
    m_pages->setCurrentIndex(obstacle.isEmpty() ? 1 : 0);
    m_plot->setNoise(m_model.noise());
    showPlaneText();
    m_drawsLabel->setText(m_model.drawsText());
    m_plot->setShownDescription(m_model.description());
    const Error* problem = m_model.problem();
    m_notice->follow(problem != nullptr ? std::optional(noticeFor(*problem)) : std::nullopt);
}

void SpacePanel::showPlaneText() {
    QString plane = m_model.planeText();
    if (m_plot->labelsLeftOut() > 0) {
        plane += tr(" · no room for %1 labels, zoom in").arg(m_plot->labelsLeftOut());
    }
    m_planeLabel->setText(plane);
}

void SpacePanel::showUnknown(const QString& spelling, const QStringList& suggestions) {
    Notice notice{Severity::info,
                  tr("\"%1\" is not in the vocabulary.").arg(spelling),
                  {},
                  true,
                  tr("A word looked for in Space is not in the vocabulary.")};
    for (const QString& suggestion : suggestions) {
        notice.actions.append(
            {suggestion, [this, suggestion] { m_model.selectSpelling(suggestion); }});
    }
    m_notice->present(notice);
}

}  // namespace epsilens::ui
