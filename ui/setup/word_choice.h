#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QWidget>

#include "core/calibration/options.h"
#include "core/calibration/provenance.h"
#include "core/embedding/prepared_embedding.h"
#include "core/text/letter_case.h"
#include "ui/state/job_runner.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace epsilens::ui {

struct AnalysisSettings;
class AnalysisState;
class JobBoard;
class NumberField;
class SessionResults;
template <typename Value>
class ChoiceList;

/// Where the words come from that statistics are taken over.
enum class WordOrigin { random, all, list, dataSet, sparsest, densest };

/// Words of the vocabulary that a file holds.
struct WordsOfFile {
    QString file{};
    std::vector<calibration::Row> rows{};   ///< rising, each once
    std::int64_t words = 0;                 ///< of the file: lines of a list, tokens of a data set
    std::int64_t unknown = 0;               ///< of them
    std::optional<std::int64_t> records{};  ///< of a data set
    std::string column{};                   ///< of a data set
    text::CasePolicy letterCase = text::CasePolicy::automatic;  ///< of a data set
};

/// Chooses the words that statistics are taken over: random ones, all, those of a list or of a data
/// set, or those at the ends of the density of the vocabulary.
class WordChoice : public QWidget {
    Q_OBJECT

public:
    /// state, results  must outlive this widget
    WordChoice(AnalysisState& state, SessionResults& results, JobBoard& jobs,
               QWidget* parent = nullptr);

private:
    void buildRows();
    void connectRows();
    void forget();
    void followEmbedding();
    void follow(const AnalysisSettings& before, const AnalysisSettings& now);
    [[nodiscard]] std::int64_t randomCount() const;
    void chooseOrigin();
    void chooseFile();
    void readFile();
    void takeFile(Result<WordsOfFile> words);
    void applyCount();
    void drawWords();
    void applyWordsOfFile();
    void applyExtremes();
    [[nodiscard]] calibration::SelectionDescription sourceOf(const WordsOfFile& words) const;
    void showWords();
    void showControls();
    void refuseFile(const QString& problem);
    void showHint(const QString& problem = {});
    [[nodiscard]] QString hint() const;

    AnalysisState& m_state;
    SessionResults& m_results;
    ChoiceList<WordOrigin>* m_origin;
    NumberField* m_count;
    QLineEdit* m_column;
    QLabel* m_columnLabel = nullptr;
    QPushButton* m_fileButton;
    QWidget* m_density;  ///< around a button that shows and hides itself
    QLabel* m_hint;
    WordOrigin m_chosen = WordOrigin::random;
    QString m_path;  ///< of the list or data set
    text::CasePolicy m_readWithCase = text::CasePolicy::automatic;
    std::optional<WordsOfFile> m_file;
    std::vector<calibration::Row> m_rows;  ///< set by this choice; others come from elsewhere
    JobRunner<WordsOfFile> m_reader;
};

}  // namespace epsilens::ui
