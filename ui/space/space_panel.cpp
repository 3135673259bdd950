#include "ui/space/space_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolTip>
#include <QVBoxLayout>

#include "ui/space/neighbour_list.h"
#include "ui/space/space_plot.h"
#include "ui/space/word_field.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/widgets/whole_number_box.h"

namespace epsilens::ui {

namespace {
constexpr int kNarrowestPlot = 385;
constexpr int kLowestPlot = 230;
constexpr int kCompletions = 20;
constexpr int kLabelStep = 5;
constexpr int kDrawStep = 50;
}  // namespace

SpacePanel::SpacePanel(AnalysisState& state, QWidget* parent)
    : Panel(parent),
      m_model(*new SpaceModel(state, this)),
      m_notice(new NoticeLine(this)),
      m_word(new WordField(
          [this](const QString& prefix) { return m_model.completions(prefix, kCompletions); },
          this)),
      m_pages(new QStackedWidget(this)),
      m_empty(emptyStateLabel({}, this)),
      m_plot(new SpacePlot(this)),
      m_neighbours(new NeighbourList(this)),
      m_planeLabel(hintLabel({}, this)),
      m_drawsLabel(hintLabel({}, this)) {
    setObjectName(QStringLiteral("spacePanel"));
    m_plot->setObjectName(QStringLiteral("spacePlot"));
    m_empty->setObjectName(QStringLiteral("spaceEmptyLabel"));
    m_planeLabel->setObjectName(QStringLiteral("planeLabel"));
    m_planeLabel->setWordWrap(true);
    m_drawsLabel->setObjectName(QStringLiteral("drawsShareLabel"));
    m_drawsLabel->setWordWrap(true);
    m_pages->addWidget(m_empty);
    m_neighbours->setObjectName(QStringLiteral("spaceNeighbourTableView"));
    auto* picture = new QWidget(this);
    auto* beside = new QHBoxLayout(picture);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->setSpacing(kRowSpacing);
    // Less than its legend would like at 960 pixels, where the legend comes closer together.
    followFont(m_plot, [this](const QFontMetrics& metrics) {
        m_plot->setMinimumWidth(scaledToText(kNarrowestPlot, metrics));
        m_plot->setMinimumHeight(scaledToText(kLowestPlot, metrics));
    });
    beside->addWidget(m_plot, 1);
    beside->addLayout(buildNeighbours());
    m_pages->addWidget(picture);
    auto* column = new QWidget(this);
    auto* content = new QVBoxLayout(column);
    content->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    content->setSpacing(kRowSpacing / 2);
    content->addLayout(buildControls());
    content->addWidget(m_pages, 1);
    content->addWidget(m_planeLabel);
    content->addWidget(m_drawsLabel);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_notice);
    all->addWidget(scrolledPage(column, this), 1);
    connectModel();
    connectPlot();
    showCloud();
    showScene();
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

QLayout* SpacePanel::buildControls() {
    m_word->setObjectName(QStringLiteral("spaceWordLineEdit"));
    m_word->setAccessibleName(tr("Selected word"));
    m_word->setAccessibleDescription(tr("The word that the noise is drawn around."));
    m_word->setToolTip(m_word->accessibleDescription());
    m_word->setPlaceholderText(tr("a word of the vocabulary"));
    auto* row = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    auto* label = new QLabel(tr("Word"), this);
    label->setBuddy(m_word);
    row->addWidget(label);
    row->addWidget(m_word, 1);
    QSpinBox* points =
        addNumber(*row, tr("points"), "pointsSpinBox",
                  tr("How many random words of the vocabulary are shown."),
                  SpaceModel::kFewestPoints, SpaceModel::kMostPoints, 1, m_model.points());
    // Steps of a tenth of the magnitude, as on a logarithmic scale.
    points->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    QSpinBox* labels =
        addNumber(*row, tr("labels"), "labelsSpinBox",
                  tr("How many nearest neighbours of the word are marked and named."), 0,
                  SpaceModel::kMostLabels, kLabelStep, m_model.labels());
    QSpinBox* draws =
        addNumber(*row, tr("draws"), "spaceDrawsSpinBox",
                  tr("How many noisy points are drawn around the word, at the current ε and λ."), 0,
                  SpaceModel::kMostDraws, kDrawStep, m_model.draws());
    connect(points, &QSpinBox::valueChanged, &m_model, &SpaceModel::setPoints);
    connect(labels, &QSpinBox::valueChanged, &m_model, &SpaceModel::setLabels);
    connect(draws, &QSpinBox::valueChanged, &m_model, &SpaceModel::setDraws);
    return row;
}

QLayout* SpacePanel::buildNeighbours() {
    auto* zoom = new QPushButton(tr("Zoom to the noise"), this);
    zoom->setObjectName(QStringLiteral("zoomNoiseButton"));
    zoom->setAccessibleDescription(
        tr("Zooms in until the word and its contours fill the plot; Home shows everything again."));
    zoom->setToolTip(zoom->accessibleDescription());
    connect(zoom, &QPushButton::clicked, m_plot, &SpacePlot::zoomToNoise);
    auto* row = new QHBoxLayout;
    row->addStretch();
    row->addWidget(zoom);
    auto* column = new QVBoxLayout;
    column->setSpacing(kRowSpacing);
    column->addLayout(row);
    column->addWidget(m_neighbours, 1);
    return column;
}

QSpinBox* SpacePanel::addNumber(QLayout& row, const QString& label, const char* objectName,
                                const QString& description, int low, int high, int step,
                                int value) {
    auto* box = new WholeNumberBox(this);
    box->setObjectName(QLatin1String(objectName));
    box->setAccessibleName(tr("Number of %1").arg(label));
    box->setAccessibleDescription(description);
    box->setToolTip(description);
    box->setRange(low, high);
    box->setSingleStep(step);
    box->setValue(value);
    guardWheel(box);
    connect(box, &WholeNumberBox::refused, this, &SpacePanel::showRefused);
    auto* text = new QLabel(label, this);
    text->setBuddy(box);
    row.addWidget(text);
    row.addWidget(box);
    return box;
}

void SpacePanel::showRefused(const QString& reason) {
    m_notice->present({Severity::info,
                       reason,
                       {},
                       true,
                       tr("What was typed in Space is not a number in the allowed range.")});
}

void SpacePanel::connectModel() {
    connect(&m_model, &SpaceModel::cloudChanged, this, &SpacePanel::showCloud);
    connect(&m_model, &SpaceModel::sceneChanged, this, &SpacePanel::showScene);
    connect(&m_model, &SpaceModel::noiseChanged, this, &SpacePanel::showNoise);
    connect(&m_model, &SpaceModel::unknownWord, this, &SpacePanel::showUnknown);
    connect(&m_model, &SpaceModel::failed, this,
            [this](const Error& error) { m_notice->present(noticeFor(error)); });
    connect(&m_model, &SpaceModel::problemChanged, this, &SpacePanel::showProblem);
    connect(m_word, &WordField::wordEntered, &m_model, &SpaceModel::selectSpelling);
}

void SpacePanel::connectPlot() {
    connect(m_plot, &SpacePlot::pointHovered, this,
            [this](std::optional<std::size_t> index, const QPoint& position) {
                if (const auto word = wordAt(index)) {
                    QToolTip::showText(position, word->text(), m_plot);
                } else {
                    QToolTip::hideText();
                }
            });
    connect(m_plot, &SpacePlot::pointClicked, this, [this](std::size_t index) {
        if (const auto word = wordAt(index)) {
            m_model.state().lookAt(word);
        }
    });
    connect(m_neighbours, &NeighbourList::wordChosen, this,
            [this](const Word& word) { m_model.state().lookAt(word); });
    connect(m_plot, &SpacePlot::labelsPlaced, this, &SpacePanel::showTexts);
}

std::optional<Word> SpacePanel::wordAt(std::optional<std::size_t> index) const {
    const auto& cloud = m_model.cloud();
    return cloud && index && *index < cloud->words.size() ? std::optional(cloud->words[*index].word)
                                                          : std::nullopt;
}

void SpacePanel::showPage() {
    const QString obstacle = m_model.obstacle();
    m_empty->setText(obstacle);
    m_pages->setCurrentIndex(obstacle.isEmpty() ? 1 : 0);
}

void SpacePanel::showCloud() {
    showPage();
    PlottedCloud plotted{{}, m_model.isDisk()};
    if (const auto& cloud = m_model.cloud()) {
        for (const PlaneWord& word : cloud->words) {
            plotted.points.push_back(word.point);
        }
        m_plot->setAxisTitles(m_model.axisTitle(0), m_model.axisTitle(1));
        m_plot->setAccessibleName(m_model.planeName());
    }
    m_plot->setCloud(plotted);
    showNoise();
}

void SpacePanel::showScene() {
    std::optional<NamedPoint> word;
    std::vector<NamedPoint> neighbours;
    if (const auto& scene = m_model.scene()) {
        word = NamedPoint{scene->word.point, scene->word.word.text()};
        for (const PlaneWord& neighbour : m_model.labelled()) {
            neighbours.push_back({neighbour.point, neighbour.word.text()});
        }
        m_word->setText(word->name);
        m_notice->clear();
        if (const auto& problem = m_model.problem()) {
            m_notice->present(noticeFor(*problem));
        }
    } else {
        m_word->clear();
    }
    m_plot->setScene(word, neighbours);
    showNeighbours();
    showTexts();
}

void SpacePanel::showNeighbours() {
    const auto& scene = m_model.scene();
    if (!scene) {
        m_neighbours->clear();
        return;
    }
    engine::Neighbourhood nearest;
    for (const PlaneWord& neighbour : scene->neighbours) {
        nearest.rows.push_back(neighbour.word.row());
        nearest.distances.push_back(neighbour.distance);
    }
    m_neighbours->setNeighbours(nearest, scene->word.word, m_model.distanceTitle());
}

void SpacePanel::showNoise() {
    if (!m_model.cloud()) {
        return;
    }
    PlottedNoise noise;
    for (const Contour& contour : m_model.contours()) {
        noise.contours.push_back({contour, m_model.contourName(contour)});
    }
    noise.spherical = m_model.sphericalContours();
    noise.offsets = m_model.drawOffsets();
    if (!noise.offsets.empty()) {
        noise.drawsName = m_model.drawsName(noise.offsets.size());
    }
    m_plot->setNoise(noise);
    showTexts();
}

void SpacePanel::showTexts() {
    QString plane = m_model.planeText();
    if (m_plot->labelsLeftOut() > 0) {
        plane += tr(" · no room for %1 labels, zoom in").arg(m_plot->labelsLeftOut());
    }
    m_planeLabel->setText(plane);
    m_drawsLabel->setText(m_model.drawsText());
    m_plot->setShownDescription(m_model.description());
}

void SpacePanel::showProblem() {
    const auto& problem = m_model.problem();
    m_notice->follow(problem ? std::optional(noticeFor(*problem)) : std::nullopt);
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
