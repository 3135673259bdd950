#include "ui/dial/dial_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/mechanism/guarantee.h"
#include "ui/state/analysis_state.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/word.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr double kUnmeasuredSpan = 30.0;
constexpr int kAxisDigits = 3;
constexpr int kNotable = 10;  ///< of 100 words; a difference that leads to another choice

constexpr std::array kFactors{2.0, 10.0, 1e3, mechanism::kLargestUsefulFactor};
/// The axis begins where the odds of the pair are this, if that is below the shares of interest.
constexpr double kFirstFactor = 10.0;

constexpr int kDrawnPoints = 900;
constexpr double kDrawnBeyond = 1e4;  ///< the axis may show so much beside its ends
constexpr int kPointsBeyond = 100;    ///< on each side: where it is shown, it is shown small

/// Unfinished once a stop is requested.
DialShares drawCurve(const calibration::Measurement& measured, const JobContext& job) {
    DialShares drawn;
    const auto place = [&](double from, double factor, int points) {
        for (int i = 0; i < points; ++i) {
            const double epsilon =
                measured.origin() + from * std::pow(factor, static_cast<double>(i) / points);
            if (epsilon > measured.origin()) {
                drawn.epsilons.push_back(epsilon);
            }
        }
    };
    const double low = measured.shown().low - measured.origin();
    const double high = measured.shown().high - measured.origin();
    place(low / kDrawnBeyond, kDrawnBeyond, kPointsBeyond);
    place(low, high / low, kDrawnPoints);
    place(high, kDrawnBeyond, kPointsBeyond + 1);
    for (const calibration::OutputShares& shares : measured.sharesAlong(drawn.epsilons, job.stop)) {
        drawn.kept.push_back(shares.kept);
        drawn.near.push_back(shares.near);
    }
    return drawn;
}

bool isUseful(double loss) {
    return std::exp(loss) <= mechanism::kLargestUsefulFactor;
}

QString factorName(double factor) {
    constexpr double kShort = 100.0;
    return factor < kShort ? shortest(factor) : toQString(report::powerOfTen(std::log(factor)));
}

}  // namespace

QString promiseText(double loss, double distance, const QString& first, const QString& second) {
    const QString one = first.toHtmlEscaped();
    const QString other = second.toHtmlEscaped();
    const QString apart = significant(distance, 2);
    const QString to =
        DialModel::tr("Promised to %1, per word").arg(toQString(report::kPromisedTo));
    if (isUseful(loss)) {
        return DialModel::
            tr("%1: seeing the output changes the odds of <i>%2</i> against <i>%3</i> (distance "
               "%4) by at most <b>%5</b>, %6: %7. <a href=\"promise\">Why does it look "
               "private?</a>")
                .arg(to, one, other, apart, toQString(report::oddsAtMost(loss)),
                     toQString(report::kPromisedAgainst), toQString(report::certaintyWords(loss)));
    }
    return DialModel::tr(
               "%1: <b>no useful bound</b> for <i>%2</i> against <i>%3</i> (distance %4): the "
               "odds could change by up to %5. <a href=\"promise\">Why does it look private?</a>")
        .arg(to, one, other, apart, toQString(report::powerOfTen(loss)));
}

QString shortPromise(double loss) {
    return isUseful(loss)
               ? DialModel::tr("odds change by at most %1").arg(toQString(report::oddsAtMost(loss)))
               : DialModel::tr("no useful bound: up to %1")
                     .arg(toQString(report::powerOfTen(loss)));
}

