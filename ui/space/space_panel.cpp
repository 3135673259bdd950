#include "ui/space/space_panel.h"

#include <QCompleter>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QStringListModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolTip>
#include <QVBoxLayout>

#include "ui/space/space_plot.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/widgets/whole_number_box.h"

namespace epsilens::ui {

namespace {

constexpr int kNarrowestPlot = 385;
constexpr int kLowestPlot = 230;
constexpr int kCompletions = 20;
constexpr int kLongestWord = 200;
constexpr int kLabelStep = 5;
constexpr int kDrawStep = 50;
constexpr int kNeighbourWidth = 240;
constexpr int kDistanceWidth = 132;
constexpr int kPadding = 6;
constexpr int kBarHeight = 8;
constexpr int kShareRole = Qt::UserRole;  ///< of the greatest distance of the table

/// Draws distances as bars with their numbers.
class DistanceBarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem row = option;
        row.state &= ~QStyle::State_HasFocus;
        option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &row, painter,
                                              option.widget);
        const QRect cell = option.rect.adjusted(kPadding, 0, -kPadding, 0);
        const int numberWidth = option.fontMetrics.horizontalAdvance(QStringLiteral("0.0000"));
        const double room = cell.width() - numberWidth - kPadding;
        const bool isSelected = row.state.testFlag(QStyle::State_Selected);
        const QColor text =
            option.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
        const QRectF bar(cell.left(), cell.center().y() - 0.5 * (kBarHeight - 1),
                         qMax(1.0, room * index.data(kShareRole).toDouble()), kBarHeight);
        painter->fillRect(bar, isSelected ? text : themeFor(option.palette).series(2));
        painter->setPen(text);
        painter->setFont(option.font);
        painter->drawText(cell, Qt::AlignVCenter | Qt::AlignRight, index.data().toString());
    }
};

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
      m_neighbours(new QStandardItemModel(this)),
      m_neighbourTable(new QTableView(this)),
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
    QHBoxLayout* beside = rowOf({m_plot}, kRowSpacing);
    beside->addLayout(buildNeighbours());
    picture->setLayout(beside);
    m_pages->addWidget(picture);
    auto* column = new QWidget(this);
    auto* content =
        columnIn(column, kRowSpacing / 2, {m_pages, m_planeLabel, m_drawsLabel}, kPanelMargin);
    content->setStretch(0, 1);
    content->insertLayout(0, buildControls());
    columnIn(this, 0, {m_notice, scrolledPage(column, this)})->setStretch(1, 1);
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
    m_word->setPlaceholderText(tr("a word of the vocabulary"));
    m_word->setMaxLength(kLongestWord);
    m_word->setClearButtonEnabled(true);
    completeWords();
    auto* row = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    addLabelled(*row, tr("Word"), m_word, 1);
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

void SpacePanel::completeWords() {
    auto* words = new QStringListModel(m_word);
    auto* completer = new QCompleter(words, m_word);
    completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_word->setCompleter(completer);
    connect(m_word, &QLineEdit::textEdited, this, [this, words](const QString& text) {
        words->setStringList(m_model.completions(text, kCompletions));
    });
    connect(m_word, &QLineEdit::returnPressed, &m_model,
            [this] { m_model.selectSpelling(m_word->text()); });
    connect(completer, qOverload<const QString&>(&QCompleter::activated), &m_model,
            &SpaceModel::selectSpelling);
}

QLayout* SpacePanel::buildNeighbours() {
    auto* zoom = described(new QPushButton(tr("Zoom to the noise"), this), "zoomNoiseButton", {},
                           tr("Zooms in until the word and its contours fill the plot; Home shows "
                              "everything again."));
    connect(zoom, &QPushButton::clicked, m_plot, &SpacePlot::zoomToNoise);
    m_neighbourTable->setObjectName(QStringLiteral("spaceNeighbourTableView"));
    m_neighbourTable->setModel(m_neighbours);
    m_neighbourTable->setItemDelegateForColumn(1, new DistanceBarDelegate(this));
    m_neighbourTable->setAccessibleName(tr("Nearest words"));
    m_neighbourTable->setFrameShape(QFrame::NoFrame);
    m_neighbourTable->setShowGrid(false);
    m_neighbourTable->setTabKeyNavigation(false);
    m_neighbourTable->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_neighbourTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_neighbourTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_neighbourTable->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_neighbourTable->verticalHeader()->hide();
    m_neighbourTable->horizontalHeader()->setHighlightSections(false);
    keepRowHeight(m_neighbourTable, kLeastTarget);
    followFont(m_neighbourTable, [this](const QFontMetrics& metrics) {
        m_neighbourTable->setFixedWidth(scaledToText(kNeighbourWidth, metrics));
        m_neighbourTable->setColumnWidth(1, scaledToText(kDistanceWidth, metrics));
    });
    const auto choose = [this](const QModelIndex& index) {
        if (const auto scene = m_model.scene()) {
            const auto row = static_cast<std::size_t>(index.row());
            m_model.state().lookAt(scene->neighbours[row].word);
        }
    };
    connect(m_neighbourTable, &QTableView::clicked, this, choose);
    connect(m_neighbourTable, &QTableView::activated, this, choose);
    auto* column = new QVBoxLayout;
    column->setSpacing(kRowSpacing);
    column->addWidget(zoom, 0, Qt::AlignRight);
    column->addWidget(m_neighbourTable, 1);
    return column;
}

