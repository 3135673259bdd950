#include "ui/space/space_model.h"

#include <algorithm>
#include <utility>

#include "core/metric/poincare_distance.h"
#include "ui/state/mechanism_neighbours.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr std::size_t kSuggestions = 3;

/// A word to begin with: files are commonly sorted by frequency, and short words at their start say
/// little about a vocabulary.
embedding::Row standInWord(const embedding::PreparedEmbedding& embedding) {
    constexpr embedding::Row kAfterTheMostFrequent = 500;
    constexpr std::size_t kLongEnough = 5;
    const auto isPlain = [](std::string_view word) {
        return word.size() >= kLongEnough &&
               std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    };
    for (embedding::Row row = kAfterTheMostFrequent; row < embedding.wordCount(); ++row) {
        if (isPlain(embedding.vocabulary().word(row))) {
            return row;
        }
    }
    return 0;
}

}  // namespace

SpaceModel::SpaceModel(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_cloudRunner(tr("Projecting the vocabulary"),
                    [this](Result<std::shared_ptr<const PlaneCloud>> cloud) {
                        if (cloud && hasPlane()) {
                            m_cloud = std::move(*cloud);
                            Q_EMIT cloudChanged();
                        } else if (!cloud && cloud.error().code != ErrorCode::cancelled) {
                            Q_EMIT failed(cloud.error());
                        }
                    }),
      m_sceneRunner(
          tr("Finding neighbours"),
          [this](Result<std::shared_ptr<const PlaneScene>> scene) { takeScene(std::move(scene)); }),
      m_drawRunner(tr("Drawing words"),
                   [this](Result<std::shared_ptr<const DrawnWords>> drawn) {
                       takeDrawnWords(std::move(drawn));
                   }),
      m_speller(tr("Looking for similar words"), [this](const Result<QStringList>& suggestions) {
          if (suggestions) {
              Q_EMIT unknownWord(m_unknown, *suggestions);
          }
      }) {
    connect(&m_state, &AnalysisState::embeddingDropped, this, &SpaceModel::forget);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SpaceModel::followEmbedding);
    connect(&m_state, &AnalysisState::selectedWordChanged, this, &SpaceModel::requestScene);
    m_state.onChange(&AnalysisSettings::seed, this, [this] {
        requestCloud();
        requestDrawnWords();
    });
    m_state.onChange(&AnalysisSettings::epsilon, this, [this] {
        Q_EMIT noiseChanged();
        requestDrawnWords();
    });
    m_state.onChange(&AnalysisSettings::chosen, this, &SpaceModel::followChoice);
    m_mechanism = m_state.mechanism();
    requestCloud();
    requestScene();
}

void SpaceModel::forget() {
    m_cloudRunner.drop();
    m_sceneRunner.drop();
    m_drawRunner.drop();
    m_speller.drop();
    m_cloud.reset();
    m_scene.reset();
    m_drawn.reset();
    m_drawAsked = {};
    m_ballDraws = {};
    m_sceneProblem.reset();
    m_drawProblem.reset();
    m_mechanism = m_state.mechanism();
}

void SpaceModel::followEmbedding() {
    Q_EMIT cloudChanged();
    Q_EMIT sceneChanged();
    Q_EMIT problemChanged();
    requestCloud();
    requestScene();
}

bool SpaceModel::hasPlane() const {
    return m_state.embedding() && m_state.embedding()->dimensions() >= 2;
}

void SpaceModel::requestCloud() {
    if (!hasPlane()) {
        return;
    }
    m_cloudRunner.start([embedding = m_state.embedding(), view = PlaneView::of(m_state.mechanism()),
                         points = m_points, seed = m_state.seed()](const JobContext& /*job*/) {
        return makeCloud(embedding, view, points, kMostDraws, seed);
    });
}

void SpaceModel::followChoice() {
    const mechanism::Mechanism before = std::exchange(m_mechanism, m_state.mechanism());
    const bool viewIsNew = PlaneView::of(before) != PlaneView::of(m_mechanism);
    if (viewIsNew) {
        m_scene.reset();
        Q_EMIT sceneChanged();
        requestCloud();
    }
    // Neighbours go by the distance of the mechanism.
    if (viewIsNew || !m_mechanism.isKindOf(before) || !shareNeighbours(m_mechanism, before)) {
        requestScene();
    } else {
        requestDrawnWords();
    }
    Q_EMIT noiseChanged();
}

