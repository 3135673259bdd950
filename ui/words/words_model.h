#pragma once

#include <optional>

#include <QList>
#include <QObject>
#include <QString>

#include "ui/state/analysis_state.h"
#include "ui/state/measured_text.h"
#include "ui/state/session_results.h"
#include "ui/words/words_table.h"

namespace epsilens::ui {

class QuickMeasurement;

/// What is said of a word that the table lacks.
///
/// similar  as of WordsModel::notFound
[[nodiscard]] QString notFoundText(const QString& text, const QStringList& similar);

/// What the Words tab does, without a window: the words of the current measurement at the present
/// epsilon, which of them in which order, finding one, and writing them out. Whatever touches every
/// word runs in the background.
class WordsModel : public QObject {
    Q_OBJECT

public:
    WordsModel(AnalysisState& state, SessionResults& results, QuickMeasurement& measurement,
               QObject* parent = nullptr);

    [[nodiscard]] SessionResults& results() { return m_results; }
    [[nodiscard]] WordsTable& table() { return m_table; }
    [[nodiscard]] QuickMeasurement& measurement() { return m_measurement; }
    [[nodiscard]] bool hasWords() const;
    /// Whether the words are of the present setting; those of another one stay until it is
    /// measured.
    [[nodiscard]] bool isCurrent() const;

    /// Takes over a filter as typed. Returns why it is refused, empty if it is not.
    QString setFilterText(const QString& text);
    [[nodiscard]] WordPreset preset() const { return m_query.preset; }
    /// The analyst's own texts, whose words WordPreset::ownTexts shows.
    ///
    /// measured  nothing while the present setting is not measured on them
    /// exist     whether there are such texts; where there are none, all words are shown
    void setOwnTexts(std::optional<MeasuredText> measured, bool exist);
    [[nodiscard]] bool hasOwnTexts() const { return m_hasOwnTexts; }
    /// Sparsest and densest words wait for the density profile; see needsDensity().
    void setPreset(WordPreset preset);
    /// The preset chosen needs the density profile, which has not been computed.
    [[nodiscard]] bool needsDensity() const;
    /// How often all the words measured are kept at the epsilon of the table.
    [[nodiscard]] const KeptCounts& keptCounts() const { return m_keptCounts; }
    void setSorting(WordColumn column, bool descending);
    [[nodiscard]] WordColumn sortedBy() const { return m_query.sortedBy; }
    [[nodiscard]] bool isDescending() const { return m_query.descending; }

    /// Filtering or sorting is going on; the table shows what it showed before.
    [[nodiscard]] bool isArranging() const { return m_arranger.isRunning(); }
    /// "312 of 500 words · ε 10, λ 0.5 · R = 100 draws, seed 1".
    [[nodiscard]] QString statusText() const;

    /// Why the table is empty though words have been measured; empty if it is not.
    [[nodiscard]] QString emptyText() const;
    /// A word of the embedding that the filter names and the table lacks.
    [[nodiscard]] std::optional<Word> filteredWord() const;

    /// Looks for a word among those shown; found() or notFound() follows.
    ///
    /// from   row of the table to start at, looked at first
    /// exact  as of findWord
    void find(const QString& text, int from, bool backwards, bool exact);
    /// The rows given, or all shown, as comma-separated values; csvReady() follows.
    void makeCsv(const QList<int>& tableRows);
    /// All words shown into a file, which appears only when it is whole; exported() or failed()
    /// follows.
    void exportCsv(const QString& path);
    [[nodiscard]] JobRunnerBase& exporter() { return m_exporter; }

Q_SIGNALS:
    /// Another measurement, or none, or the one there is became one of another setting.
    void measurementChanged();
    void arrangingChanged();
    /// The table shows other words or another order.
    void arranged();
    void densityNeedChanged();
    void ownTextsChanged();
    void found(int tableRow);
    /// similar  words of the embedding spelt alike; only the text itself when that is one of them
    void notFound(const QString& text, const QStringList& similar);
    void csvReady(const QByteArray& csv, int words);
    void exported(const QString& path, int words);
    void failed(const epsilens::Error& error);

private:
    struct Found {
        std::optional<std::size_t> tableRow;
        QStringList similar;
    };

    struct Arrangement {
        WordRows rows{};
        WordOrder order{};
        KeptCounts kept{};
    };

    void drop();
    void followMeasurement();
    /// The measurement whose words the preset shows; null before the first.
    [[nodiscard]] calibration::MeasurementHandle wanted() const;
    void rearrange();

    AnalysisState& m_state;
    SessionResults& m_results;
    QuickMeasurement& m_measurement;
    calibration::MeasurementHandle m_measured;  ///< whose words are shown or being arranged
    std::optional<MeasuredText> m_ownTexts;
    bool m_hasOwnTexts = false;
    WordQuery m_query;
    WordsTable m_table;
    KeptCounts m_keptCounts{};
    QString m_wanted;
    JobRunner<Arrangement> m_arranger;
    JobRunner<Found> m_finder;
    JobRunner<std::pair<QByteArray, int>> m_csvMaker;
    JobRunner<std::pair<QString, int>> m_exporter;
};

}  // namespace epsilens::ui
