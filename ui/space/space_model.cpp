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

QString percent(double share) {
    return significant(100.0 * share, 2) + QLatin1Char('%');
}

}  // namespace

template <class T>
Result<SpaceModel::Answer<T>> SpaceModel::answered(const SceneRequest& request,
                                                   Result<std::shared_ptr<const T>> made) {
    if (made) {
        return Answer<T>{request, std::move(*made)};
    }
    if (made.error().code == ErrorCode::cancelled) {
        return tl::unexpected(made.error());
    }
    return Answer<T>{request, nullptr, made.error()};
}

SpaceModel::SpaceModel(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_view(PlaneView::of(state.mechanism())),
      m_cloud({.title = tr("Projecting the vocabulary"),
               .key = [this]() -> std::optional<CloudKey> {
                   return hasPlane() ? std::optional(CloudKey{m_state.embedding(),
                                                              PlaneView::of(m_state.mechanism()),
                                                              m_points, m_state.seed()})
                                     : std::nullopt;
               },
               .make =
                   [](const CloudKey& key, const JobContext& /*job*/) {
                       return makeCloud(key.embedding, key.view, key.points, kMostDraws, key.seed);
                   }}),
      m_scene({.title = tr("Finding neighbours"),
               .key = [this]() -> std::optional<SceneKey> {
                   const auto request = sceneRequest();
                   return request ? std::optional(SceneKey{*request}) : std::nullopt;
               },
               .make =
                   [](const SceneKey& key, const JobContext& job) {
                       return answered(key.request, makeScene(key.request, job));
                   }}),
      m_drawn({.title = tr("Drawing words"),
               .key = [this]() -> std::optional<DrawKey> {
                   const auto request = sceneRequest();
                   return request && m_draws > 0 && request->mechanism.isExact()
                              ? std::optional(
                                    DrawKey{*request, m_state.epsilon(), m_state.seed(), m_draws})
                              : std::nullopt;
               },
               .make =
                   [](const DrawKey& key, const JobContext& job) {
                       return answered(key.request, drawWords(key.request, key.epsilon, key.draws,
                                                              key.seed, job));
                   }}),
      m_speller(tr("Looking for similar words"), [this](const Result<QStringList>& suggestions) {
          if (suggestions) {
              Q_EMIT unknownWord(m_unknown, *suggestions);
          }
      }) {
    connect(&m_cloud, &QueryBase::changed, this, &SpaceModel::cloudChanged);
    connect(&m_scene, &QueryBase::changed, this, [this] {
        Q_EMIT sceneChanged();
        tellProblem();
    });
    connect(&m_drawn, &QueryBase::changed, this, [this] {
        Q_EMIT noiseChanged();
        // Settings may have moved on while the words were drawn.
        updateDraws();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SpaceModel::followEmbedding);
    connect(&m_state, &AnalysisState::selectedWordChanged, this, [this] {
        m_scene.update();
        updateDraws();
    });
    m_state.onChange(&AnalysisSettings::seed, this, [this] {
        m_cloud.update();
        updateDraws();
    });
    m_state.onChange(&AnalysisSettings::epsilon, this, [this] {
        Q_EMIT noiseChanged();
        updateDraws();
    });
    m_state.onChange(&AnalysisSettings::chosen, this, &SpaceModel::followChoice);
    m_cloud.update();
    m_scene.update();
    updateDraws();
}

bool SpaceModel::SceneKey::operator==(const SceneKey& other) const {
    const SceneRequest& one = request;
    const SceneRequest& two = other.request;
    return one.space == two.space && one.word == two.word && one.view == two.view &&
           one.mechanism.isKindOf(two.mechanism) && shareNeighbours(one.mechanism, two.mechanism);
}

void SpaceModel::followEmbedding() {
    m_speller.drop();
    m_view = PlaneView::of(m_state.mechanism());
    m_cloud.update();
    m_scene.update();
    updateDraws();
    Q_EMIT cloudChanged();
    Q_EMIT sceneChanged();
}

bool SpaceModel::hasPlane() const {
    return m_state.embedding() && m_state.embedding()->dimensions() >= 2;
}

std::shared_ptr<const PlaneCloud> SpaceModel::cloud() const {
    const auto* made = m_cloud.last();
    return made != nullptr && (*made)->embedding == m_state.embedding() ? *made : nullptr;
}

std::shared_ptr<const PlaneScene> SpaceModel::scene() const {
    const auto* answer = m_scene.last();
    return answer != nullptr && answer->request.space == m_state.searchSpace() &&
                   answer->request.view == PlaneView::of(m_state.mechanism())
               ? answer->value
               : nullptr;
}

std::shared_ptr<const DrawnWords> SpaceModel::drawnWords() const {
    const auto* answer = m_drawn.last();
    return answer != nullptr && answer->request.space == m_state.searchSpace() &&
                   answer->request.word == shownWord()->row() &&
                   answer->request.view == PlaneView::of(m_state.mechanism())
               ? answer->value
               : nullptr;
}

std::optional<Error> SpaceModel::problem() const {
    const auto* scene = m_scene.last();
    const auto* drawn = m_drawn.last();
    if (scene != nullptr && scene->error && scene->request.space == m_state.searchSpace()) {
        return scene->error;
    }
    // Where neighbours cannot be found, words cannot be drawn for the same reason.
    return drawn != nullptr && drawn->request.space == m_state.searchSpace() &&
                   m_scene.current() != nullptr
               ? drawn->error
               : std::nullopt;
}

void SpaceModel::tellProblem() {
    const auto now = problem();
    const std::string message = now ? now->message : std::string();
    if (std::exchange(m_problem, message) != message) {
        Q_EMIT problemChanged();
    }
}

void SpaceModel::followChoice() {
    const PlaneView before = std::exchange(m_view, PlaneView::of(m_state.mechanism()));
    m_cloud.update();
    m_scene.update();
    updateDraws();
    if (m_view != before) {
        Q_EMIT sceneChanged();
    }
    Q_EMIT noiseChanged();
}

std::optional<SceneRequest> SpaceModel::sceneRequest() const {
    if (!m_state.searchSpace() || !hasPlane()) {
        return std::nullopt;
    }
    return SceneRequest{m_state.searchSpace(),
                        m_state.metricSpaces(),
                        m_state.mechanism(),
                        shownWord()->row(),
                        PlaneView::of(m_state.mechanism()),
                        kMostLabels};
}

/// A run for other settings is let finish: stopped for each new value it never would.
void SpaceModel::updateDraws() {
    if (!m_drawn.job().isRunning()) {
        m_drawn.update();
    }
    tellProblem();
}

void SpaceModel::setPoints(int points) {
    m_points = points;
    m_cloud.update();
}

void SpaceModel::setLabels(int labels) {
    m_labels = labels;
    Q_EMIT sceneChanged();
}

void SpaceModel::setDraws(int draws) {
    m_draws = draws;
    Q_EMIT noiseChanged();
    updateDraws();
}

std::optional<Word> SpaceModel::shownWord() const {
    const auto& embedding = m_state.embedding();
    if (!embedding || m_state.selectedWord()) {
        return m_state.selectedWord();
    }
    return Word(embedding, standInWord(*embedding));
}

std::vector<PlaneWord> SpaceModel::labelled() const {
    const auto shown = scene();
    if (!shown) {
        return {};
    }
    const auto count = std::min(shown->neighbours.size(), static_cast<std::size_t>(m_labels));
    return {shown->neighbours.begin(),
            shown->neighbours.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::shared_ptr<const PlaneCloud> SpaceModel::currentCloud() const {
    auto shown = cloud();
    return shown && shown->view == PlaneView::of(m_state.mechanism()) ? shown : nullptr;
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
        return {cloud()->noise.metricBall(*gamma, mechanism.lambda())};
    }
    const auto shown = scene();
    if (!shown) {
        return {};
    }
    const auto& vectors = m_state.embedding()->vectors();
    return {geodesicCircle(
        shown->word.point,
        metric::ballGap(vectors.row(shown->word.word.row()).data(), vectors.cols()), *gamma)};
}

std::vector<Contour> SpaceModel::contours() const {
    const auto cloud = currentCloud();
    if (!cloud) {
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
    const auto cloud = currentCloud();
    return cloud && isElliptical(m_state.mechanism())
               ? cloud->noise.contours(m_state.epsilon(), 0.0)
               : std::vector<Contour>{};
}

std::vector<PlanePoint> SpaceModel::drawOffsets() const {
    const auto cloud = currentCloud();
    if (!cloud) {
        return {};
    }
    if (m_state.mechanism().isExact()) {
        const auto drawn = drawnWords();
        return drawn && m_draws > 0 ? drawn->offsets : std::vector<PlanePoint>();
    }
    if (cloud->ball) {
        return cloud->ball->draws(cloud->axes, shownWord()->row(), m_state.epsilon(), m_draws);
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
    return cloud() ? QString() : tr("Projecting the vocabulary…");
}

QString SpaceModel::planeText() const {
    const auto shown = cloud();
    if (!shown) {
        return {};
    }
    const QString drawn = tr("%1 of %2 points drawn")
                              .arg(counted(static_cast<qint64>(shown->words.size())),
                                   counted(shown->embedding->wordCount()));
    const double held = shown->axes.shares[0] + shown->axes.shares[1];
    if (!shown->view.isDisk) {
        return tr("%1 · the plane holds %2 of the variance").arg(drawn, percent(held));
    }
    return shown->axes.isWhole
               ? tr("%1 · the Poincaré disk itself; the circle is its edge").arg(drawn)
               : tr("%1 · projection of the ball onto the plane through its origin that holds most "
                    "of "
                    "the mean squared norm, %2; the circle is the edge")
                     .arg(drawn, percent(held));
}

QString SpaceModel::planeName() const {
    const auto shown = cloud();
    if (!shown || !shown->view.isDisk) {
        return tr("Words and noise in the plane of two principal axes");
    }
    return shown->axes.isWhole ? tr("Words and noise in the Poincaré disk")
                               : tr("Words and noise in a projection of the Poincaré ball");
}

QString SpaceModel::axisTitle(int axis) const {
    const auto shown = cloud();
    if (!shown) {
        return {};
    }
    const QString share = percent(shown->axes.shares[static_cast<std::size_t>(axis)]);
    if (!shown->view.isDisk) {
        return tr("PC %1, units of distance (%2 of the variance)").arg(axis + 1).arg(share);
    }
    return shown->axes.isWhole
               ? tr("coordinate %1 of the disk").arg(axis + 1)
               : tr("direction %1 (%2 of the mean squared norm)").arg(axis + 1).arg(share);
}

QString SpaceModel::distanceTitle() const {
    return tr("%1 distance").arg(metricTitle(neighbourMetric(m_state.mechanism())));
}

QString SpaceModel::contourName(const Contour& contour) const {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const QString share = QStringLiteral("%1%").arg(qRound(100.0 * contour.share));
    if (mechanism.hasRadius()) {
        return tr("γ = %1").arg(significant(gammaNow().value_or(0.0), 3));
    }
    if (isElliptical(mechanism)) {
        return tr("%1 elliptical, λ %2").arg(share, shortest(mechanism.lambda()));
    }
    return tr("geodesic ball, %1").arg(share);
}

QString SpaceModel::drawsName(std::size_t draws) const {
    const QString count = counted(static_cast<qint64>(draws));
    return m_state.mechanism().isExact()
               ? tr("%1 words drawn at ε %2").arg(count, shortest(drawnWords()->epsilon))
               : tr("%1 draws at ε %2").arg(count, shortest(m_state.epsilon()));
}

QString SpaceModel::drawnWordsText() const {
    QString text = tr("This mechanism adds no noise, so there is no contour: it draws words.");
    if (const auto drawn = drawnWords(); drawn && m_draws > 0) {
        text += tr(" Of %1 draws %2 kept the word; %3 different words came out.")
                    .arg(counted(static_cast<qint64>(drawn->offsets.size())), counted(drawn->kept),
                         counted(drawn->distinct));
    }
    if (!m_state.mechanism().hasRadius()) {
        return text;
    }
    if (m_state.mechanism().metric() == metric::Metric::angular) {
        return text + tr(" γ is an angle, which has no outline here.");
    }
    return text +
           (m_state.embedding()->dimensions() > 2
                ? tr(" The line is the projection of the ball of radius γ: words within γ lie "
                     "inside it, and others may seem to.")
                : tr(" The line is the edge of the ball of radius γ: the words within γ are those "
                     "inside it.")) +
           tr(" Where it encloses all words it lies outside the picture.");
}

QString SpaceModel::ballText() const {
    const auto cloud = currentCloud();
    const auto radii = cloud->ball->radii(m_state.epsilon());
    QString reach = tr("Half of the noise moves the word by at most d_H = %1, 95% by at most %2.")
                        .arg(significant(radii[0], 3), significant(radii[1], 3));
    if (cloud->axes.isWhole) {
        return reach;
    }
    return reach + tr(" The circles are the projections of these geodesic balls; projected, more "
                      "draws lie inside.");
}

QString SpaceModel::drawsText() const {
    const auto cloud = currentCloud();
    if (!cloud) {
        return {};
    }
    if (m_state.mechanism().isExact()) {
        return drawnWordsText();
    }
    const bool isBall = cloud->ball.has_value();
    const auto offsets = drawOffsets();
    const auto shapes = contours();
    if (offsets.empty() || shapes.size() < 2) {
        return isBall ? ballText() : QString();
    }
    const auto all = static_cast<qint64>(offsets.size());
    const auto shareText = [&](const Contour& contour) {
        const auto inside = countInside(offsets, contour);
        return tr("%1 (%2) in the %3 contour")
            .arg(counted(inside), percent(static_cast<double>(inside) / static_cast<double>(all)),
                 percent(contour.share));
    };
    const QString text =
        tr("Of %1 draws %2, %3").arg(counted(all), shareText(shapes[0]), shareText(shapes[1]));
    return isBall ? tr("%1. %2").arg(text, ballText()) : text;
}

QString SpaceModel::description() const {
    const auto plane = cloud();
    const auto around = scene();
    if (!plane || !around) {
        const QString why = obstacle();
        return why.isEmpty() ? tr("The plane is being computed.") : why;
    }
    const QString nearest =
        around->neighbours.empty() ? QString() : around->neighbours.front().word.text();
    const auto elliptical = contours();
    const auto spherical = sphericalContours();
    if (elliptical.empty() || spherical.empty()) {
        return tr("%1. Around \"%2\": %3 Nearest: %4.")
            .arg(planeText(), around->word.word.text(), drawsText(), nearest);
    }
    return tr("%1 words in the plane of the principal axes 1 and 2, %2 of the variance; around "
              "\"%3\" "
              "half of the noise lies within %4 by %5, spherical noise within %6; nearest: %7.")
        .arg(counted(static_cast<qint64>(plane->words.size())),
             percent(plane->axes.shares[0] + plane->axes.shares[1]), around->word.word.text(),
             significant(elliptical[0].semiAxisX, 3), significant(elliptical[0].semiAxisY, 3),
             significant(spherical[0].semiAxisX, 3), nearest);
}

}  // namespace epsilens::ui