QSpinBox* SpacePanel::addNumber(QHBoxLayout& row, const QString& label, const char* objectName,
                                const QString& description, int low, int high, int step,
                                int value) {
    auto* box =
        described(new WholeNumberBox(this), objectName, tr("Number of %1").arg(label), description);
    box->setRange(low, high);
    box->setSingleStep(step);
    box->setValue(value);
    guardWheel(box);
    connect(box, &WholeNumberBox::refused, this, [this](const QString& reason) {
        m_notice->present({Severity::info,
                           reason,
                           {},
                           true,
                           tr("What was typed in Space is not a number in the allowed range.")});
    });
    addLabelled(row, label, box);
    return box;
}

void SpacePanel::connectModel() {
    connect(&m_model, &SpaceModel::cloudChanged, this, &SpacePanel::showCloud);
    connect(&m_model, &SpaceModel::sceneChanged, this, &SpacePanel::showScene);
    connect(&m_model, &SpaceModel::noiseChanged, this, &SpacePanel::showNoise);
    connect(&m_model, &SpaceModel::unknownWord, this, &SpacePanel::showUnknown);
    connect(&m_model, &SpaceModel::problemChanged, this, &SpacePanel::showProblem);
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
    connect(m_plot, &SpacePlot::labelsPlaced, this, &SpacePanel::showPlaneText);
}

std::optional<Word> SpacePanel::wordAt(std::optional<std::size_t> index) const {
    const auto cloud = m_model.cloud();
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
    PlottedCloud plotted;
    if (const auto cloud = m_model.cloud()) {
        plotted.isDisk = cloud->view.isDisk;
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
    if (const auto scene = m_model.scene()) {
        word = NamedPoint{scene->word.point, scene->word.word.text()};
        for (const PlaneWord& neighbour : m_model.labelled()) {
            neighbours.push_back({neighbour.point, neighbour.word.text()});
        }
        m_word->setText(word->name);
        m_notice->clear();
        if (const auto problem = m_model.problem()) {
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
    const auto scene = m_model.scene();
    const QString title = m_model.distanceTitle();
    m_neighbours->clear();
    m_neighbours->setHorizontalHeaderLabels({tr("Nearest words"), scene ? title : tr("Distance")});
    m_neighbours->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignVCenter | Qt::AlignLeft);
    m_neighbours->horizontalHeaderItem(1)->setTextAlignment(Qt::AlignVCenter | Qt::AlignRight);
    QHeaderView* header = m_neighbourTable->horizontalHeader();
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    header->setSectionResizeMode(1, QHeaderView::Fixed);
    header->resizeSection(1, scaledToText(kDistanceWidth, m_neighbourTable->fontMetrics()));
    m_neighbourTable->setToolTip({});
    m_neighbourTable->setAccessibleDescription(tr("Not known yet."));
    if (!scene) {
        return;
    }
    const QString word = scene->word.word.text();
    m_neighbourTable->setToolTip(
        tr("%1 from “%2”. A click or Return selects a word.").arg(title, word));
    if (scene->neighbours.empty()) {
        m_neighbourTable->setAccessibleDescription(tr("There is no other word."));
        return;
    }
    m_neighbourTable->setAccessibleDescription(
        tr("The %1 words nearest to %2 by %3; the nearest at %4. Return selects one.")
            .arg(counted(static_cast<qint64>(scene->neighbours.size())), word, title,
                 significant(scene->neighbours.front().distance, 3)));
    const double greatest = scene->neighbours.back().distance;
    for (const PlaneWord& neighbour : scene->neighbours) {
        auto* distance = new QStandardItem(significant(neighbour.distance, 3));
        distance->setData(greatest > 0.0 ? neighbour.distance / greatest : 0.0, kShareRole);
        m_neighbours->appendRow({new QStandardItem(neighbour.word.text()), distance});
    }
    m_neighbourTable->scrollToTop();
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

void SpacePanel::showPlaneText() {
    QString plane = m_model.planeText();
    if (m_plot->labelsLeftOut() > 0) {
        plane += tr(" · no room for %1 labels, zoom in").arg(m_plot->labelsLeftOut());
    }
    m_planeLabel->setText(plane);
}

void SpacePanel::showTexts() {
    showPlaneText();
    m_drawsLabel->setText(m_model.drawsText());
    m_plot->setShownDescription(m_model.description());
}

void SpacePanel::showProblem() {
    const auto problem = m_model.problem();
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
