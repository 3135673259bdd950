#include "ui/space/space_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <QtWidgets>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/engine/metric_rows.h"
#include "core/engine/selection_draws.h"
#include "core/engine/word_sample.h"
#include "core/plane/plane_axes.h"
#include "core/plane/plane_noise.h"
#include "ui/space/space_plot.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/query.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using embedding::Row;
using plane::Contour;
using plane::PlanePoint;

constexpr std::int64_t kPoints = 2'000;
constexpr int kNeighbours = 100;
constexpr int kDraws = 200;
constexpr std::size_t kMostLabels = 10;
constexpr int kLongestWord = 200;

constexpr int kNarrowestPlot = 385;
constexpr int kLowestPlot = 230;
constexpr int kNeighbourWidth = 240;
constexpr int kDistanceWidth = 132;

/// A word to begin with: short words at the start of files say little about a vocabulary.
Row standInWord(const embedding::PreparedEmbedding& embedding) {
    constexpr Row kAfterTheMostFrequent = 500;
    constexpr std::size_t kLongEnough = 5;
    for (Row row = kAfterTheMostFrequent; row < embedding.wordCount(); ++row) {
        const std::string_view word = embedding.vocabulary().word(row);
        if (word.size() >= kLongEnough &&
            std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; })) {
            return row;
        }
    }
    return 0;
}

QString percent(double share) {
    return significant(100.0 * share, 2) + QLatin1Char('%');
}

bool isInDisk(const mechanism::Mechanism& mechanism) {
    return mechanism.metric() == metric::Metric::poincare;
}

plane::PlaneAxes planeOf(const embedding::PreparedEmbedding& embedding, bool isDisk) {
    return isDisk ? plane::diskPlane(embedding) : plane::principalPlane(embedding);
}

std::vector<PlaneWord> projected(const embedding::EmbeddingHandle& embedding,
                                 const plane::PlaneAxes& plane, const std::vector<Row>& rows) {
    const std::vector<PlanePoint> points = plane.project(*embedding, rows);
    std::vector<PlaneWord> words;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        words.push_back({Word(embedding, rows[i]), points[i]});
    }
    return words;
}

struct Projection {
    plane::PlaneAxes axes{};
    std::vector<PlaneWord> words{};          ///< random ones of the vocabulary
    std::int64_t vocabulary = 0;             ///< V
    plane::PlaneNoise noise{};               ///< elliptical; of principal axes only
    std::optional<plane::BallNoise> ball{};  ///< of a mechanism that adds noise in the ball
};
struct ProjectionKey {
    embedding::EmbeddingHandle embedding{};
    bool isDisk = false;  ///< the Poincaré ball, else principal axes
    std::optional<mechanism::Mechanism> ballNoise{};
    std::uint64_t seed = 0;

    [[nodiscard]] bool operator==(const ProjectionKey&) const = default;
};

Result<Projection> project(const ProjectionKey& key, const JobContext& /*job*/) {
    const embedding::EmbeddingHandle& embedding = key.embedding;
    Projection cloud;
    cloud.vocabulary = embedding->wordCount();
    cloud.axes = planeOf(*embedding, key.isDisk);
    if (key.ballNoise) {
        ASSIGN_OR_RETURN(const auto form, key.ballNoise->on(embedding));
        cloud.ball.emplace(embedding, std::get<mechanism::HyperbolicNoise>(form), key.seed, kDraws);
    } else {
        cloud.noise = plane::PlaneNoise(embedding->basis, key.seed, kDraws);
    }
    cloud.words =
        projected(embedding, cloud.axes, engine::sampleWords(cloud.vocabulary, kPoints, key.seed));
    return cloud;
}

struct NearWords {
    PlaneWord word;
    std::vector<PlaneWord> neighbours{};  ///< nearest first
    engine::SearchSpaceHandle space{};
    bool isDisk = false;
};
struct NearKey {
    engine::SearchSpaceHandle space{};
    std::shared_ptr<MetricSpaceCache> spaces{};
    mechanism::Mechanism mechanism{};
    Row word = 0;

