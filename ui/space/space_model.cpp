#include "ui/space/space_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/engine/metric_rows.h"
#include "core/engine/selection_draws.h"
#include "core/engine/word_sample.h"
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

plane::PlaneAxes planeOf(const embedding::PreparedEmbedding& embedding, bool isDisk) {
    return isDisk ? plane::diskPlane(embedding) : plane::principalPlane(embedding);
}

std::vector<PlaneWord> projected(const embedding::EmbeddingHandle& embedding,
                                 const plane::PlaneAxes& plane,
                                 const std::vector<embedding::Row>& rows) {
    const std::vector<PlanePoint> points = plane.project(*embedding, rows);
    std::vector<PlaneWord> words;
    words.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        words.push_back({Word(embedding, rows[i]), points[i], 0.0});
    }
    return words;
}

}  // namespace

Result<SpaceModel::CloudHandle> SpaceModel::makeCloud(const CloudKey& key,
                                                      const JobContext& /*job*/) {
    const embedding::EmbeddingHandle& embedding = key.embedding;
    PlaneCloud cloud;
    cloud.embedding = embedding;
    cloud.axes = planeOf(*embedding, key.isDisk);
    if (key.ballNoise) {
        ASSIGN_OR_RETURN(const auto form, key.ballNoise->on(embedding));
        cloud.ball.emplace(embedding, std::get<mechanism::HyperbolicNoise>(form), key.seed, kDraws);
    } else {
        cloud.noise = plane::PlaneNoise(embedding->basis, key.seed, kDraws);
    }
    cloud.words = projected(embedding, cloud.axes,
                            engine::sampleWords(embedding->wordCount(), kPoints, key.seed));
    return std::make_shared<const PlaneCloud>(std::move(cloud));
}

Result<PlaneScene> SpaceModel::makeScene(const SceneKey& key, const JobContext& job) {
    const std::vector<embedding::Row> asked{key.word};
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
    const bool isDisk = mechanism.metric() == metric::Metric::poincare;
    const plane::PlaneAxes plane = planeOf(*embedding, isDisk);
    PlaneScene scene{projected(embedding, plane, asked).front(),
                     projected(embedding, plane, near.rows), key.space, isDisk};
    for (std::size_t i = 0; i < scene.neighbours.size(); ++i) {
        scene.neighbours[i].distance = near.distances[i];
    }
    return scene;
}

Result<SpaceModel::DrawnWords> SpaceModel::drawWords(const DrawKey& key, const JobContext& job) {
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
    const plane::PlaneAxes plane =
        planeOf(*embedding, key.setting.mechanism.metric() == metric::Metric::poincare);
    const PlanePoint place = plane.project(*embedding, words).front();
    const std::vector<embedding::Row>& outputs = drawn.front().outputs.front();
    DrawnWords result{key, {}, 0, 0};
    for (const PlanePoint& point : plane.project(*embedding, outputs)) {
        result.offsets.push_back({point.x - place.x, point.y - place.y});
    }
    result.distinct = static_cast<int>(std::set(outputs.begin(), outputs.end()).size());
    result.kept = static_cast<int>(std::count(outputs.begin(), outputs.end(), key.of.word));
    return result;
}

SpaceModel::SpaceModel(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_cloud({.title = tr("Projecting the vocabulary"),
               .key = [this]() -> std::optional<CloudKey> {
                   if (!hasPlane()) {
                       return std::nullopt;
                   }
                   const mechanism::Mechanism mechanism = m_state.mechanism();
                   return CloudKey{
                       m_state.embedding(), isDisk(),
                       isDisk() && !mechanism.isExact() ? std::optional(mechanism) : std::nullopt,
                       m_state.seed()};
               },
               .make = &SpaceModel::makeCloud}),
      m_scene({.title = tr("Finding neighbours"),
               .key = [this] { return sceneKey(); },
               .make = &SpaceModel::makeScene}),
      m_drawn({.title = tr("Drawing words"),
               .key = [this]() -> std::optional<DrawKey> {
                   const auto scene = sceneKey();
                   return scene && scene->mechanism.isExact()
                              ? std::optional(DrawKey{*scene, m_state.setting(), m_state.seed()})
                              : std::nullopt;
               },
               .make = &SpaceModel::drawWords,
               // Stopped for each new epsilon it would never finish.
               .isWorthFinishing =
                   [](const DrawKey& running, const DrawKey& wanted) {
                       return running.of.space == wanted.of.space &&
                              running.of.word == wanted.of.word;
                   }}),
      m_speller(tr("Looking for similar words"), [this](const Result<QStringList>& suggestions) {
          if (suggestions) {
              Q_EMIT unknownWord(m_unknown, *suggestions);
          }
      }) {
    connect(&m_cloud, &QueryBase::changed, this, &SpaceModel::wordsChanged);
    connect(&m_scene, &QueryBase::changed, this, &SpaceModel::wordsChanged);
    connect(&m_drawn, &QueryBase::changed, this, &SpaceModel::noiseChanged);
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
        m_speller.drop();
        update();
        Q_EMIT wordsChanged();
    });
    connect(&m_state, &AnalysisState::selectedWordChanged, this, &SpaceModel::update);
    m_state.onChange(
        [](const AnalysisSettings& settings) {
            return std::pair(settings.setting(), settings.seed);
        },
        this,
        [this] {
            update();
            Q_EMIT noiseChanged();
        });
    update();
}

