#include "ui/space/pinned_noise.h"

#include <utility>

#include "core/base/pass_on.h"
#include "core/metric/poincare_distance.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

PinnedNoise::PinnedNoise(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_finder(tr("Drawing the pinned settings"),
               [this](Result<Found> found) { take(std::move(found)); }) {
    connect(&m_state, &AnalysisState::embeddingDropped, this, &PinnedNoise::forget);
    m_state.onChange(&AnalysisSettings::pin, this, [this] {
        find();
        Q_EMIT changed();
    });
    m_state.onChange(&AnalysisSettings::seed, this, &PinnedNoise::find);
}

void PinnedNoise::forget() {
    m_finder.drop();
    m_cloud.reset();
    m_scene.reset();
    m_found.reset();
    m_asked.reset();
    m_problem.reset();
}

void PinnedNoise::follow(std::shared_ptr<const PlaneCloud> cloud,
                         std::shared_ptr<const PlaneScene> scene, int draws) {
    m_cloud = std::move(cloud);
    m_scene = std::move(scene);
    m_draws = draws;
    find();
}

bool PinnedNoise::isInPicture() const {
    const auto& pin = m_state.pin();
    return pin && m_cloud && m_scene && m_scene->view == m_cloud->view &&
           m_cloud->view.with(pin->mechanism).isDisk == m_cloud->view.isDisk;
}

bool PinnedNoise::takesJob() const {
    return !isElliptical(m_state.pin()->mechanism);
}

std::optional<PinnedNoise::Wanted> PinnedNoise::wanted() const {
    return isInPicture() && takesJob() && m_state.searchSpace()
               ? std::optional(Wanted{*m_state.pin(), m_scene, m_state.seed(), m_draws})
               : std::nullopt;
}

bool PinnedNoise::isFound() const {
    return m_found && m_found->of == wanted();
}

void PinnedNoise::find() {
    const std::optional<Wanted> now = wanted();
    if (m_asked != now) {
        setProblem(std::nullopt);
    }
    // A run for something else is let finish; what it finds out is looked at then.
    if (!now || isFound() || m_problem || m_finder.isRunning()) {
        return;
    }
    m_asked = now;
    const SceneRequest request{m_state.searchSpace(), m_state.metricSpaces(), now->pin.mechanism,
                               m_scene->word.word.row(), m_cloud->view.with(now->pin.mechanism)};
    m_finder.start([asked = *now, request,
                    cloud = m_cloud](const JobContext& job) -> Result<Found> {
        const mechanism::Setting& pin = asked.pin;
        if (pin.mechanism.isExact()) {
            if (asked.draws == 0) {
                return Found{asked, {}, {}};
            }
            return drawWords(request, pin.epsilon, asked.draws, asked.seed, job)
                .map([&asked](const std::shared_ptr<const DrawnWords>& drawn) {
                    return Found{asked, {}, drawn->offsets};
                });
        }
        ASSIGN_OR_RETURN(const auto form, pin.mechanism.on(request.space->handle()));
        const BallNoise ball =
            BallNoise::create(request.space->handle(), std::get<mechanism::HyperbolicNoise>(form),
                              asked.seed, asked.draws);
        return Found{asked, ball.contours(cloud->axes, request.word, pin.epsilon),
                     ball.draws(cloud->axes, request.word, pin.epsilon, asked.draws)};
    });
}

void PinnedNoise::take(Result<Found> found) {
    if (!found && found.error().code != ErrorCode::cancelled && m_asked == wanted()) {
        Error told = found.error();
        told.message =
            toStd(tr("The pinned settings are not drawn: %1.").arg(toQString(told.message)));
        setProblem(std::move(told));
        return;
    }
    if (found) {
        m_found = std::move(*found);
        Q_EMIT changed();
    }
    find();
}

void PinnedNoise::setProblem(std::optional<Error> problem) {
    const bool isOther = problem.has_value() || m_problem.has_value();
    m_problem = std::move(problem);
    if (isOther) {
        Q_EMIT problemChanged();
    }
}

std::optional<Contour> PinnedNoise::radius() const {
    const mechanism::Setting& pin = *m_state.pin();
    const auto gamma = gammaAt(m_state.embedding(), pin);
    if (!gamma || !(*gamma > 0.0) || pin.mechanism.metric() == metric::Metric::angular) {
        return std::nullopt;
    }
    if (!m_cloud->view.isDisk) {
        return m_cloud->noise.metricBall(*gamma, pin.mechanism.lambda());
    }
    const auto& vectors = m_state.embedding()->vectors();
    return geodesicCircle(
        m_scene->word.point,
        metric::ballGap(vectors.row(m_scene->word.word.row()).data(), vectors.cols()), *gamma);
}

std::vector<Contour> PinnedNoise::contours() const {
    if (!isInPicture()) {
        return {};
    }
    const mechanism::Setting& pin = *m_state.pin();
    if (pin.mechanism.isExact()) {
        const auto contour = radius();
        return contour ? std::vector{*contour} : std::vector<Contour>{};
    }
    if (takesJob()) {
        return isFound() ? m_found->contours : std::vector<Contour>{};
    }
    return m_cloud->noise.contours(pin.epsilon, pin.mechanism.lambda());
}

std::vector<PlanePoint> PinnedNoise::offsets() const {
    if (!isInPicture()) {
        return {};
    }
    if (takesJob()) {
        return isFound() ? m_found->offsets : std::vector<PlanePoint>{};
    }
    const mechanism::Setting& pin = *m_state.pin();
    return m_cloud->noise.draws(pin.epsilon, pin.mechanism.lambda(), m_draws);
}

QString pinnedContourName(const Contour& contour) {
    return contour.share > 0.0 ? PinnedNoise::tr("pinned, %1%").arg(qRound(100.0 * contour.share))
                               : PinnedNoise::tr("pinned, γ");
}

QString PinnedNoise::drawsName() const {
    return tr("pinned: %1 draws").arg(counted(m_draws));
}

QString PinnedNoise::text() const {
    const auto& pin = m_state.pin();
    if (!pin || !m_cloud) {
        return {};
    }
    return m_cloud->view.with(pin->mechanism).isDisk == m_cloud->view.isDisk
               ? tr("Grey and dashed: pinned, %1.").arg(pinTitle(*pin))
               : tr("The pinned settings, %1, belong to another picture.").arg(pinTitle(*pin));
}

}  // namespace epsilens::ui