    [[nodiscard]] bool operator==(const NearKey& other) const {
        return space == other.space && word == other.word && mechanism.isKindOf(other.mechanism) &&
               shareNeighbours(mechanism, other.mechanism);
    }
};

Result<NearWords> findNearWords(const NearKey& key, const JobContext& job) {
    const std::vector<Row> asked{key.word};
    const embedding::EmbeddingHandle& embedding = key.space->handle();
    const mechanism::Mechanism& mechanism = key.mechanism;
    engine::Neighbourhood near;
    if (mechanism.isExact()) {
        ASSIGN_OR_RETURN(const auto metric,
                         key.spaces->get(embedding, mechanism.metric(), mechanism.lambda()));
        engine::MetricRows rows(false);
        rows.load(*metric, asked);
        near = rows.finish(0, kNeighbours).neighbours;
    } else {
        ASSIGN_OR_RETURN(auto found,
                         noiseNeighbours(*key.space, mechanism, asked, kNeighbours, job));
        near = std::move(found.front());
    }
    const plane::PlaneAxes plane = planeOf(*embedding, isInDisk(mechanism));
    NearWords scene{projected(embedding, plane, asked).front(),
                    projected(embedding, plane, near.rows), key.space, isInDisk(mechanism)};
    for (std::size_t i = 0; i < scene.neighbours.size(); ++i) {
        scene.neighbours[i].distance = near.distances[i];
    }
    return scene;
}

struct DrawKey {
    NearKey of{};
    mechanism::Setting setting{};
    std::uint64_t seed = 0;

    [[nodiscard]] bool operator==(const DrawKey&) const = default;
};
struct DrawnWords {
    DrawKey key{};
    std::vector<PlanePoint> offsets{};  ///< of the outputs, from the word
    std::size_t distinct = 0;
    std::int64_t kept = 0;
};

Result<DrawnWords> drawWords(const DrawKey& key, const JobContext& job) {
    const embedding::EmbeddingHandle& embedding = key.of.space->handle();
    ASSIGN_OR_RETURN(const auto form, key.setting.mechanism.on(embedding));
    const auto& weights = std::get<mechanism::SelectionWeights>(form);
    ASSIGN_OR_RETURN(const auto tem, weights.truncation.at(key.setting.epsilon));
    ASSIGN_OR_RETURN(const auto space, key.of.spaces->get(embedding, weights.metric.metric(),
                                                          weights.metric.lambda()));
    const std::array words{key.of.word};
    const std::array mechanisms{tem};
    ASSIGN_OR_RETURN(
        const auto drawn,
        engine::drawSelections(*space, words, mechanisms, {kDraws, key.seed, 1, kAllThreads}, job));
    const plane::PlaneAxes plane = planeOf(*embedding, isInDisk(key.setting.mechanism));
    const PlanePoint place = plane.project(*embedding, words).front();
    const std::vector<Row>& outputs = drawn.front().outputs.front();
    DrawnWords result{key};
    for (const PlanePoint& point : plane.project(*embedding, outputs)) {
        result.offsets.push_back({point.x - place.x, point.y - place.y});
    }
    result.distinct = std::set(outputs.begin(), outputs.end()).size();
    result.kept = std::ranges::count(outputs, key.of.word);
    return result;
}