bool SpaceModel::SceneKey::operator==(const SceneKey& other) const {
    return space == other.space && word == other.word && mechanism.isKindOf(other.mechanism) &&
           shareNeighbours(mechanism, other.mechanism);
}

void SpaceModel::update() {
    m_cloud.update();
    m_scene.update();
    m_drawn.update();
}

bool SpaceModel::hasPlane() const {
    return m_state.searchSpace() && m_state.embedding()->dimensions() >= 2;
}

std::optional<SpaceModel::SceneKey> SpaceModel::sceneKey() const {
    return hasPlane() ? std::optional(SceneKey{m_state.searchSpace(), m_state.metricSpaces(),
                                               m_state.mechanism(), shownWord()->row()})
                      : std::nullopt;
}

std::shared_ptr<const PlaneCloud> SpaceModel::cloud() const {
    const CloudHandle* made = m_cloud.current();
    return made != nullptr ? *made : nullptr;
}

const PlaneScene* SpaceModel::scene() const {
    const PlaneScene* made = m_scene.error() == nullptr ? m_scene.last() : nullptr;
    return made != nullptr && made->space == m_state.searchSpace() && made->isDisk == isDisk()
               ? made
               : nullptr;
}

const SpaceModel::DrawnWords* SpaceModel::drawnWords() const {
    const DrawnWords* made = m_drawn.error() == nullptr ? m_drawn.last() : nullptr;
    return made != nullptr && made->key.of.space == m_state.searchSpace() &&
                   made->key.of.word == shownWord()->row() &&
                   made->key.setting.mechanism.metric() == m_state.mechanism().metric()
               ? made
               : nullptr;
}

// Where neighbours cannot be found, words cannot be drawn for the same reason.
const Error* SpaceModel::problem() const {
    return m_scene.error() != nullptr ? m_scene.error() : m_drawn.error();
}

std::optional<Word> SpaceModel::shownWord() const {
    const auto& embedding = m_state.embedding();
    if (!embedding || m_state.selectedWord()) {
        return m_state.selectedWord();
    }
    return Word(embedding, standInWord(*embedding));
}

std::vector<Contour> SpaceModel::radiusContour(const PlaneCloud& cloud) const {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const auto gamma = gammaAt(m_state.embedding(), m_state.setting());
    if (!gamma || !(*gamma > 0.0) || mechanism.metric() == metric::Metric::angular) {
        return {};
    }
    if (!isDisk()) {
        return {cloud.noise.metricBall(*gamma, mechanism.lambda())};
    }
    const PlaneScene* shown = scene();
    if (shown == nullptr) {
        return {};
    }
    const auto& vectors = m_state.embedding()->vectors();
    return {geodesicCircle(
        shown->word.point,
        metric::ballGap(vectors.row(shown->word.word.row()).data(), vectors.cols()), *gamma)};
}

std::vector<Contour> SpaceModel::contours(const PlaneCloud& cloud) const {
    return m_state.mechanism().isExact() ? radiusContour(cloud)
           : cloud.ball ? cloud.ball->contours(cloud.axes, shownWord()->row(), m_state.epsilon())
                        : cloud.noise.contours(m_state.epsilon(), m_state.mechanism().lambda());
}

PlottedNoise SpaceModel::noise() const {
    PlottedNoise noise;
    const auto cloud = this->cloud();
    if (!cloud) {
        return noise;
    }
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const double epsilon = m_state.epsilon();
    for (const Contour& contour : contours(*cloud)) {
        noise.contours.push_back({contour, contourName(contour)});
    }
    QString drawn = tr("%1 draws at ε %2");
    double drawnAt = epsilon;
    if (mechanism.isExact()) {
        if (const DrawnWords* words = drawnWords()) {
            noise.offsets = words->offsets;
            drawn = tr("%1 words drawn at ε %2");
            drawnAt = words->key.setting.epsilon;
        }
    } else if (cloud->ball) {
        noise.offsets = cloud->ball->draws(cloud->axes, shownWord()->row(), epsilon);
    } else {
        noise.offsets = cloud->noise.draws(epsilon, mechanism.lambda());
        for (const Contour& contour : cloud->noise.contours(epsilon, 0.0)) {
            noise.spherical.push_back(
                {contour, tr("%1% spherical, λ 0").arg(std::lround(100.0 * contour.share))});
        }
    }
    noise.drawsName =
        drawn.arg(counted(static_cast<qint64>(noise.offsets.size())), shortest(drawnAt));
    return noise;
}

