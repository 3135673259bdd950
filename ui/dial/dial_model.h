#pragma once

#include <optional>

#include <QObject>
#include <QString>

#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"
#include "core/report/memo_words.h"
#include "ui/dial/dial_view.h"
#include "ui/state/current_measurement.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/query.h"

namespace epsilens::ui {

class AnalysisState;
class EpsilonSearch;

/// What is promised of two words, as rich text, without a useful bound with a link that asks why.
///
/// loss      largest log ratio that is possible
/// distance  of the two in the metric of the guarantee
[[nodiscard]] QString promiseText(double loss, double distance, const QString& first,
                                  const QString& second);

[[nodiscard]] QString shortPromise(double loss);

/// What the dial says of one epsilon.
struct DialReading {
    QString survive{};   ///< "53 of 100 words survive", of the analyst's own texts where shown
    QString replaced{};  ///< "11 become a near word, 36 a far one", and what counts as a word
    QString promise{};   ///< one sentence, rich text
    QString other{};     ///< rich text: what the dial does not show of own texts and vocabulary
    QString attacker{};  ///< what an attacker still guesses; empty where it is not measured
    QString limits{};    ///< empty without limits
    QString line{};      ///< all of it in one line
    QString pinned{};    ///< what the pinned setting does at its own epsilon; empty without one
    QString spoken{};    ///< for screen readers, beside epsilon itself
};

/// What the dial shows and says of the current setting, without any widget: shares kept, near and
/// far at every epsilon, the promise for two words, the limits, and the pinned setting.
class DialModel : public QObject {
    Q_OBJECT

public:
    DialModel(AnalysisState& state, GuaranteeModel& guarantee, EpsilonSearch& search,
              CurrentMeasurement& measurement, QObject* parent = nullptr);

    [[nodiscard]] AnalysisState& state() { return m_state; }
    [[nodiscard]] GuaranteeModel& guarantee() { return m_guarantee; }
    [[nodiscard]] EpsilonSearch& search() { return m_search; }
    [[nodiscard]] const DialPicture& picture() const { return m_picture; }
    [[nodiscard]] const DialReading& reading() const { return m_reading; }
    void setAttacker(const QString& sentence);
    /// The words typed in Choose, each once, and how many there are in all.
    void setTyped(std::vector<Word> words, int occurrences);
    /// Of the word that is selected with those near it, of the text's rarest words, well-known
    /// ones.
    [[nodiscard]] GuaranteeModel::Pairs offeredPairs() const;
    /// Where they are measured or have to be asked for. The dial shows their words then.
    void setOwnText(std::optional<MeasuredText> text);
    void showOwnText(bool isShown);
    [[nodiscard]] bool showsOwnText() const { return hasOwnText() && m_isOwnTextWanted; }
    [[nodiscard]] bool isOwnTextWanted() const { return m_isOwnTextWanted; }
    /// "Measure 200 words", of the vocabulary first, then of own texts; empty unless it was
    /// cancelled.
    [[nodiscard]] QString measureText() const;
    void measure();

Q_SIGNALS:
    void ownTextRequested();
    void pictureChanged();
    void readingChanged();

private:
    struct PinKey {
        calibration::MeasurementHandle beside{};
        engine::SearchSpaceHandle space{};
        mechanism::Mechanism mechanism{};

        [[nodiscard]] bool operator==(const PinKey&) const = default;
    };
    struct Pinned {
        calibration::MeasurementHandle measured{};
        DialShares shares{};
    };

    [[nodiscard]] bool hasOwnText() const { return m_ownText && m_ownText->measurement; }
    void compose();
    void composeShares();
    void composeAxis();
    void composePromise();
    void read();
    void readShares(const QString& promise, const QString& promiseTo);
    [[nodiscard]] report::Hundredths countsAt(const calibration::MeasurementHandle& measured) const;
    [[nodiscard]] calibration::MeasurementHandle shownMeasurement() const;
    [[nodiscard]] QString limitsSentence() const;
    [[nodiscard]] QString pinnedSentence() const;

    AnalysisState& m_state;
    GuaranteeModel& m_guarantee;
    EpsilonSearch& m_search;
    CurrentMeasurement& m_measurement;
    DialPicture m_picture;
    DialReading m_reading;
    QString m_attacker;
    std::vector<Word> m_typed;  ///< rarest first
    int m_typedOccurrences = 0;
    std::optional<MeasuredText> m_ownText;
    bool m_isOwnTextWanted = true;
    Query<calibration::MeasurementHandle, DialShares> m_curve;
    Query<PinKey, Pinned> m_pinned;
};

}  // namespace epsilens::ui