/// Projection, neighbours and the words that TEM draws come from jobs; epsilon only scales them.
class Space final : public Panel {
public:
    explicit Space(AnalysisState& state)
        : m_state(state),
          m_notice(new NoticeLine(this)),
          m_word(described(new QLineEdit(this), "spaceWordLineEdit", tr("Selected word"),
                           tr("The word that the noise is drawn around."))),
          m_pages(new QStackedWidget(this)),
          m_empty(wrapped(emptyStateLabel({}, this), "spaceEmptyLabel")),
          m_plot(new SpacePlot(this)),
          m_neighbours(new QTableWidget(0, 2, this)),
          m_planeLabel(wrapped(hintLabel({}, this), "planeLabel")),
          m_drawsLabel(wrapped(hintLabel({}, this), "drawsShareLabel")),
          m_plane({.title = tr("Projecting the vocabulary"),
                   .key = [this]() -> std::optional<ProjectionKey> {
                       if (!hasPlane()) {
                           return std::nullopt;
                       }
                       const mechanism::Mechanism mechanism = m_state.mechanism();
                       return ProjectionKey{m_state.embedding(), isDisk(),
                                            isDisk() && !mechanism.isExact()
                                                ? std::optional(mechanism)
                                                : std::nullopt,
                                            m_state.seed()};
                   },
                   .make = project}),
          m_near({.title = tr("Finding neighbours"),
                  .key = [this] { return nearKey(); },
                  .make = findNearWords}),
          m_drawn({.title = tr("Drawing words"),
                   .key = [this]() -> std::optional<DrawKey> {
                       const auto scene = nearKey();
                       return scene && scene->mechanism.isExact()
                                  ? std::optional(
                                        DrawKey{*scene, m_state.setting(), m_state.seed()})
                                  : std::nullopt;
                   },
                   .make = drawWords,
                   // Stopped for each new epsilon it would never finish.
                   .isWorthFinishing =
                       [](const DrawKey& running, const DrawKey& wanted) {
                           return running.of.space == wanted.of.space &&
                                  running.of.word == wanted.of.word;
                       }}),
          m_spellings({.title = tr("Looking for spellings"),
                       .key = [this] { return m_unknown; },
                       .make = nearestSpellings}) {
        setObjectName(QStringLiteral("spacePanel"));
        m_plot->setObjectName(QStringLiteral("spacePlot"));
        buildNeighbours();
        buildPage();
        connectState();
        update();
        showWords();
    }