SceneRequest SpaceModel::sceneRequest() const {
    return {m_state.searchSpace(),
            m_state.metricSpaces(),
            m_state.mechanism(),
            shownWord()->row(),
            PlaneView::of(m_state.mechanism()),
            kMostLabels};
}

void SpaceModel::takeScene(Result<std::shared_ptr<const PlaneScene>> scene) {
    if (!hasPlane() || (!scene && scene.error().code == ErrorCode::cancelled)) {
        return;
    }
    // Of another word or distance than is set, the neighbours before would mislead.
    m_scene = scene.value_or(nullptr);
    Q_EMIT sceneChanged();
    setProblems(scene ? std::nullopt : std::optional(scene.error()), std::nullopt);
    if (m_scene) {
        requestDrawnWords();
    }
}

void SpaceModel::takeDrawnWords(Result<std::shared_ptr<const DrawnWords>> drawn) {
    if (drawn) {
        m_drawn = std::move(*drawn);
        setProblems(m_sceneProblem, std::nullopt);
        Q_EMIT noiseChanged();
    }
    const bool isCancelled = !drawn && drawn.error().code == ErrorCode::cancelled;
    if (isCancelled || m_drawAsked != drawSetting()) {
        // Settings may have moved on while the words were drawn.
        requestDrawnWords();
    } else if (!drawn) {
        m_drawn.reset();
        Q_EMIT noiseChanged();
        setProblems(m_sceneProblem, drawn.error());
    }
}

void SpaceModel::setProblems(std::optional<Error> ofScene, std::optional<Error> ofDraws) {
    const std::optional<Error> before = problem();
    m_sceneProblem = std::move(ofScene);
    m_drawProblem = std::move(ofDraws);
    const std::optional<Error>& now = problem();
    if (before.has_value() != now.has_value() || (now && now->message != before->message)) {
        Q_EMIT problemChanged();
    }
}

SpaceModel::DrawSetting SpaceModel::drawSetting() const {
    return {m_state.mechanism(), shownWord(), m_state.epsilon(), m_state.seed(), m_draws};
}

void SpaceModel::requestDrawnWords() {
    if (!m_state.mechanism().isExact()) {
        m_drawn.reset();
        setProblems(m_sceneProblem, std::nullopt);
        return;
    }
    // A run for other settings is let finish: stopped for each new value it never would.
    if (!m_state.searchSpace() || !hasPlane() || m_draws == 0 || m_drawRunner.isRunning()) {
        return;
    }
    m_drawAsked = drawSetting();
    m_drawRunner.start([request = sceneRequest(), epsilon = m_state.epsilon(), draws = m_draws,
                        seed = m_state.seed()](const JobContext& job) {
        return drawWords(request, epsilon, draws, seed, job);
    });
}

void SpaceModel::requestScene() {
    const auto word = shownWord();
    if (!word || !m_state.searchSpace() || !hasPlane()) {
        return;
    }
    m_sceneRunner.start(
        [request = sceneRequest()](const JobContext& job) { return makeScene(request, job); });
}

void SpaceModel::setPoints(int points) {
    const int wanted = std::clamp(points, kFewestPoints, kMostPoints);
    if (wanted != m_points) {
        m_points = wanted;
        requestCloud();
    }
}

void SpaceModel::setLabels(int labels) {
    m_labels = std::clamp(labels, 0, kMostLabels);
    Q_EMIT sceneChanged();
}

void SpaceModel::setDraws(int draws) {
    m_draws = std::clamp(draws, 0, kMostDraws);
    Q_EMIT noiseChanged();
    requestDrawnWords();
}

std::optional<Word> SpaceModel::shownWord() const {
    const auto& embedding = m_state.embedding();
    if (!embedding || m_state.selectedWord()) {
        return m_state.selectedWord();
    }
    return Word(embedding, standInWord(*embedding));
}

std::vector<PlaneWord> SpaceModel::labelled() const {
    if (!m_scene) {
        return {};
    }
    const auto count = std::min(m_scene->neighbours.size(), static_cast<std::size_t>(m_labels));
    return {m_scene->neighbours.begin(),
            m_scene->neighbours.begin() + static_cast<std::ptrdiff_t>(count)};
}

const PlaneCloud* SpaceModel::currentCloud() const {
    return m_cloud && m_cloud->view == PlaneView::of(m_state.mechanism()) ? m_cloud.get() : nullptr;
}

