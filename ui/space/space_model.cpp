#include "ui/space/space_model.h"

#include <algorithm>

#include "core/engine/neighbours.h"
#include "core/engine/word_sample.h"
#include "core/text/letter_case.h"
#include "core/text/lookup.h"
#include "ui/common/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr std::size_t kSuggestions = 3;

std::vector<PlaneWord> projected(const embedding::PreparedEmbedding& embedding,
                                 const std::vector<embedding::Row>& rows) {
    RowMatrixF vectors(static_cast<Eigen::Index>(rows.size()), embedding.dimensions());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        vectors.row(static_cast<Eigen::Index>(i)) = embedding.vectors().row(rows[i]);
    }
    const RowMatrixD plane = embedding::projectOnAxes(embedding.basis, vectors, 0, 1);
    std::vector<PlaneWord> words;
    words.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto index = static_cast<Eigen::Index>(i);
        words.push_back({rows[i], {plane(index, 0), plane(index, 1)}, 0.0});
    }
    return words;
}

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
    return significant(100.0 * share, 2) + QStringLiteral(" %");
}

}  // namespace

Result<std::shared_ptr<const PlaneCloud>> makeCloud(const embedding::EmbeddingHandle& embedding,
                                                    std::int64_t points, std::uint64_t seed) {
    if (embedding->dimensions() < 2) {
        return fail(ErrorCode::unsupported,
                    "the embedding has one dimension; a plane needs at least two");
    }
    auto noise = PlaneNoise::create({embedding, &embedding->basis}, seed, SpaceModel::kMostDraws);
    if (!noise) {
        return tl::unexpected(noise.error());
    }
    PlaneCloud cloud;
    cloud.words = projected(*embedding, engine::sampleWords(embedding->wordCount(), points, seed));
    cloud.vocabulary = embedding->wordCount();
    cloud.varianceShares = {embedding->basis.varianceShare(0), embedding->basis.varianceShare(1)};
    cloud.noise = std::move(*noise);
    return std::make_shared<const PlaneCloud>(std::move(cloud));
}

Result<std::shared_ptr<const PlaneScene>> makeScene(const engine::SearchSpace& space,
                                                    embedding::Row word, int neighbours,
                                                    const JobContext& job) {
    const std::vector<embedding::Row> asked{word};
    const auto near = engine::nearestNeighbours(space, asked, neighbours, 0, job);
    if (!near) {
        return tl::unexpected(near.error());
    }
    PlaneScene scene;
    scene.word = projected(space.embedding(), asked).front();
    scene.neighbours = projected(space.embedding(), near->front().rows);
    for (std::size_t i = 0; i < scene.neighbours.size(); ++i) {
        scene.neighbours[i].distance = near->front().distances[i];
    }
    return std::make_shared<const PlaneScene>(std::move(scene));
}

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
      m_sceneRunner(tr("Finding neighbours"),
                    [this](Result<std::shared_ptr<const PlaneScene>> scene) {
                        if (scene && hasPlane()) {
                            m_scene = std::move(*scene);
                            Q_EMIT sceneChanged();
                        }
                    }),
      m_speller(
          tr("Looking for similar words"),
          [this](const Result<std::vector<text::Spelling>>& found) {
              QStringList suggestions;
              for (const text::Spelling& spelling : found.value_or(std::vector<text::Spelling>{})) {
                  suggestions.append(wordAt(spelling.row));
              }
              Q_EMIT unknownWord(m_unknown, suggestions);
          }) {
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
        forget();
        requestCloud();
        requestScene();
    });
    connect(&m_state, &AnalysisState::selectedWordChanged, this, &SpaceModel::requestScene);
    connect(&m_state, &AnalysisState::seedChanged, this, &SpaceModel::requestCloud);
    connect(&m_state, &AnalysisState::epsilonChanged, this, &SpaceModel::noiseChanged);
    connect(&m_state, &AnalysisState::lambdaChanged, this, &SpaceModel::noiseChanged);
    connect(&m_state, &AnalysisState::mechanismChanged, this, &SpaceModel::noiseChanged);
    requestCloud();
    requestScene();
}

void SpaceModel::forget() {
    m_cloudRunner.cancel();
    m_sceneRunner.cancel();
    m_cloud.reset();
    m_scene.reset();
    Q_EMIT cloudChanged();
    Q_EMIT sceneChanged();
}

bool SpaceModel::hasPlane() const {
    return m_state.embedding() && m_state.embedding()->dimensions() >= 2;
}

void SpaceModel::requestCloud() {
    if (!hasPlane()) {
        return;
    }
    m_cloudRunner.start([embedding = m_state.embedding(), points = m_points,
                         seed = m_state.seed()](const JobContext& /*job*/) {
        return makeCloud(embedding, points, seed);
    });
}