    [[nodiscard]] QString title() const override { return tr("Space"); }
    [[nodiscard]] QWidget* firstControl() const override { return m_word; }

private:
    void buildPage() {
        // Less than its legend would like at 960 pixels, where the legend comes closer together.
        followFont(m_plot, [this](const QFontMetrics& metrics) {
            m_plot->setMinimumWidth(scaledToText(kNarrowestPlot, metrics));
            m_plot->setMinimumHeight(scaledToText(kLowestPlot, metrics));
        });
        auto* picture = new QWidget(this);
        picture->setLayout(rowOf({m_plot, m_neighbours}, kRowSpacing));
        m_pages->addWidget(m_empty);
        m_pages->addWidget(picture);
        auto* word = rowOf({}, kRowSpacing);
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
    }
    void buildNeighbours() {
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
            if (const NearWords* shown = nearWords()) {
                m_state.selectWord(shown->neighbours[static_cast<std::size_t>(row)].word);
            }
        };
        connect(m_neighbours, &QTableWidget::cellClicked, this, choose);
        connect(m_neighbours, &QTableWidget::cellActivated, this, choose);
    }
    void connectState() {
        connect(m_word, &QLineEdit::returnPressed, this, [this] { select(m_word->text()); });
        connect(m_plot, &SpacePlot::wordClicked, &m_state, &AnalysisState::selectWord);
        connect(m_plot, &SpacePlot::labelsPlaced, this, &Space::showPlaneText);
        connect(&m_plane, &QueryBase::changed, this, &Space::showWords);
        connect(&m_near, &QueryBase::changed, this, &Space::showWords);
        connect(&m_drawn, &QueryBase::changed, this, &Space::showNoise);
        connect(&m_spellings, &QueryBase::changed, this, &Space::presentUnknown);
        connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
            m_notice->clear();  // words of the one before are offered in it
            m_unknown.reset();
            m_spellings.update();
            update();
            showWords();
        });
        connect(&m_state, &AnalysisState::selectedWordChanged, this, &Space::update);
        m_state.onChange(
            [](const AnalysisSettings& settings) {
                return std::pair(settings.setting(), settings.seed);
            },
            this,
            [this] {
                update();
                // Neighbours found before others failed are there at once.
                if (nearWords() != nullptr && m_neighbours->rowCount() == 0) {
                    showWords();
                } else {
                    showNoise();
                }
            });
    }

    [[nodiscard]] bool isDisk() const { return isInDisk(m_state.mechanism()); }
    [[nodiscard]] bool hasPlane() const {
        return m_state.searchSpace() && m_state.embedding()->dimensions() >= 2;
    }
    [[nodiscard]] Row shownRow() const {
        return m_state.selectedWord() ? m_state.selectedWord()->row()
                                      : standInWord(*m_state.embedding());
    }
    [[nodiscard]] std::optional<NearKey> nearKey() const {
        return hasPlane() ? std::optional(NearKey{m_state.searchSpace(), m_state.metricSpaces(),
                                                  m_state.mechanism(), shownRow()})
                          : std::nullopt;
    }
    [[nodiscard]] const NearWords* nearWords() const {
        const NearWords* made = m_near.error() == nullptr ? m_near.last() : nullptr;
        return made != nullptr && made->space == m_state.searchSpace() && made->isDisk == isDisk()
                   ? made
                   : nullptr;
    }
    [[nodiscard]] const DrawnWords* drawnWords() const {
        const DrawnWords* made = m_drawn.error() == nullptr ? m_drawn.last() : nullptr;
        return made != nullptr && made->key.of.space == m_state.searchSpace() &&
                       made->key.of.word == shownRow() &&
                       made->key.setting.mechanism.metric() == m_state.mechanism().metric()
                   ? made
                   : nullptr;
    }
    [[nodiscard]] QString contourName(const Contour& contour) const {
        const mechanism::Mechanism mechanism = m_state.mechanism();
        const QString share = QStringLiteral("%1%").arg(qRound(100.0 * contour.share));
        return isElliptical(mechanism)
                   ? tr("%1 elliptical, λ %2").arg(share, shortest(mechanism.lambda()))
                   : tr("geodesic ball, %1").arg(share);
    }
    [[nodiscard]] PlottedNoise noiseIn(const Projection& cloud) const {
        const mechanism::Mechanism mechanism = m_state.mechanism();
        const double epsilon = m_state.epsilon();
        PlottedNoise noise;
        std::vector<Contour> contours;
        QString drawn = tr("%1 draws at ε %2");
        double drawnAt = epsilon;
        if (mechanism.isExact()) {
            if (const DrawnWords* words = drawnWords()) {
                noise.offsets = words->offsets;
                drawn = tr("%1 words drawn at ε %2");
                drawnAt = words->key.setting.epsilon;
            }
        } else if (cloud.ball) {
            contours = cloud.ball->contours(cloud.axes, shownRow(), epsilon);
            noise.offsets = cloud.ball->draws(cloud.axes, shownRow(), epsilon);
        } else {
            contours = cloud.noise.contours(epsilon, mechanism.lambda());
            noise.offsets = cloud.noise.draws(epsilon, mechanism.lambda());
            for (const Contour& contour : cloud.noise.contours(epsilon, 0.0)) {
                noise.spherical.push_back(
                    {contour, tr("%1% spherical, λ 0").arg(std::lround(100.0 * contour.share))});
            }
        }
        for (const Contour& contour : contours) {
            noise.contours.push_back({contour, contourName(contour)});
        }
        noise.drawsName = drawn.arg(counted(std::ssize(noise.offsets)), epsilonText(drawnAt));
        return noise;
    }

    [[nodiscard]] QString obstacle() const {
        if (!m_state.embedding()) {
            return tr("Open an embedding to see its words in a plane.");
        }
        if (m_state.embedding()->dimensions() < 2) {
            return tr("This embedding has one dimension; a plane needs at least two.");
        }
        return m_plane.current() != nullptr ? QString() : tr("Projecting the vocabulary…");
    }
    [[nodiscard]] QString planeText(const Projection& cloud) const {
        const QString drawn = tr("%1 of %2 points drawn")
                                  .arg(counted(std::ssize(cloud.words)), counted(cloud.vocabulary));
        const double share = cloud.axes.shares[0] + cloud.axes.shares[1];
        const QString held = percent(share);
        if (!cloud.axes.isDisk) {
            constexpr double kMost = 0.9;
            return tr("%1 · the plane holds %2 of the variance%3")
                .arg(drawn, held, share < kMost ? tr(": distances in it mislead") : QString());
        }
        return cloud.axes.isWhole
                   ? tr("%1 · the Poincaré disk itself; the circle is its edge").arg(drawn)
                   : tr("%1 · projection of the ball onto the plane through its origin that holds "
                        "most "
                        "of the mean squared norm, %2; the circle is the edge")
                         .arg(drawn, held);
    }
    [[nodiscard]] QString axisTitle(const Projection& cloud, int axis) const {
        const QString share = percent(cloud.axes.shares[static_cast<std::size_t>(axis)]);
        if (!cloud.axes.isDisk) {
            return tr("PC %1, units of distance (%2 of the variance)").arg(axis + 1).arg(share);
        }
        return cloud.axes.isWhole
                   ? tr("coordinate %1 of the disk").arg(axis + 1)
                   : tr("direction %1 (%2 of the mean squared norm)").arg(axis + 1).arg(share);
    }
    [[nodiscard]] QString drawnWordsText() const {
        QString text = tr("This mechanism adds no noise, so there is no contour: it draws words.");
        if (const DrawnWords* drawn = drawnWords()) {
            text += tr(" Of %1 draws %2 kept the word; %3 different words came out.")
                        .arg(counted(kDraws), counted(drawn->kept),
                             counted(static_cast<qint64>(drawn->distinct)));
        }
        return text;
    }
    [[nodiscard]] QString drawsText(const Projection& cloud, const PlottedNoise& noise) const {
        if (m_state.mechanism().isExact()) {
            return drawnWordsText();
        }
        const auto shareText = [&noise](const NamedContour& named) {
            const auto inside = countInside(noise.offsets, named.contour);
            return tr("%1 (%2) in the %3 contour")
                .arg(counted(inside), percent(static_cast<double>(inside) / kDraws),
                     percent(named.contour.share));
        };
        QString text;
        if (!noise.contours.empty()) {
            text = tr("Of %1 draws %2, %3.")
                       .arg(counted(kDraws), shareText(noise.contours[0]),
                            shareText(noise.contours[1]));
        }
        if (cloud.ball) {
            const auto radii = cloud.ball->radii(m_state.epsilon());
            text += tr(" Half of the noise moves the word by at most d_H = %1, 95% by at most %2.")
                        .arg(significant(radii[0], 3), significant(radii[1], 3));
            if (!cloud.axes.isWhole) {
                text +=
                    tr(" The circles are the projections of these geodesic balls; projected, more "
                       "draws lie inside.");
            }
        }
        return text;
    }

    void update() {
        m_plane.update();
        m_near.update();
        m_drawn.update();
    }
    void select(const QString& spelling) {
        const QString wanted = spelling.trimmed();
        if (!m_state.embedding() || wanted.isEmpty()) {
            return;
        }
        if (const auto word = findWord(m_state.embedding(), wanted)) {
            m_state.selectWord(word);
            return;
        }
        m_unknown = {m_state.embedding(), {wanted}};
        m_spellings.update();
        if (m_spellings.current() != nullptr) {
            presentUnknown();
        }
    }
    void presentUnknown() {
        Notice notice{Severity::info,
                      tr("“%1” is not in the vocabulary.").arg(m_unknown->words.front()),
                      {},
                      tr("A word looked for in Space is not in the vocabulary.")};
        const Spellings* found = m_spellings.current();
        for (const QString& similar : found != nullptr ? found->begin()->second : QStringList()) {
            notice.actions.append({similar, [this, similar] { select(similar); }});
        }
        m_notice->present(notice);
    }
    void showWords() {
        const Projection* cloud = m_plane.current();
        const NearWords* shown = nearWords();
        PlottedWords words;
        if (cloud != nullptr) {
            words.isDisk = cloud->axes.isDisk;
            words.cloud = cloud->words;
            m_plot->setAxisTitles(axisTitle(*cloud, 0), axisTitle(*cloud, 1));
        }
        m_plot->setAccessibleName(cloud == nullptr || !cloud->axes.isDisk
                                      ? tr("Words and noise in the plane of two principal axes")
                                  : cloud->axes.isWhole
                                      ? tr("Words and noise in the Poincaré disk")
                                      : tr("Words and noise in a projection of the Poincaré ball"));
        if (shown != nullptr) {
            words.word = shown->word;
            words.neighbours = shown->neighbours;
            words.neighbours.erase(
                words.neighbours.begin() +
                    std::min<std::ptrdiff_t>(kMostLabels, std::ssize(words.neighbours)),
                words.neighbours.end());
        }
        m_plot->setWords(std::move(words));
        m_word->setText(shown != nullptr ? shown->word.word.text() : QString());
        showNeighbours();
        showNoise();
    }
    void showNeighbours() {
        const NearWords* shown = nearWords();
        const QString title =
            shown != nullptr
                ? tr("%1 distance").arg(metricTitle(neighbourMetric(m_state.mechanism())))
                : tr("Distance");
        m_neighbours->setRowCount(0);
        m_neighbours->setHorizontalHeaderLabels({tr("Nearest words"), title});
        m_neighbours->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignVCenter | Qt::AlignLeft);
        m_neighbours->horizontalHeaderItem(1)->setTextAlignment(Qt::AlignVCenter | Qt::AlignRight);
        if (shown == nullptr || shown->neighbours.empty()) {
            m_neighbours->setAccessibleDescription(
                shown == nullptr ? tr("Not known yet.") : tr("There is no other word."));
            m_neighbours->setToolTip({});
            return;
        }
        const auto& words = shown->neighbours;
        const QString word = shown->word.word.text();
        m_neighbours->setToolTip(
            tr("%1 from “%2”. A click or Return selects a word.").arg(title, word));
        m_neighbours->setAccessibleDescription(
            tr("The %1 words nearest to %2 by %3; the nearest at %4. Return selects one.")
                .arg(counted(std::ssize(words)), word, title,
                     significant(words.front().distance, 3)));
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
    void showNoise() {
        const Projection* cloud = m_plane.current();
        const NearWords* shown = nearWords();
        const QString obstacle = this->obstacle();
        m_empty->setText(obstacle);
        m_pages->setCurrentIndex(cloud != nullptr ? 1 : 0);
        const PlottedNoise noise = cloud != nullptr ? noiseIn(*cloud) : PlottedNoise();
        const QString draws = cloud != nullptr ? drawsText(*cloud, noise) : QString();
        m_plot->setNoise(noise);
        showPlaneText();
        m_drawsLabel->setText(draws);
        m_plot->setShownDescription(
            cloud == nullptr ? obstacle
            : shown == nullptr
                ? tr("The plane is being computed.")
                : tr("%1. Around “%2”: %3 Nearest: %4.")
                      .arg(planeText(*cloud), shown->word.word.text(), draws,
                           shown->neighbours.empty() ? QString()
                                                     : shown->neighbours.front().word.text()));
        // Where neighbours cannot be found, words cannot be drawn for the same reason.
        const Error* problem = m_near.error() != nullptr ? m_near.error() : m_drawn.error();
        m_notice->follow(problem != nullptr ? std::optional(noticeFor(*problem)) : std::nullopt);
    }
    void showPlaneText() {
        const Projection* cloud = m_plane.current();
        QString plane = cloud != nullptr ? planeText(*cloud) : QString();
        if (m_plot->labelsLeftOut() > 0) {
            plane += tr(" · no room for %1 labels, zoom in").arg(m_plot->labelsLeftOut());
        }
        m_planeLabel->setText(plane);
    }

    AnalysisState& m_state;
    NoticeLine* m_notice;
    QLineEdit* m_word;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    SpacePlot* m_plot;
    QTableWidget* m_neighbours;
    QLabel* m_planeLabel;
    QLabel* m_drawsLabel;
    Query<ProjectionKey, Projection> m_plane;
    Query<NearKey, NearWords> m_near;
    Query<DrawKey, DrawnWords> m_drawn;     ///< of TEM
    std::optional<UnknownWords> m_unknown;  ///< looked for last
    Query<UnknownWords, Spellings> m_spellings;
};

}  // namespace

Panel* newSpacePanel(AnalysisState& state) {
    return new Space(state);
}

}  // namespace epsilens::ui