bool SpaceModel::isDisk() const {
    return m_cloud && m_cloud->view.isDisk;
}

std::optional<double> SpaceModel::gammaNow() const {
    return gammaAt(m_state.embedding(), m_state.setting());
}

std::vector<Contour> SpaceModel::radiusContour() const {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const auto gamma = gammaNow();
    if (!gamma || !(*gamma > 0.0) || mechanism.metric() == metric::Metric::angular) {
        return {};
    }
    if (mechanism.metric() != metric::Metric::poincare) {
        return {m_cloud->noise.metricBall(*gamma, mechanism.lambda())};
    }
    if (!m_scene) {
        return {};
    }
    const auto& vectors = m_state.embedding()->vectors();
    return {geodesicCircle(
        m_scene->word.point,
        metric::ballGap(vectors.row(m_scene->word.word.row()).data(), vectors.cols()), *gamma)};
}

std::vector<Contour> SpaceModel::contours() const {
    const PlaneCloud* cloud = currentCloud();
    if (cloud == nullptr) {
        return {};
    }
    if (m_state.mechanism().isExact()) {
        return radiusContour();
    }
    if (cloud->ball) {
        return cloud->ball->contours(cloud->axes, shownWord()->row(), m_state.epsilon());
    }
    return cloud->noise.contours(m_state.epsilon(), m_state.mechanism().lambda());
}

std::vector<Contour> SpaceModel::sphericalContours() const {
    const PlaneCloud* cloud = currentCloud();
    return cloud != nullptr && isElliptical(m_state.mechanism())
               ? cloud->noise.contours(m_state.epsilon(), 0.0)
               : std::vector<Contour>{};
}

const std::vector<PlanePoint>& SpaceModel::ballDraws() const {
    const Word word = *shownWord();
    const double epsilon = m_state.epsilon();
    if (m_ballDraws.cloud != m_cloud || m_ballDraws.word != word ||
        m_ballDraws.epsilon != epsilon || m_ballDraws.draws != m_draws) {
        m_ballDraws = {m_cloud, word, epsilon, m_draws,
                       m_cloud->ball->draws(m_cloud->axes, word.row(), epsilon, m_draws)};
    }
    return m_ballDraws.offsets;
}

std::vector<PlanePoint> SpaceModel::drawOffsets() const {
    const PlaneCloud* cloud = currentCloud();
    if (cloud == nullptr) {
        return {};
    }
    if (m_state.mechanism().isExact()) {
        return m_drawn && m_draws > 0 && m_drawn->word == shownWord() &&
                       m_drawn->view == cloud->view
                   ? m_drawn->offsets
                   : std::vector<PlanePoint>{};
    }
    if (cloud->ball) {
        return ballDraws();
    }
    return cloud->noise.draws(m_state.epsilon(), m_state.mechanism().lambda(), m_draws);
}

void SpaceModel::selectSpelling(const QString& spelling) {
    const QString wanted = spelling.trimmed();
    if (!m_state.embedding() || wanted.isEmpty()) {
        return;
    }
    if (const auto word = findWord(m_state.embedding(), wanted)) {
        m_state.lookAt(word);
        return;
    }
    m_unknown = wanted;
    m_speller.start([embedding = m_state.embedding(),
                     wanted](const JobContext& /*job*/) -> Result<QStringList> {
        return nearestSpellings(*embedding, wanted, kSuggestions);
    });
}

QStringList SpaceModel::completions(const QString& prefix, int most) const {
    QStringList found;
    const std::string start = toStd(prefix.trimmed());
    if (!m_state.embedding() || start.empty()) {
        return found;
    }
    const embedding::Vocabulary& vocabulary = m_state.embedding()->vocabulary();
    for (std::int64_t row = 0; row < vocabulary.size() && found.size() < most; ++row) {
        const std::string_view word = vocabulary.word(static_cast<embedding::Row>(row));
        if (word.starts_with(start)) {
            found.append(toQString(word));
        }
    }
    return found;
}

QString SpaceModel::obstacle() const {
    if (!m_state.embedding()) {
        return tr("Open an embedding to see its words in a plane.");
    }
    if (!hasPlane()) {
        return tr("This embedding has one dimension; a plane needs at least two.");
    }
    return m_cloud ? QString() : tr("Projecting the vocabulary…");
}

}  // namespace epsilens::ui
