#include "ui/setup/setup_panel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <QtWidgets>

#include "core/base/error.h"
#include "core/calibration/options.h"
#include "core/calibration/provenance.h"
#include "core/embedding/load.h"
#include "core/engine/word_sample.h"
#include "core/text/data_set.h"
#include "ui/state/controls.h"
#include "ui/state/job_runner.h"
#include "ui/state/session_results.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using calibration::Row;
using calibration::WordSelection;

enum class WordOrigin { random, all, list, dataSet, sparsest, densest };

struct WordsOfFile {
    std::vector<Row> rows{};   ///< rising, each once
    std::int64_t words = 0;    ///< of the file: lines of a list, tokens of a data set
    std::int64_t unknown = 0;  ///< of them
    calibration::SelectionDescription source{};  ///< without the number that is drawn
};

constexpr double kFewestWords = 10.0;
constexpr double kExtremeWords = 50.0;

bool isExtreme(WordOrigin origin) {
    return origin == WordOrigin::sparsest || origin == WordOrigin::densest;
}

bool isFile(WordOrigin origin) {
    return origin == WordOrigin::list || origin == WordOrigin::dataSet;
}

Result<WordsOfFile> wordsOfList(const std::string& path,
                                const embedding::EmbeddingHandle& embedding,
                                const JobContext& job) {
    ASSIGN_OR_RETURN(auto list,
                     embedding::findListedWords(path, embedding->vocabulary(), job.stop));
    std::ranges::sort(list.rows);
    const auto known = static_cast<std::int64_t>(list.rows.size());
    return WordsOfFile{std::move(list.rows), list.words, list.words - known, {}};
}

Result<WordsOfFile> wordsOfData(const io::RecordOptions& options, text::CasePolicy letterCase,
                                const embedding::EmbeddingHandle& embedding,
                                const JobContext& job) {
    const embedding::Vocabulary& vocabulary = embedding->vocabulary();
    const text::Lookup lookup(vocabulary, text::decideCasePolicy(letterCase, vocabulary));
    ASSIGN_OR_RETURN(const auto data, text::readDataSet(options, lookup, 0, job));
    return WordsOfFile{
        data.words(),
        data.tokens(),
        data.unknownTokens(),
        {{}, {}, data.column, data.records(), io::RecordFormat::automatic, letterCase}};
}