void SpaceModel::requestScene() {
    const auto word = shownWord();
    if (!word || !m_state.searchSpace() || !hasPlane()) {
        return;
    }
    m_sceneRunner.start([space = m_state.searchSpace(), row = *word](const JobContext& job) {
        return makeScene(*space, row, kMostLabels, job);
    });
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
}

std::optional<embedding::Row> SpaceModel::shownWord() const {
    if (!m_state.embedding()) {
        return std::nullopt;
    }
    return m_state.selectedWord().value_or(standInWord(*m_state.embedding()));
}

std::vector<PlaneWord> SpaceModel::labelled() const {
    if (!m_scene) {
        return {};
    }
    const auto count = std::min(m_scene->neighbours.size(), static_cast<std::size_t>(m_labels));
    return {m_scene->neighbours.begin(),
            m_scene->neighbours.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::array<Contour, 2> SpaceModel::contours() const {
    return m_cloud ? m_cloud->noise.contours(m_state.epsilon(), m_state.effectiveLambda())
                   : std::array<Contour, 2>{};
}

std::array<Contour, 2> SpaceModel::sphericalContours() const {
    return m_cloud ? m_cloud->noise.contours(m_state.epsilon(), 0.0) : std::array<Contour, 2>{};
}

std::vector<PlanePoint> SpaceModel::drawOffsets() const {
    return m_cloud ? m_cloud->noise.draws(m_state.epsilon(), m_state.effectiveLambda(), m_draws)
                   : std::vector<PlanePoint>{};
}

QString SpaceModel::wordAt(embedding::Row row) const {
    return toQString(m_state.embedding()->vocabulary().word(row));
}

void SpaceModel::selectSpelling(const QString& spelling) {
    const QString wanted = spelling.trimmed();
    if (!m_state.embedding() || wanted.isEmpty()) {
        return;
    }
    const embedding::Vocabulary& vocabulary = m_state.embedding()->vocabulary();
    auto row = vocabulary.find(toStd(wanted));
    if (!row) {
        row = text::Lookup(vocabulary, text::CasePolicy::lower).find(toStd(wanted));
    }
    if (row) {
        m_state.setSelectedWord(row);
        return;
    }
    m_unknown = wanted;
    m_speller.start([embedding = m_state.embedding(), word = toStd(wanted)](
                        const JobContext& /*job*/) -> Result<std::vector<text::Spelling>> {
        return text::nearestSpellings(embedding->vocabulary(), word, kSuggestions);
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

QString SpaceModel::planeText() const {
    if (!m_cloud) {
        return {};
    }
    const double held = m_cloud->varianceShares[0] + m_cloud->varianceShares[1];
    return tr("%1 of %2 points drawn · the plane holds %3 of the variance")
        .arg(counted(static_cast<qint64>(m_cloud->words.size())), counted(m_cloud->vocabulary),
             percent(held));
}

QString SpaceModel::axisTitle(int axis) const {
    if (!m_cloud) {
        return {};
    }
    return tr("PC %1 (%2 of the variance)")
        .arg(axis + 1)
        .arg(percent(m_cloud->varianceShares[static_cast<std::size_t>(axis)]));
}

QString SpaceModel::drawsText() const {
    if (!m_cloud || m_draws == 0) {
        return {};
    }
    const auto offsets = drawOffsets();
    const auto shapes = contours();
    const auto all = static_cast<qint64>(offsets.size());
    const auto shareText = [&](const Contour& contour) {
        const auto inside = countInside(offsets, contour);
        return tr("%1 (%2) in the %3 contour")
            .arg(counted(inside), percent(static_cast<double>(inside) / static_cast<double>(all)),
                 percent(contour.share));
    };
    return tr("Of %1 draws %2, %3").arg(counted(all), shareText(shapes[0]), shareText(shapes[1]));
}

QString SpaceModel::description() const {
    if (!m_cloud || !m_scene) {
        return obstacle();
    }
    const auto elliptical = contours();
    const auto spherical = sphericalContours();
    return tr("%1 words in the plane of the first two principal axes, %2 of the variance; around "
              "\"%3\" half of the noise lies within %4 by %5, spherical noise within %6; nearest: "
              "%7.")
        .arg(counted(static_cast<qint64>(m_cloud->words.size())),
             percent(m_cloud->varianceShares[0] + m_cloud->varianceShares[1]),
             wordAt(m_scene->word.row), significant(elliptical[0].semiAxisX, 3),
             significant(elliptical[0].semiAxisY, 3), significant(spherical[0].semiAxisX, 3),
             m_scene->neighbours.empty() ? QString() : wordAt(m_scene->neighbours.front().row));
}

}  // namespace epsilens::ui
