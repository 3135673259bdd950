#include "ui/state/epsilon_search.h"

#include <string>

#include "core/base/numbers.h"
#include "core/report/memo_words.h"
#include "ui/state/analysis_state.h"
#include "ui/state/current_measurement.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

QString limitStatusText(const document::LimitCounts& counts) {
    return counts.all == 0 ? QString()
                           : tr("Limits: %1%2")
                                 .arg(toQString(report::limitCountWords(counts)),
                                      counts.missed > 0    ? tr(" ✗")
                                      : counts.areAllMet() ? tr(" ✓")
                                                           : QString());
}

LimitVerdicts::LimitVerdicts(const AnalysisState& state, QObject* parent)
    : QObject(parent), m_state(state) {
    m_state.onChange(&AnalysisSettings::limits, this, [this] { setChecks({}); });
    m_state.onChange(&AnalysisSettings::figureLimits, this, [this] { setOnTexts({}); });
    refresh();
}

void LimitVerdicts::setChecks(const std::vector<calibration::LimitCheck>& checks) {
    m_checks = checks;
    refresh();
    Q_EMIT checksChanged();
}

void LimitVerdicts::setOnTexts(std::vector<document::FigureFinding> findings) {
    const bool areOther = !findings.empty() || !m_onTexts.empty();
    m_onTexts = std::move(findings);
    refresh();
    if (areOther) {
        Q_EMIT checksChanged();
    }
}