QString SpaceModel::contourName(const Contour& contour) const {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const QString share = QStringLiteral("%1%").arg(qRound(100.0 * contour.share));
    if (mechanism.hasRadius()) {
        return tr("γ = %1").arg(
            significant(gammaAt(m_state.embedding(), m_state.setting()).value_or(0.0), 3));
    }
    return isElliptical(mechanism)
               ? tr("%1 elliptical, λ %2").arg(share, shortest(mechanism.lambda()))
               : tr("geodesic ball, %1").arg(share);
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

QString SpaceModel::obstacle() const {
    if (!m_state.embedding()) {
        return tr("Open an embedding to see its words in a plane.");
    }
    if (m_state.embedding()->dimensions() < 2) {
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
    const QString held = percent(shown->axes.shares[0] + shown->axes.shares[1]);
    if (!shown->axes.isDisk) {
        return tr("%1 · the plane holds %2 of the variance").arg(drawn, held);
    }
    return shown->axes.isWhole
               ? tr("%1 · the Poincaré disk itself; the circle is its edge").arg(drawn)
               : tr("%1 · projection of the ball onto the plane through its origin that holds most "
                    "of "
                    "the mean squared norm, %2; the circle is the edge")
                     .arg(drawn, held);
}

QString SpaceModel::planeName() const {
    const auto shown = cloud();
    if (!shown || !shown->axes.isDisk) {
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
    if (!shown->axes.isDisk) {
        return tr("PC %1, units of distance (%2 of the variance)").arg(axis + 1).arg(share);
    }
    return shown->axes.isWhole
               ? tr("coordinate %1 of the disk").arg(axis + 1)
               : tr("direction %1 (%2 of the mean squared norm)").arg(axis + 1).arg(share);
}

QString SpaceModel::distanceTitle() const {
    return tr("%1 distance").arg(metricTitle(neighbourMetric(m_state.mechanism())));
}

QString SpaceModel::drawnWordsText() const {
    QString text = tr("This mechanism adds no noise, so there is no contour: it draws words.");
    if (const DrawnWords* drawn = drawnWords()) {
        text += tr(" Of %1 draws %2 kept the word; %3 different words came out.")
                    .arg(counted(kDraws), counted(drawn->kept), counted(drawn->distinct));
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

QString SpaceModel::ballText(const PlaneCloud& cloud) const {
    const auto radii = cloud.ball->radii(m_state.epsilon());
    const QString reach =
        tr(" Half of the noise moves the word by at most d_H = %1, 95% by at most %2.")
            .arg(significant(radii[0], 3), significant(radii[1], 3));
    return cloud.axes.isWhole
               ? reach
               : reach + tr(" The circles are the projections of these geodesic balls; projected, "
                            "more draws lie inside.");
}

QString SpaceModel::drawsText() const {
    const auto cloud = this->cloud();
    if (!cloud) {
        return {};
    }
    if (m_state.mechanism().isExact()) {
        return drawnWordsText();
    }
    const PlottedNoise shown = noise();
    const auto shareText = [&shown](std::size_t index) {
        const Contour& contour = shown.contours.at(index).contour;
        const auto inside = countInside(shown.offsets, contour);
        return tr("%1 (%2) in the %3 contour")
            .arg(counted(inside), percent(static_cast<double>(inside) / kDraws),
                 percent(contour.share));
    };
    QString text;
    if (!shown.contours.empty()) {
        text = tr("Of %1 draws %2, %3.").arg(counted(kDraws), shareText(0), shareText(1));
    }
    return cloud->ball ? text + ballText(*cloud) : text;
}

QString SpaceModel::description() const {
    const PlaneScene* around = scene();
    if (!cloud() || around == nullptr) {
        const QString why = obstacle();
        return why.isEmpty() ? tr("The plane is being computed.") : why;
    }
    return tr("%1. Around \"%2\": %3 Nearest: %4.")
        .arg(planeText(), around->word.word.text(), drawsText(),
             around->neighbours.empty() ? QString() : around->neighbours.front().word.text());
}

}  // namespace epsilens::ui
