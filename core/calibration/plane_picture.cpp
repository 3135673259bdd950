#include "core/calibration/plane_picture.h"

#include <algorithm>
#include <utility>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/cell_outputs.h"
#include "core/embedding/examples.h"
#include "core/engine/search_space.h"
#include "core/engine/word_sample.h"
#include "core/metric/poincare_distance.h"
#include "core/plane/ball_noise.h"
#include "core/plane/plane_axes.h"
#include "core/plane/plane_noise.h"

namespace epsilens::calibration {
namespace {

using calibration::CalibrationSummary;
using calibration::Cell;
using plane::Contour;
using plane::PlanePoint;

embedding::Row wordToShow(const embedding::Vocabulary& vocabulary) {
    for (const embedding::ExamplePair& pair : embedding::examplePairs()) {
        if (const auto row = vocabulary.find(pair.first)) {
            return *row;
        }
    }
    return 0;
}

double kept(double value) {
    constexpr int kDigits = 6;
    return parseNumber(formatSignificant(value, kDigits), "coordinate").value_or(value);
}

/// What the settings of a grid have in common.
class Painter {
public:
    Painter(const engine::SearchSpace& space, const CalibrationSummary& summary)
        : m_space(space),
          m_summary(summary),
          m_isDisk(summary.grid.mechanism.metric() == metric::Metric::poincare),
          m_axes(m_isDisk ? plane::diskPlane(space.embedding())
                          : plane::principalPlane(space.embedding())),
          m_word(wordToShow(space.embedding().vocabulary())),
          m_draws(std::min(
              PlanePicture::kMostDraws,
              std::max<std::int64_t>(1, PlanePicture::kMostDrawsInAll /
                                            static_cast<std::int64_t>(summary.cells.size())))) {}

    [[nodiscard]] Result<PlanePicture> paint() const {
        PlanePicture picture = background();
        const mechanism::Mechanism& mechanism = m_summary.grid.mechanism;
        auto settings = mechanism.isExact() ? truncated() : m_isDisk ? hyperbolic() : elliptical();
        return std::move(settings).map([&](std::vector<PlanePicture::Setting>&& painted) {
            picture.settings = std::move(painted);
            return std::move(picture);
        });
    }

private:
    using Settings = std::vector<PlanePicture::Setting>;

    [[nodiscard]] PlanePicture background() const {
        const embedding::PreparedEmbedding& embedding = m_space.embedding();
        PlanePicture picture;
        picture.isDisk = m_isDisk;
        picture.isWhole = m_axes.isWhole || (!m_isDisk && embedding.dimensions() == 2);
        picture.shares = m_axes.shares;
        picture.vocabulary = embedding.wordCount();
        picture.words = m_axes.project(
            embedding,
            engine::sampleWords(embedding.wordCount(), PlanePicture::kMostWords, m_summary.seed));
        picture.word = embedding.vocabulary().word(m_word);
        picture.place = place();
        return picture;
    }

    [[nodiscard]] PlanePoint place() const {
        return m_axes.project(m_space.embedding().vectors().row(m_word).cast<double>().transpose());
    }

    [[nodiscard]] Result<Settings> elliptical() const {
        const embedding::EmbeddingHandle& embedding = m_space.handle();
        ASSIGN_OR_RETURN(const auto noise, plane::PlaneNoise::create({embedding, &embedding->basis},
                                                                     m_summary.seed, m_draws));
        Settings settings;
        for (const Cell& cell : m_summary.cells) {
            settings.push_back({noise.contours(cell.epsilon, cell.lambda),
                                noise.contours(cell.epsilon, 0.0),
                                noise.draws(cell.epsilon, cell.lambda, m_draws)});
        }
        return settings;
    }

    [[nodiscard]] Result<Settings> hyperbolic() const {
        ASSIGN_OR_RETURN(const auto form, m_summary.grid.mechanism.on(m_space.handle()));
        const auto noise = plane::BallNoise::create(
            m_space.handle(), std::get<mechanism::HyperbolicNoise>(form), m_summary.seed, m_draws);
        Settings settings;
        for (const Cell& cell : m_summary.cells) {
            settings.push_back({noise.contours(m_axes, m_word, cell.epsilon),
                                {},
                                noise.draws(m_axes, m_word, cell.epsilon, m_draws)});
        }
        return settings;
    }

    [[nodiscard]] Result<Settings> truncated() const {
        Settings settings(m_summary.cells.size());
        ASSIGN_OR_RETURN(auto noise,
                         plane::PlaneNoise::create({m_space.handle(), &m_space.handle()->basis},
                                                   m_summary.seed, 1));
        for (std::size_t i = 0; i < settings.size(); ++i) {
            settings[i].contours = radius(noise, m_summary.cells[i]);
        }
        const std::array words{SeededWord{m_word, m_summary.seed}};
        ASSIGN_OR_RETURN(const auto outputs,
                         cellOutputs(m_space, m_summary.grid.mechanism, m_summary.cells, words,
                                     static_cast<int>(m_draws)));
        const PlanePoint from = place();
        for (std::size_t i = 0; i < settings.size(); ++i) {
            for (const PlanePoint& point :
                 m_axes.project(m_space.embedding(), outputs[i].front())) {
                settings[i].draws.push_back({point.x - from.x, point.y - from.y});
            }
        }
        return settings;
    }

    /// The words within gamma; angles have no shape in the plane.
    [[nodiscard]] std::vector<Contour> radius(const plane::PlaneNoise& noise,
                                              const Cell& cell) const {
        const double gamma = cell.gamma.value_or(0.0);
        if (!(gamma > 0.0) || m_summary.grid.mechanism.metric() == metric::Metric::angular) {
            return {};
        }
        if (!m_isDisk) {
            return {noise.metricBall(gamma, cell.lambda)};
        }
        const auto& vectors = m_space.embedding().vectors();
        return {plane::geodesicCircle(
            place(), metric::ballGap(vectors.row(m_word).data(), vectors.cols()), gamma)};
    }

    const engine::SearchSpace& m_space;
    const CalibrationSummary& m_summary;
    bool m_isDisk;
    plane::PlaneAxes m_axes;
    embedding::Row m_word;
    std::int64_t m_draws;
};

void round(std::vector<PlanePoint>& points) {
    for (PlanePoint& point : points) {
        point = {kept(point.x), kept(point.y)};
    }
}

void round(std::vector<Contour>& contours) {
    for (Contour& contour : contours) {
        contour.semiAxisX = kept(contour.semiAxisX);
        contour.semiAxisY = kept(contour.semiAxisY);
        contour.centre = {kept(contour.centre.x), kept(contour.centre.y)};
    }
}

PlanePicture rounded(PlanePicture picture) {
    picture.shares = {kept(picture.shares[0]), kept(picture.shares[1])};
    round(picture.words);
    picture.place = {kept(picture.place.x), kept(picture.place.y)};
    for (PlanePicture::Setting& setting : picture.settings) {
        round(setting.contours);
        round(setting.spherical);
        round(setting.draws);
    }
    return picture;
}

}  // namespace

Result<std::optional<PlanePicture>> planePicture(const engine::SearchSpace& space,
                                                 const CalibrationSummary& summary) {
    if (space.embedding().dimensions() < 2) {
        return std::nullopt;
    }
    return Painter(space, summary).paint().map(rounded).map([](PlanePicture&& picture) {
        return std::optional(std::move(picture));
    });
}

}  // namespace epsilens::calibration