class WordChoice : public QWidget {
public:
    WordChoice(AnalysisState& state, SessionResults& results, JobBoard& jobs, QWidget* parent)
        : QWidget(parent),
          m_state(state),
          m_results(results),
          m_origin(new ChoiceList<WordOrigin>("wordsComboBox", tr("Words"),
                                              tr("Words the statistics are taken over."),
                                              {{WordOrigin::random, tr("Random")},
                                               {WordOrigin::all, tr("All words")},
                                               {WordOrigin::list, tr("A list")},
                                               {WordOrigin::dataSet, tr("A data set")},
                                               {WordOrigin::sparsest, tr("Sparsest")},
                                               {WordOrigin::densest, tr("Densest")}},
                                              this)),
          m_count(
              described(new NumberField(
                            {kFewestWords, kFewestWords, false, true, tr("number of words")}, this),
                        "wordCountField", tr("Number of words"), tr("How many of these words."))),
          m_column(
              described(new QLineEdit(this), "wordsColumnLineEdit", tr("Column of the data set"),
                        tr("The name in the first line, or the number, of the column that holds "
                           "the text; leave it empty if there is only one."))),
          m_fileButton(described(
              new QPushButton(tr("Choose &file…"), this), "wordsFileButton",
              tr("Choose the file with the words"),
              tr("One word per line, or texts whose words are measured; plain or compressed."))),
          m_hint(wrapped(hintLabel({}, this), "wordsHintLabel")),
          m_reader(tr("Reading the words"),
                   [this](Result<WordsOfFile> words) { takeFile(std::move(words)); }) {
        jobs.watch(&m_reader);
        buildRows();
        connectRows();
        followEmbedding();
    }

private:
    void buildRows() {
        keepFieldWidth(m_count);
        m_column->setPlaceholderText(tr("the only one"));
        auto* grid = new QGridLayout(this);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(kRowSpacing);
        grid->setVerticalSpacing(kRowSpacing);
        addLabelledRow(*grid, tr("Words"), m_origin);
        grid->addWidget(m_count, 1, 2);
        grid->addWidget(m_fileButton, 2, 1, 1, 2);
        m_columnLabel = addLabelledRow(*grid, tr("Column"), m_column);
        grid->addWidget(m_hint, 4, 0, 1, 3);
    }
    void connectRows() {
        connect(m_origin, &QComboBox::currentIndexChanged, this, &WordChoice::chooseOrigin);
        connect(m_fileButton, &QPushButton::clicked, this, &WordChoice::chooseFile);
        connect(m_count, &NumberField::valueEdited, this, [this] {
            if (m_chosen == WordOrigin::random) {
                m_state.edit(&AnalysisSettings::words, {WordSelection::Kind::random, count(), {}});
            }
            applyRows();
        });
        connect(m_count, &NumberField::problemChanged, this, &WordChoice::showHint);
        connect(m_column, &QLineEdit::editingFinished, this, [this] {
            if (m_column->isModified()) {
                m_column->setModified(false);
                readFile();
            }
        });
        connect(&m_state, &AnalysisState::changed, this, &WordChoice::updateForSettings);
        connect(&m_state, &AnalysisState::embeddingReset, this, [this] {
            m_reader.drop();
            m_file.reset();
            m_rows.clear();
        });
        connect(&m_state, &AnalysisState::embeddingChanged, this, &WordChoice::followEmbedding);
        connect(&m_results, &SessionResults::densityChanged, this, [this] {
            if (isExtreme(m_chosen)) {
                applyRows();
            }
            showControls();
        });
        connect(&m_results, &SessionResults::densityFailed, this, [this] { showHint(); });
    }
    void followEmbedding() {
        const double most = shownCount(std::numeric_limits<int>::max());
        m_count->setLimits(
            {std::min(kFewestWords, most), most, false, true, tr("number of words")});
        setFieldProblem(*m_column, {});
        showWords();
    }
    void updateForSettings(const AnalysisSettings& before, const AnalysisSettings& now) {
        // Rows drawn with another seed are not those that the commands which name the seed choose.
        const bool isDrawnAnew =
            now.seed != before.seed && m_chosen == WordOrigin::dataSet && m_file.has_value();
        if (isDrawnAnew) {
            m_rows = rowsOfFile();
        }
        if (now.words != before.words) {
            showWords();
        } else if (isDrawnAnew) {
            applyRows();
        }
        if (m_chosen == WordOrigin::dataSet &&
            now.textPolicies.letterCase != before.textPolicies.letterCase) {
            readFile();
        }
    }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_count->value()); }
    /// Of an embedding with fewer words, all; the number wanted is kept for the next one.
    [[nodiscard]] double shownCount(double wanted) const {
        const auto& embedding = m_state.embedding();
        return embedding ? std::min(wanted, static_cast<double>(embedding->wordCount())) : wanted;
    }
    void chooseOrigin() {
        m_chosen = m_origin->value();
        m_reader.cancel();
        m_file.reset();
        setFieldProblem(*m_column, {});
        const std::int64_t wanted = m_state.words().count;
        if (m_chosen == WordOrigin::random) {
            m_state.edit(&AnalysisSettings::words, {WordSelection::Kind::random, wanted, {}});
            m_count->setValue(shownCount(static_cast<double>(wanted)));
        } else if (m_chosen == WordOrigin::all) {
            m_state.edit(&AnalysisSettings::words, {WordSelection::Kind::all, wanted, {}});
        } else if (isFile(m_chosen)) {
            m_path.clear();
        } else {
            m_count->setValue(shownCount(kExtremeWords));
            m_results.computeDensity();
            applyRows();
        }
        showControls();
    }
    void chooseFile() {
        const bool isList = m_chosen == WordOrigin::list;
        const QString path = dialogs::openFile(
            this,
            isList ? tr("List of words, one per line") : tr("Data set whose words are measured"),
            {tr("All files (*)"), tr("Texts (*.txt *.csv *.tsv)")});
        if (!path.isEmpty()) {
            m_path = path;
            m_column->clear();
            showControls();
            readFile();
        }
    }
    void readFile() {
        if (m_path.isEmpty() || !m_state.embedding()) {
            return;
        }
        showHint();
        // Until then the words are those of another column.
        setFieldProblem(*m_column, tr("the column is being read"));
        const io::RecordOptions options{toStdPath(m_path), toStd(m_column->text()),
                                        io::RecordFormat::automatic};
        m_reader.start([isList = m_chosen == WordOrigin::list, options,
                        embedding = m_state.embedding(),
                        letterCase = m_state.textPolicies().letterCase](const JobContext& job) {
            return isList ? wordsOfList(options.path, embedding, job)
                          : wordsOfData(options, letterCase, embedding, job);
        });
    }
    void takeFile(Result<WordsOfFile> words) {
        // Something else was chosen, or opened, in the meantime.
        if (!isFile(m_chosen) || m_path.isEmpty()) {
            return;
        }
        const QString name = QFileInfo(m_path).fileName();
        if (!words) {
            const bool isCancelled = words.error().code == ErrorCode::cancelled;
            refuseFile(isCancelled ? QString() : toQString(words.error().message));
        } else if (words->rows.empty()) {
            refuseFile(tr("%1: none of its %2 words is in the embedding")
                           .arg(name, counted(words->words)));
        } else {
            setFieldProblem(*m_column, {});
            m_file = std::move(*words);
            m_file->source.dataFile = toStd(name);
            applyRows();
            showControls();
        }
    }
    void refuseFile(const QString& problem) {
        setFieldProblem(*m_column, problem);
        showHint(problem);
    }
    [[nodiscard]] std::vector<Row> rowsOfFile() const {
        return m_chosen == WordOrigin::dataSet
                   ? engine::sampleWords(m_file->rows, count(), m_state.seed())
                   : m_file->rows;
    }
    void applyRows() {
        const VocabularyDensityHandle density = m_results.density();
        calibration::SelectionDescription source;
        if (isExtreme(m_chosen) && density) {
            const bool isSparse = m_chosen == WordOrigin::sparsest;
            std::vector<Row> all(static_cast<std::size_t>(m_state.embedding()->wordCount()));
            std::iota(all.begin(), all.end(), 0);
            m_rows = isSparse ? calibration::sparsestWords(density->profile, count(), all)
                              : calibration::densestWords(density->profile, count(), all);
            std::ranges::sort(m_rows);
            source.words = (isSparse ? "sparsest:" : "densest:") + std::to_string(count());
        } else if (isFile(m_chosen) && m_file) {
            m_rows = rowsOfFile();
            source = m_file->source;
            source.words = std::to_string(count());
            if (m_chosen == WordOrigin::list) {
                source = {"@" + source.dataFile, {}, {}, 0};
            }
        } else {
            return;
        }
        const WordSelection words{WordSelection::Kind::list, m_state.words().count, m_rows};
        m_state.edit([&](AnalysisSettings& settings) { settings.chooseWords(words, source); });
        showHint();
    }
    /// What another control set, such as undo, is shown as what it is.
    void showWords() {
        const WordSelection& words = m_state.words();
        if (words.kind == WordSelection::Kind::list) {
            const bool isOwn = words.rows == m_rows && !m_rows.empty();
            m_chosen =
                isOwn && (isFile(m_chosen) || isExtreme(m_chosen)) ? m_chosen : WordOrigin::list;
        } else {
            m_chosen =
                words.kind == WordSelection::Kind::all ? WordOrigin::all : WordOrigin::random;
            m_count->setValue(shownCount(static_cast<double>(words.count)));
        }
        m_origin->show(m_chosen);
        showControls();
    }
    void showControls() {
        m_count->setEnabled(m_chosen != WordOrigin::all && m_chosen != WordOrigin::list);
        const bool isData = m_chosen == WordOrigin::dataSet && !m_path.isEmpty();
        m_column->setVisible(isData);
        m_columnLabel->setVisible(isData);
        m_fileButton->setVisible(isFile(m_chosen));
        m_fileButton->setEnabled(m_state.embedding() != nullptr);
        showHint();
    }
    void showHint(const QString& problem = {}) {
        const QString refused = problem.isEmpty() ? m_count->problem() : problem;
        m_hint->setText(refused.isEmpty() ? hint() : tr("⚠ %1").arg(refused));
        m_hint->setVisible(!m_hint->text().isEmpty());
    }
    [[nodiscard]] QString hint() const {
        const WordSelection& words = m_state.words();
        const QString chosen = counted(std::ssize(words.rows));
        if (isExtreme(m_chosen)) {
            return m_results.density() ? QString()
                   : m_results.densityRunner().isRunning()
                       ? tr("The distances of the whole vocabulary are being computed…")
                       : tr("Needs the distances of the whole vocabulary: choose it again.");
        }
        if (words.kind != WordSelection::Kind::list) {
            return !isFile(m_chosen) ? QString()
                   : words.kind == WordSelection::Kind::all
                       ? tr("Until a file is chosen: all words.")
                       : tr("Until a file is chosen: %1 random words.")
                             .arg(counted(
                                 std::llround(shownCount(static_cast<double>(words.count)))));
        }
        if (!m_file || words.rows != m_rows) {
            return tr("%1 chosen words.").arg(chosen);
        }
        const QString file = toQString(m_file->source.dataFile);
        return m_chosen == WordOrigin::list
                   ? tr("%1 words of %2, %3 unknown.").arg(chosen, file, counted(m_file->unknown))
                   : tr("%1 of the %2 words that occur in %3 (%4 records).")
                         .arg(chosen, counted(std::ssize(m_file->rows)), file,
                              counted(m_file->source.dataRecords));
    }

    AnalysisState& m_state;
    SessionResults& m_results;
    ChoiceList<WordOrigin>* m_origin;
    NumberField* m_count;
    QLineEdit* m_column;
    QLabel* m_columnLabel = nullptr;
    QPushButton* m_fileButton;
    QLabel* m_hint;
    WordOrigin m_chosen = WordOrigin::random;
    QString m_path;  ///< of the list or data set
    std::optional<WordsOfFile> m_file;
    std::vector<Row> m_rows;  ///< set by this choice; others come from elsewhere
    JobRunner<WordsOfFile> m_reader;
};

}  // namespace

QWidget* wordChoice(AnalysisState& state, SessionResults& results, JobBoard& jobs,
                    QWidget* parent) {
    return new WordChoice(state, results, jobs, parent);
}

}  // namespace epsilens::ui