QStringList LimitVerdicts::lines() const {
    QStringList lines;
    const auto add = [&lines](bool isMet, const std::string& words) {
        lines.append((isMet ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + toQString(words));
    };
    for (const calibration::LimitCheck& check : m_checks) {
        add(check.met(), report::checkWords(check, m_state.draws()));
    }
    for (const document::FigureFinding& finding : m_onTexts) {
        if (finding.check) {
            add(finding.met(), report::checkWords(*finding.check));
        }
    }
    return lines;
}

void LimitVerdicts::refresh() {
    document::LimitCounts status = document::countLimits(m_checks, m_onTexts);
    status.all = m_state.limits().size() + m_state.settings().figureLimits.size();
    if (status != m_status) {
        m_status = status;
        Q_EMIT statusChanged();
    }
}

namespace {

constexpr int kEpsilonDigits = 3;

QString missedText(double closest, const std::optional<calibration::LimitCheck>& binding,
                   int draws) {
    const QString place =
        EpsilonSearch::tr("No ε meets all limits. Nearest at ε = %1").arg(epsilonText(closest));
    return binding ? EpsilonSearch::tr(
                         "%1: %2; it is %3. Loosen it, or compare mechanisms on "
                         "Mechanisms.")
                         .arg(place, toQString(report::limitWords(binding->limit, draws)),
                              toQString(report::valueWords(*binding)))
                   : place + QStringLiteral(".");
}

}  // namespace

calibration::CalibrationOptions presentSetting(const AnalysisState& state) {
    calibration::CalibrationOptions options;
    options.grid = mechanism::Grid::of(state.mechanism());
    options.words = state.words();
    options.draws = state.draws();
    options.seed = state.seed();
    return options;
}

EpsilonSearch::EpsilonSearch(AnalysisState& state, LimitVerdicts& limits,
                             CurrentMeasurement& measurement, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_limits(limits),
      m_measurement(measurement),
      m_spans({.title = tr("Finding where the limits are met"),
               .key = [this]() -> std::optional<Asked> {
                   if (!m_measurement.isCurrent() || m_state.limits().empty()) {
                       return std::nullopt;
                   }
                   return Asked{m_measurement.result(), m_state.limits()};
               },
               .make =
                   [](const Asked& asked, const JobContext& job) {
                       return calibration::limitSpans(*asked.first, asked.second,
                                                      asked.first->shown(), job);
                   }}) {
    connect(&m_spans, &QueryBase::changed, this, &EpsilonSearch::useSpans);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &EpsilonSearch::restart);
    connect(&m_state, &AnalysisState::changed, this, &EpsilonSearch::updateForSettings);
    connect(&m_measurement, &CurrentMeasurement::changed, this,
            &EpsilonSearch::updateForMeasurement);
    updateForMeasurement();
}

QString EpsilonSearch::obstacle() const {
    if (!m_state.searchSpace()) {
        return tr("Open an embedding first.");
    }
    // What has begun, or will by itself, is waited for.
    const bool isWaitingInVain =
        spans() == nullptr && (m_measurement.wasCancelled() || !m_measurement.problem().isEmpty());
    return isWaitingInVain && !m_state.limits().empty()
               ? tr("The current setting is not measured yet.")
               : QString();
}

void EpsilonSearch::updateForSettings(const AnalysisSettings& before, const AnalysisSettings& now) {
    if (now.limits != before.limits || now.currentMechanism() != before.currentMechanism() ||
        !now.asksForRunOf(before)) {
        restart();
    } else if (now.epsilon != before.epsilon && !m_isSettingEpsilon) {
        setMessage({}, false);
        checkLimits();
    }
}

void EpsilonSearch::restart() {
    m_findsOnceKnown = false;
    m_followed.reset();
    m_limits.setChecks({});
    setMessage({}, false);
    updateForMeasurement();
}

void EpsilonSearch::updateForMeasurement() {
    // What was said of other words need not hold for these.
    if (m_measurement.isCurrent() && m_followed != m_measurement.result()) {
        m_followed = m_measurement.result();
        setMessage({}, false);
    }
    if (m_measurement.isCurrent() && !m_state.limits().empty()) {
        checkLimits();
    }
    m_spans.update();
    Q_EMIT changed();
}

void EpsilonSearch::checkLimits() {
    if (!m_measurement.isCurrent()) {
        m_limits.setChecks({});
        return;
    }
    if (const auto checks = m_measurement.result()->check(m_state.limits(), m_state.epsilon())) {
        m_limits.setChecks(*checks);
    }
}

void EpsilonSearch::useSpans() {
    if (spans() != nullptr && std::exchange(m_findsOnceKnown, false)) {
        findEpsilon();
    }
    Q_EMIT changed();
}

void EpsilonSearch::findEpsilon() {
    if (!obstacle().isEmpty()) {
        return;
    }
    if (!m_state.settings().figureLimits.empty()) {
        Q_EMIT searchOnTextsRequested();
    } else if (m_state.limits().empty()) {
        setMessage(
            tr("No limit is set yet: fill in how many of 100 draws may keep a word, under the "
               "text on Choose."),
            true);
    } else if (m_measurement.measureWordsOfRuns(); spans() == nullptr) {
        m_findsOnceKnown = true;
        m_message.clear();
        Q_EMIT changed();
    } else if (const auto& found = spans()->largest; found.epsilon) {
        setEpsilon(*found.epsilon, found.binding);
        checkLimits();
    } else {
        m_state.rememberFailedSearch();
        setMessage(
            missedText(found.closest, found.binding, m_measurement.result()->options().draws),
            true);
    }
}

double EpsilonSearch::roundedDown(double epsilon) const {
    if (!m_measurement.isCurrent()) {
        return epsilon;
    }
    const double rounded = epsilens::roundedDown(epsilon, kEpsilonDigits);
    const auto checks = m_measurement.result()->check(m_state.limits(), rounded);
    return checks && calibration::allMet(*checks) ? rounded : epsilon;
}

QString EpsilonSearch::originText(bool isBound) const {
    QStringList limits;
    for (const calibration::Limit& limit : m_state.limits()) {
        limits.append(toQString(report::limitWords(limit, m_state.draws())));
    }
    const QString largest =
        isBound ? tr("the largest value within") : tr("the largest value searched, within");
    const QString found = tr("The program found ε by its search “Find ε”: it is %1 %2: %3.")
                              .arg(largest, limits.size() == 1 ? tr("the limit") : tr("the limits"),
                                   limits.join(tr("; ")));
    return found + QLatin1Char(' ') +
           (m_state.mechanism().isExact()
                ? tr("Searched with exact probabilities of %1.").arg(m_measurement.wordsText())
                : tr("Searched on %1 with %2 draws each, seed %3.")
                      .arg(m_measurement.wordsText(), counted(m_state.draws()),
                           QString::number(m_state.seed())));
}

void EpsilonSearch::setEpsilon(double found,
                               const std::optional<calibration::LimitCheck>& binding) {
    const double epsilon = roundedDown(found);
    m_isSettingEpsilon = true;
    m_state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
    m_isSettingEpsilon = false;
    const bool areMore = m_state.limits().size() > 1;
    const QString largest =
        tr("ε = %1 is the largest value within %2")
            .arg(epsilonText(epsilon), areMore ? tr("your limits") : tr("your limit"));
    const QString basis =
        m_measurement.isCurrent()
            ? tr(", measured on %1 of the vocabulary").arg(m_measurement.wordsText())
            : QString();
    m_state.rememberOrigin(originText(binding.has_value()));
    setMessage(!binding  ? largest + tr(", as far as the search went.")
               : areMore ? tr("%1%2. Beyond it this fails: %3.")
                               .arg(largest, basis,
                                    toQString(report::limitWords(binding->limit, m_state.draws())))
                         : tr("%1%2.").arg(largest, basis),
               false);
}

void EpsilonSearch::setMessage(const QString& message, bool isFailure) {
    if (message == m_message && isFailure == m_isFailure) {
        return;
    }
    m_message = message;
    m_isFailure = isFailure;
    Q_EMIT changed();
}

}  // namespace epsilens::ui
