#pragma once

#include <optional>

#include <QString>

#include "ui/state/query.h"
#include "ui/state/quick_measurement.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/panel.h"
#include "ui/words/word_rows.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace epsilens::ui {

class AnalysisState;
class QuickMeasurement;

/// The Words tab: the words of the current measurement one by one at the epsilon of the dial, to
/// sort, filter, search and write out. Whatever touches every word runs in the background.
class WordsPanel : public Panel {
    Q_OBJECT

public:
    WordsPanel(AnalysisState& state, SessionResults& results, QuickMeasurement& measurement,
               QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Words"); }
    [[nodiscard]] QWidget* firstControl() const override;
    /// The analyst's own texts, whose words a preset shows.
    ///
    /// measured  nothing while the present setting is not measured on them
    /// exist     whether there are such texts; where there are none, all words are shown
    void setOwnTexts(std::optional<MeasuredText> measured, bool exist);
    [[nodiscard]] JobRunnerBase* exporter() { return &m_writer; }

Q_SIGNALS:
    void wordActivated(const epsilens::ui::Word& word);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Key {
        calibration::MeasurementHandle measured{};
        embedding::EmbeddingHandle embedding{};
        double epsilon = 0.0;
        VocabularyDensityHandle density{};
        WordQuery query{};

        [[nodiscard]] bool operator==(const Key&) const = default;
    };
    using Order = std::shared_ptr<const std::vector<std::uint32_t>>;
    struct Arrangement {
        WordRows rows{};
        Order order{};
        KeptCounts kept{};
    };
    struct Written {
        QByteArray text{};  ///< for the clipboard, where there is no path
        int words = 0;
        QString path{};
    };
    class Table;
    class Histogram;

    [[nodiscard]] QWidget* buildEmptyState();
    [[nodiscard]] QWidget* buildContent();
    [[nodiscard]] QHBoxLayout* buildSearch(QWidget* parent);
    [[nodiscard]] QHBoxLayout* buildFooter(QWidget* parent);
    void buildTable(QWidget* parent);
    void fitColumns();
    void placeHistogram();
    void connectState();
    [[nodiscard]] std::optional<Key> key() const;
    [[nodiscard]] static Result<Arrangement> arrange(const Key& key, const JobContext& job);
    [[nodiscard]] calibration::MeasurementHandle measured() const;
    [[nodiscard]] bool hasWords() const;
    /// Whether the words are of the present setting; those of another one stay until it is
    /// measured.
    [[nodiscard]] bool isCurrent() const;
    [[nodiscard]] std::optional<Word> filteredWord() const;
    void showArrangement();
    void refresh();
    void choosePreset(WordPreset preset);
    void showFilterAnswer();
    void takeFilter();
    void write(const Order& order, const QString& path);
    void takeWritten(const Result<Written>& written);
    /// Selects the row of the word that is selected anywhere in the window, where the table has it,
    /// and brings it into sight once: later the view stays where its user scrolls it.
    void showSelectedWord();
    void copy();
    void chooseFileAndExport();

    AnalysisState& m_state;
    SessionResults& m_results;
    QuickMeasurement& m_measurement;
    std::optional<MeasuredText> m_ownTexts;
    WordQuery m_query;
    Table* m_table;
    NoticeLine* m_notice;
    QStackedWidget* m_pages;
    QLabel* m_emptyText = nullptr;
    QPushButton* m_measure = nullptr;
    QComboBox* m_preset = nullptr;
    QLineEdit* m_filter = nullptr;
    QLabel* m_problem = nullptr;
    QString m_refusal;  ///< of the filter as typed; empty if it is in force
    QTableView* m_view = nullptr;
    bool m_isToShow = true;  ///< the selected word has not been brought into sight
    Histogram* m_histogram = nullptr;
    QLabel* m_status = nullptr;
    QPushButton* m_copy = nullptr;
    QPushButton* m_export = nullptr;
    Query<Key, Arrangement> m_arranged;
    JobRunner<Written> m_writer;
};

}  // namespace epsilens::ui
