#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"
#include "core/plane/ball_noise.h"
#include "core/plane/plane_axes.h"
#include "core/plane/plane_noise.h"
#include "ui/state/analysis_state.h"
#include "ui/state/query.h"
#include "ui/state/word.h"

namespace epsilens::ui {

using plane::Contour;
using plane::PlanePoint;

/// A word in the plane.
struct PlaneWord {
    Word word;
    PlanePoint point{};
    /// From the selected word, in all dimensions, as the mechanism measures.
    double distance = 0.0;
};

/// What the plane shows of an embedding, whatever the word.
struct PlaneCloud {
    embedding::EmbeddingHandle embedding{};
    plane::PlaneAxes axes{};
    std::vector<PlaneWord> words{};          ///< random words of the vocabulary
    plane::PlaneNoise noise{};               ///< elliptical; of principal axes only
    std::optional<plane::BallNoise> ball{};  ///< of a mechanism that adds noise in the ball
};

/// The selected word and those near it.
struct PlaneScene {
    PlaneWord word;
    std::vector<PlaneWord> neighbours{};  ///< nearest first
    engine::SearchSpaceHandle space{};
    bool isDisk = false;
};

/// A contour and what the legend calls it.
struct NamedContour {
    Contour contour{};
    QString name{};
};

/// The noise around a word: the mechanism's contours, spherical ones for comparison, and draws.
struct PlottedNoise {
    std::vector<NamedContour> contours{};   ///< at most two, the wider last
    std::vector<NamedContour> spherical{};  ///< of PlaneNoise::kShares, or none
    std::vector<PlanePoint> offsets{};      ///< of draws from the word, for TEM of the words drawn
    QString drawsName{};                    ///< "200 draws at ε 10"
};

/// What the Space tab shows, without a window. Cloud, neighbours and the words that TEM draws come
/// from jobs; otherwise epsilon and lambda only scale what is there.
class SpaceModel : public QObject {
    Q_OBJECT

public:
    static constexpr std::int64_t kPoints = 2'000;
    static constexpr int kNeighbours = 100;
    static constexpr int kDraws = 200;

    explicit SpaceModel(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] AnalysisState& state() { return m_state; }
    /// Null until there is something to show of the mechanism as set.
    [[nodiscard]] std::shared_ptr<const PlaneCloud> cloud() const;
    /// Null also where the neighbours cannot be found.
    [[nodiscard]] const PlaneScene* scene() const;
    /// The state's word; while it has none a common one stands in.
    [[nodiscard]] std::optional<Word> shownWord() const;
    /// What the distances of neighbours are: "Euclidean distance".
    [[nodiscard]] QString distanceTitle() const;
    /// The noise of the mechanism as set; for TEM, which has no contours, the ball of its radius,
    /// where it is one in the plane.
    [[nodiscard]] PlottedNoise noise() const;

    /// Selects a word by its spelling; an unknown one ends in unknownWord().
    void selectSpelling(const QString& spelling);

    /// Why the neighbours or the words that TEM draws are missing; null while they are not.
    [[nodiscard]] const Error* problem() const;
    /// Why there is nothing to show; empty if there is.
    [[nodiscard]] QString obstacle() const;
    /// "2,000 of 41,353 points drawn · the plane holds 7 % of the variance".
    [[nodiscard]] QString planeText() const;
    /// What the picture is, for assistive technology: "Words and noise in the Poincaré disk".
    [[nodiscard]] QString planeName() const;
    /// "PC 1 (4.2 % of the variance)", "direction 1 of the ball (…)"; axis 0 or 1.
    [[nodiscard]] QString axisTitle(int axis) const;
    /// How many of the draws shown lie within the contours, and what these are.
    [[nodiscard]] QString drawsText() const;
    /// One sentence about the picture, for assistive technology.
    [[nodiscard]] QString description() const;

Q_SIGNALS:
    /// Another cloud, or another word with its neighbours.
    void wordsChanged();
    /// Contours and draws are scaled anew.
    void noiseChanged();
    /// suggestions  words of the vocabulary spelt most alike, may be empty
    void unknownWord(const QString& spelling, const QStringList& suggestions);

private:
    struct CloudKey {
        embedding::EmbeddingHandle embedding{};
        bool isDisk = false;  ///< the Poincaré ball, else principal axes
        std::optional<mechanism::Mechanism> ballNoise{};  ///< what adds noise in the ball
        std::uint64_t seed = 0;

        [[nodiscard]] bool operator==(const CloudKey&) const = default;
    };
    struct SceneKey {
        engine::SearchSpaceHandle space{};
        std::shared_ptr<MetricSpaceCache> spaces{};
        mechanism::Mechanism mechanism{};
        embedding::Row word = 0;

        /// Neighbours go by the distance of the mechanism.
        [[nodiscard]] bool operator==(const SceneKey& other) const;
    };
    struct DrawKey {
        SceneKey of{};
        mechanism::Setting setting{};
        std::uint64_t seed = 0;

        [[nodiscard]] bool operator==(const DrawKey&) const = default;
    };
    /// Words that TEM drew for the selected word.
    struct DrawnWords {
        DrawKey key{};
        std::vector<PlanePoint> offsets{};  ///< of the outputs, from the word; one per draw
        int distinct = 0;
        int kept = 0;
    };
    using CloudHandle = std::shared_ptr<const PlaneCloud>;

    [[nodiscard]] static Result<CloudHandle> makeCloud(const CloudKey& key, const JobContext& job);
    [[nodiscard]] static Result<PlaneScene> makeScene(const SceneKey& key, const JobContext& job);
    [[nodiscard]] static Result<DrawnWords> drawWords(const DrawKey& key, const JobContext& job);

    void update();
    [[nodiscard]] bool isDisk() const {
        return m_state.mechanism().metric() == metric::Metric::poincare;
    }
    [[nodiscard]] bool hasPlane() const;
    [[nodiscard]] std::optional<SceneKey> sceneKey() const;
    [[nodiscard]] const DrawnWords* drawnWords() const;
    [[nodiscard]] std::vector<Contour> contours(const PlaneCloud& cloud) const;
    [[nodiscard]] std::vector<Contour> radiusContour(const PlaneCloud& cloud) const;
    [[nodiscard]] QString contourName(const Contour& contour) const;
    [[nodiscard]] QString ballText(const PlaneCloud& cloud) const;
    [[nodiscard]] QString drawnWordsText() const;

    AnalysisState& m_state;
    QString m_unknown;
    Query<CloudKey, CloudHandle> m_cloud;
    Query<SceneKey, PlaneScene> m_scene;
    Query<DrawKey, DrawnWords> m_drawn;  ///< of TEM
    JobRunner<QStringList> m_speller;
};

}  // namespace epsilens::ui
