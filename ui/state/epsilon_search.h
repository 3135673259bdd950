#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/calibration/limits.h"
#include "core/calibration/measurement.h"
#include "core/document/report_document.h"
#include "ui/state/query.h"

namespace epsilens::ui {

struct AnalysisSettings;
class AnalysisState;
class CurrentMeasurement;

/// "Limits: 1 of 2 not met ✗"; empty without limits.
[[nodiscard]] QString limitStatusText(const document::LimitCounts& counts);

/// Which limits, on words and on texts, the current setting is known to meet or to miss.
class LimitVerdicts : public QObject {
    Q_OBJECT

public:
    explicit LimitVerdicts(const AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] const document::LimitCounts& status() const { return m_status; }
    void setChecks(const std::vector<calibration::LimitCheck>& checks);
    void setOnTexts(std::vector<document::FigureFinding> findings);
    /// "✓ an attacker guesses at most 5 of 100 words: yes, 4.2 (3.9 to 4.5)": what is known.
    [[nodiscard]] QStringList lines() const;

Q_SIGNALS:
    void statusChanged();
    void checksChanged();

private:
    void refresh();

    const AnalysisState& m_state;
    std::vector<calibration::LimitCheck> m_checks{};
    std::vector<document::FigureFinding> m_onTexts{};
    document::LimitCounts m_status{};
};

/// Options of the present setting alone: its lambda, or radius, and no epsilon.
[[nodiscard]] calibration::CalibrationOptions presentSetting(const AnalysisState& state);

/// Holds the limits against the measurement of the current setting, and finds the largest epsilon
/// within them.
class EpsilonSearch : public QObject {
    Q_OBJECT

public:
    EpsilonSearch(AnalysisState& state, LimitVerdicts& limits, CurrentMeasurement& measurement,
                  QObject* parent = nullptr);

    [[nodiscard]] const LimitVerdicts& state() const { return m_limits; }
    /// Where the limits are met in the current setting; null until that is known.
    [[nodiscard]] const calibration::LimitSpans* spans() const { return m_spans.current(); }
    /// Sets epsilon to the largest one within the limits, as soon as it is known, or says which one
    /// fails, or that there is none.
    void findEpsilon();
    [[nodiscard]] bool isSearching() const { return m_findsOnceKnown; }
    [[nodiscard]] QString obstacle() const;
    /// What was found last, or which limit fails and by how much, while it holds.
    [[nodiscard]] const QString& message() const { return m_message; }
    [[nodiscard]] bool isFailure() const { return m_isFailure; }

Q_SIGNALS:
    void changed();
    /// Some limits are on texts: only a search on these keeps to all of them.
    void searchOnTextsRequested();

private:
    void updateForSettings(const AnalysisSettings& before, const AnalysisSettings& now);
    void restart();
    void updateForMeasurement();
    void checkLimits();
    void useSpans();
    [[nodiscard]] double roundedDown(double epsilon) const;
    [[nodiscard]] QString originText(bool isBound) const;
    void setEpsilon(double epsilon, const std::optional<calibration::LimitCheck>& binding);
    void setMessage(const QString& message, bool isFailure);

    AnalysisState& m_state;
    LimitVerdicts& m_limits;
    CurrentMeasurement& m_measurement;
    calibration::MeasurementHandle m_followed;  ///< what is said is of its words
    QString m_message;
    bool m_isFailure = false;
    bool m_isSettingEpsilon = false;
    bool m_findsOnceKnown = false;  ///< where the limits are met is being looked for
    using Asked = std::pair<calibration::MeasurementHandle, std::vector<calibration::Limit>>;
    Query<Asked, calibration::LimitSpans> m_spans;
};

}  // namespace epsilens::ui