DialModel::DialModel(AnalysisState& state, GuaranteeModel& guarantee, EpsilonSearch& search,
                     CurrentMeasurement& measurement, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_guarantee(guarantee),
      m_search(search),
      m_measurement(measurement),
      m_curve({.title = tr("Drawing the dial"),
               .key = [this]() -> std::optional<calibration::MeasurementHandle> {
                   const auto& shown = shownMeasurement();
                   return shown ? std::optional(shown) : std::nullopt;
               },
               .make = [](const calibration::MeasurementHandle& measured, const JobContext& job)
                   -> Result<DialShares> { return drawCurve(*measured, job); },
               .isQuick = [](const auto& measured) { return measured->isInSteps(); }}),
      m_pinned({.title = tr("Measuring the pinned setting"),
                .key = [this]() -> std::optional<PinKey> {
                    const auto& beside = shownMeasurement();
                    const auto& space = m_state.searchSpace();
                    return beside && m_state.pin() && space
                               ? std::optional(PinKey{beside, space, m_state.pin()->mechanism})
                               : std::nullopt;
                },
                .make = [](const PinKey& key, const JobContext& job) -> Result<Pinned> {
                    calibration::MeasurementHandle measured = key.beside;
                    calibration::MeasurementOptions options = key.beside->options();
                    if (options.mechanism != key.mechanism) {
                        options.mechanism = key.mechanism;
                        ASSIGN_OR_RETURN(measured, calibration::measure(*key.space, options, job));
                    }
                    return Pinned{measured, drawCurve(*measured, job)};
                },
                .isQuick =
                    [](const PinKey& key) {
                        return key.beside->options().mechanism == key.mechanism &&
                               key.beside->isInSteps();
                    }}) {
    connect(&m_measurement, &CurrentMeasurement::changed, this, &DialModel::compose);
    connect(&m_search, &EpsilonSearch::changed, this, &DialModel::compose);
    connect(&m_guarantee, &GuaranteeModel::promiseChanged, this, &DialModel::compose);
    connect(&m_curve, &QueryBase::changed, this, &DialModel::compose);
    connect(&m_pinned, &QueryBase::changed, this, &DialModel::compose);
    m_state.onChange(&AnalysisSettings::epsilonScale, this, &DialModel::compose);
    m_state.onChange(&AnalysisSettings::pin, this, &DialModel::compose);
    connect(&m_guarantee, &GuaranteeModel::changed, this, &DialModel::read);
    connect(&m_search.state(), &LimitVerdicts::statusChanged, this, &DialModel::read);
    m_state.onChange(&AnalysisSettings::epsilon, this, &DialModel::read);
    compose();
}

QString DialModel::measureText() const {
    if (m_measurement.wasCancelled()) {
        return tr("Measure %1").arg(m_measurement.wordsText());
    }
    return m_ownText && !m_ownText->measurement
               ? tr("Measure %1 words of %2").arg(counted(m_ownText->tokens), m_ownText->file)
               : QString();
}

void DialModel::measure() {
    if (m_measurement.wasCancelled()) {
        m_measurement.measure();
    } else {
        Q_EMIT ownTextRequested();
    }
}

void DialModel::compose() {
    m_picture = {};
    composeAxis();
    composeShares();
    m_pinned.update();
    if (const auto& pin = m_state.pin()) {
        const bool sharesUnit = pin->mechanism.sharesUnitWith(m_state.mechanism());
        const Pinned* pinned = m_pinned.current();
        m_picture.pin =
            DialPin{pin->epsilon, sharesUnit ? tr("pinned A") : tr("pinned A, ε in its own unit"),
                    pinned != nullptr ? pinned->shares : DialShares{}};
    }
    if (const calibration::LimitSpans* spans = m_search.spans()) {
        m_picture.outside = spans->outside;
        m_picture.largestWithin = spans->largest.epsilon;
    }
    composePromise();
    Q_EMIT pictureChanged();
    read();
}

void DialModel::composeAxis() {
    ValueScale& axis = m_picture.axis;
    axis.digits = kAxisDigits;
    axis.origin = m_state.epsilonBound();
    const auto& measured = m_measurement.result();
    if (measured && measured->origin() == axis.origin) {
        axis.low = measured->shown().low;
        axis.high = measured->shown().high;
    } else {
        const double above = m_state.epsilonScale().suggested - axis.origin;
        axis.low = axis.origin + above / kUnmeasuredSpan;
        axis.high = axis.origin + above * kUnmeasuredSpan;
    }
    const mechanism::PromiseReach first = m_guarantee.reach(kFirstFactor);
    if (first.epsilon && *first.epsilon > axis.origin) {
        axis.low = std::min(axis.low, *first.epsilon);
    }
}

calibration::MeasurementHandle DialModel::shownMeasurement() const {
    return showsOwnText() ? m_ownText->measurement : m_measurement.result();
}

void DialModel::composeShares() {
    m_curve.update();
    const auto& measured = shownMeasurement();
    if (!measured) {
        m_picture.note = !m_measurement.problem().isEmpty() ? m_measurement.problem()
                         : m_measurement.wasCancelled()     ? tr("Not measured")
                                                            : tr("Measuring…");
        return;
    }
    if (const DialShares* drawn = m_curve.last()) {
        m_picture.shares = *drawn;
    }
    m_picture.isOutdated =
        m_curve.current() == nullptr || (!showsOwnText() && !m_measurement.isCurrent());
    for (std::size_t word = 0; word < measured->words().size(); ++word) {
        m_picture.halfKept.push_back(measured->halfKept(word));
    }
    if (!measured->sharesMove()) {
        m_picture.note =
            tr("ε changes nothing here: the noise never reaches another word, or "
               "always does");
    }
}

void DialModel::composePromise() {
    const QString first = m_guarantee.firstWord();
    if (first.isEmpty()) {
        return;
    }
    m_picture.promiseTitle = tr("Promised: “%1” against “%2”, odds change by at most")
                                 .arg(first, m_guarantee.secondWord());
    for (const double factor : kFactors) {
        const mechanism::PromiseReach reach = m_guarantee.reach(factor);
        if (reach.epsilon && std::isfinite(*reach.epsilon)) {
            m_picture.marks.push_back({*reach.epsilon, tr("×%1").arg(factorName(factor))});
        }
    }
    const mechanism::PromiseReach last = m_guarantee.reach(kFactors.back());
    if (!last.epsilon || std::isfinite(*last.epsilon)) {
        m_picture.unboundedFrom = last.epsilon.value_or(m_picture.axis.origin);
        m_picture.unboundedText = tr("no useful bound");
    } else if (const auto most = m_guarantee.lossAt(m_picture.axis.high)) {
        m_picture.unboundedText =
            tr("never more than ×%1").arg(toQString(report::factorAtMost(std::exp(*most))));
    }
}

void DialModel::read() {
    m_reading = {};
    const auto loss = m_guarantee.lossAt(m_state.epsilon());
    m_reading.promise = loss ? promiseText(*loss, m_guarantee.distance(), m_guarantee.firstWord(),
                                           m_guarantee.secondWord())
                             : m_guarantee.problem();
    if (loss && m_typedOccurrences > 1) {
        const double all = m_typedOccurrences * *loss;
        m_reading.promise +=
            tr("<br>Against a text that differs so in all %1 words: %2.")
                .arg(counted(m_typedOccurrences),
                     isUseful(all)
                         ? tr("at most %1").arg(toQString(report::oddsAtMost(all)))
                         : tr("no useful bound (%1)").arg(toQString(report::powerOfTen(all))));
    }
    m_reading.limits = limitsSentence();
    m_reading.attacker = m_attacker;
    m_reading.pinned = pinnedSentence();
    const QString promise = loss ? shortPromise(*loss) : m_guarantee.problem();
    if (showsOwnText() || m_measurement.isCurrent()) {
        readShares(
            promise,
            loss ? tr("Promised to %1, per word: %2.").arg(toQString(report::kPromisedTo), promise)
                 : promise);
    } else {
        m_reading.survive = m_measurement.wasCancelled() ? tr("Not measured") : tr("Measuring…");
        m_reading.line = m_reading.spoken = tr("%1, %2").arg(m_reading.survive, promise);
    }
    Q_EMIT readingChanged();
}

report::Hundredths DialModel::countsAt(const calibration::MeasurementHandle& measured) const {
    const calibration::OutputShares shares = measured->sharesAt(m_state.epsilon());
    return report::hundredthsOf(shares.kept, shares.near, shares.far);
}

void DialModel::readShares(const QString& promise, const QString& promiseTo) {
    const report::Hundredths counts = countsAt(shownMeasurement());
    const QString link = QStringLiteral(" <a href=\"other\">%1</a>");
    if (showsOwnText()) {
        m_reading.survive =
            tr("%1 of 100 words of %2 survive").arg(counts.kept).arg(m_ownText->file);
        m_reading.replaced = tr("%1 become a near word, %2 a far one; measured on %3 known words")
                                 .arg(counts.near)
                                 .arg(counts.far)
                                 .arg(counted(m_ownText->tokens));
        if (m_measurement.isCurrent()) {
            m_reading.other = tr("Of the vocabulary, each word once, %1 survive.")
                                  .arg(countsAt(m_measurement.result()).kept) +
                              link.arg(tr("Show the vocabulary"));
        }
    } else {
        m_reading.survive = tr("%1 of 100 words of the vocabulary survive").arg(counts.kept);
        m_reading.replaced = tr("%1 become a near word, %2 a far one; each word counts once")
                                 .arg(counts.near)
                                 .arg(counts.far);
        if (hasOwnText()) {
            const int own = countsAt(m_ownText->measurement).kept;
            const QString said =
                tr("Of %1 %2 of 100 words survive.").arg(m_ownText->file.toHtmlEscaped()).arg(own);
            m_reading.other =
                (std::abs(own - counts.kept) >= kNotable ? QStringLiteral("<b>⚠ %1</b>").arg(said)
                                                         : said) +
                link.arg(tr("Show these texts"));
        }
    }
    m_reading.spoken = tr("%1, %2").arg(m_reading.survive, promise);
    m_reading.line = tr("<b>%1</b>; %2 near, %3 far.<br>%4")
                         .arg(m_reading.survive.toHtmlEscaped())
                         .arg(counts.near)
                         .arg(counts.far)
                         .arg(promiseTo);
}

void DialModel::setAttacker(const QString& sentence) {
    if (sentence != m_attacker) {
        m_attacker = sentence;
        read();
    }
}

void DialModel::setTyped(std::vector<Word> words, int occurrences) {
    m_typed = std::move(words);
    m_typedOccurrences = occurrences;
    // Embeddings begin with frequent words.
    std::ranges::sort(m_typed, std::greater{}, &Word::row);
    read();
}

GuaranteeModel::Pairs DialModel::offeredPairs() const {
    constexpr std::size_t kRare = 3;
    GuaranteeModel::Pairs pairs = m_guarantee.nearPairs();
    for (std::size_t other = 1; other < std::min(kRare, m_typed.size()); ++other) {
        pairs.push_back({m_typed.front(), m_typed[other]});
    }
    if (const auto& embedding = m_state.embedding()) {
        for (const auto& [first, second] : exampleWords(embedding->vocabulary())) {
            pairs.push_back({Word(embedding, first), Word(embedding, second)});
        }
    }
    return pairs;
}

void DialModel::setOwnText(std::optional<MeasuredText> text) {
    // While nothing is measured this is told at every change.
    if (text || m_ownText) {
        m_ownText = std::move(text);
        compose();
    }
}

void DialModel::showOwnText(bool isShown) {
    m_isOwnTextWanted = isShown;
    compose();
}

QString DialModel::pinnedSentence() const {
    const auto& pin = m_state.pin();
    if (!pin) {
        return {};
    }
    const QString epsilon = epsilonText(pin->epsilon);
    const Pinned* pinned = m_pinned.current();
    if (pinned == nullptr) {
        return tr("Grey, the pinned setting A: ε %1, not measured").arg(epsilon);
    }
    const calibration::OutputShares shares = pinned->measured->sharesAt(pin->epsilon);
    return tr("Grey and dashed, the pinned setting A: ε %1, %2 of 100 words survive")
        .arg(epsilon)
        .arg(report::hundredthsOf(shares.kept, shares.near, shares.far).kept);
}

QString DialModel::limitsSentence() const {
    const QString text = limitStatusText(m_search.state().status());
    return text.isEmpty()
               ? text
               : tr("%1 (%2)").arg(text, m_state.settings().figureLimits.empty()
                                             ? tr("on words of the vocabulary")
                                         : m_state.limits().empty()
                                             ? tr("on your texts: see Texts")
                                             : tr("on words and on your texts: see Texts"));
}

}  // namespace epsilens::ui
