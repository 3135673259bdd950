#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "core/calibration/measurement.h"
#include "ui/state/query.h"

namespace epsilens::ui {

struct AnalysisSettings;
class AnalysisState;
class LimitState;
class QuickMeasurement;

/// "your limit", "both limits", "all 3 limits".
[[nodiscard]] QString limitsTitle(int count);

/// Options of the present setting alone: its lambda, or radius, and no epsilon.
[[nodiscard]] calibration::CalibrationOptions presentSetting(const AnalysisState& state);

/// Holds the limits against the measurement of the current setting: where they are met, whether
/// they are at the present epsilon, and the largest epsilon within them.
class LimitsModel : public QObject {
    Q_OBJECT

public:
    LimitsModel(AnalysisState& state, LimitState& limits, QuickMeasurement& measurement,
                QObject* parent = nullptr);

    /// Where the limits are met in the current setting; null until that is known.
    [[nodiscard]] const calibration::LimitSpans* spans() const { return m_spans.current(); }
    /// Sets epsilon to the largest one within the limits, rounded down to four digits, or says
    /// which limit fails, or that there is none yet; as soon as that is known.
    void findEpsilon();
    [[nodiscard]] bool isSearching() const { return m_findsOnceKnown; }
    /// Why epsilon cannot be found now; empty if it can.
    [[nodiscard]] QString obstacle() const;
    /// What was found last, or which limit fails and by how much; empty before, and when it no
    /// longer holds.
    [[nodiscard]] const QString& message() const { return m_message; }
    [[nodiscard]] bool isFailure() const { return m_isFailure; }

Q_SIGNALS:
    void changed();
    /// Some limits are on texts: only a search on these keeps to all of them.
    void searchOnTextsRequested();

private:
    void follow(const AnalysisSettings& before, const AnalysisSettings& now);
    void restart();
    void followMeasurement();
    void judge();
    void takeSpans();
    [[nodiscard]] double roundedDown(double epsilon) const;
    [[nodiscard]] QString originText(bool isBound) const;
    void use(double epsilon, const std::optional<calibration::LimitCheck>& binding);
    void say(const QString& message, bool isFailure);

    AnalysisState& m_state;
    LimitState& m_limits;
    QuickMeasurement& m_measurement;
    calibration::MeasurementHandle m_followed;  ///< what is said is of its words
    QString m_message;
    bool m_isFailure = false;
    bool m_isSettingEpsilon = false;
    bool m_findsOnceKnown = false;  ///< where the limits are met is being looked for
    using Asked = std::pair<calibration::MeasurementHandle, std::vector<calibration::Limit>>;
    Query<Asked, calibration::LimitSpans> m_spans;
};

}  // namespace epsilens::ui
