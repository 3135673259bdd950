#include "ui/setup/setup_panel.h"

#include "core/engine/word_sample.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"
#include "ui/state/session_results.h"
#include "ui/state/settings_history.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using calibration::WordSelection;

namespace {

struct WordsFixture : test::Driver {
    WordsFixture() {
        test::open(state);
        choice.reset(wordChoice(state, results, jobs));
    }

    [[nodiscard]] QString origin() const { return text("wordsComboBox"); }
    [[nodiscard]] QString hint() const { return text("wordsHintLabel"); }
    [[nodiscard]] NumberField& count() const { return find<NumberField>("wordCountField"); }
    [[nodiscard]] WordSelection::Kind kind() const { return state.words().kind; }
    void choose(const QString& text) const { Driver::choose("wordsComboBox", text); }
    void openFile(const QString& path) const {
        dialogs::presetOpenFile(path);
        click("wordsFileButton");
    }
    void openFile(const char* name, const QByteArray& content) const {
        openFile(test::writeFile(folder.filePath(name), content));
    }
    void chooseFile(const QString& text, const QByteArray& content) {
        choose(text);
        openFile("words.txt", content);
    }
    void chooseAllWordsAsData(int drawn) {
        QByteArray text;
        for (embedding::Row row = 0; row < state.embedding()->wordCount(); ++row) {
            text += toQString(state.embedding()->vocabulary().word(row)).toUtf8() + ' ';
        }
        chooseFile("A data set", text);
        QTRY_COMPARE(kind(), WordSelection::Kind::list);
        enter("wordCountField", QString::number(drawn));
    }
    /// As `--data FILE --words N --seed SEED` draws from all words.
    [[nodiscard]] std::vector<embedding::Row> drawnBySeed(std::uint64_t seed, int count) const {
        return engine::sampleWords(state.embedding()->wordCount(), count, seed);
    }
    [[nodiscard]] QStringList chosen() const {
        QStringList words;
        for (const auto row : state.words().rows) {
            words << toQString(state.embedding()->vocabulary().word(row));
        }
        words.sort();
        return words;
    }

    [[nodiscard]] const QObject& root() const override { return *choice; }

    QTemporaryDir folder;
    AnalysisState state;
    JobBoard jobs;
    SessionResults results{state};
    std::unique_ptr<QWidget> choice;
};

}  // namespace

class WordChoiceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsOfAListAreMeasured() {
        WordsFixture f;
        f.chooseFile("A list", "paris\nnope\nlondon\n\nparis\n");
        QTRY_COMPARE(f.kind(), WordSelection::Kind::list);
        QCOMPARE(f.chosen(), QStringList({"london", "paris"}));
        QCOMPARE(f.hint(), "2 words of words.txt, 1 unknown.");
        QVERIFY(!f.count().isEnabled());
    }

    void wordsOfADataSetAreMeasured() {
        WordsFixture f;
        f.chooseFile("A data set", "Paris or London?\nparis, blorp\n");
        QTRY_COMPARE(f.kind(), WordSelection::Kind::list);
        QVERIFY(f.chosen().contains("london"));
        // What the report of a run over them says and warns of.
        const auto source = f.state.settings().wordsFrom();
        QVERIFY(source.has_value());
        QCOMPARE(source->dataFile, "words.txt");
        QCOMPARE(source->dataRecords, 2);
        QVERIFY(test::holds(f.hint(), "(2 records)"));
        QVERIFY(!f.find("wordsColumnLineEdit").isHidden());
    }

    /// The command and the report name the seed: whoever repeats the run gets these words.
    void aSeedAndTheWordsDrawnWithItAreOneStepOfUndo() {
        WordsFixture f;
        f.choice.reset();
        SettingsHistory history(f.state);
        f.choice.reset(wordChoice(f.state, f.results, f.jobs));
        f.chooseAllWordsAsData(10);
        test::letPass(1);
        QVERIFY(f.drawnBySeed(7, 10) != f.drawnBySeed(1, 10));
        const int before = history.stack().count();
        f.state.edit(&AnalysisSettings::seed, 7);
        test::letPass(1);
        QCOMPARE(f.state.words().rows, f.drawnBySeed(7, 10));
        QVERIFY(f.state.settings().wordsFrom().has_value());
        QCOMPARE(history.stack().count(), before + 1);
        history.stack().undo();
        QCOMPARE(f.state.seed(), 1);
        QCOMPARE(f.state.words().rows, f.drawnBySeed(1, 10));
        QCOMPARE(f.origin(), "A data set");
        history.stack().redo();
        QCOMPARE(f.state.words().rows, f.drawnBySeed(7, 10));
    }

    /// As a session does, whose words may come from a file that has changed since.
    void wordsPutBackAreNotDrawnAnew() {
        WordsFixture f;
        f.chooseAllWordsAsData(10);
        const WordSelection kept = f.state.words();
        f.state.edit(&AnalysisSettings::seed, 9);
        f.state.edit(&AnalysisSettings::words, kept);
        QCOMPARE(f.state.words().rows, kept.rows);
        QCOMPARE(f.state.seed(), 9);
    }

    void wordsOfADataSetFollowTheLetterCase() {
        WordsFixture f;
        f.chooseFile("A data set", "Paris london");
        const QStringList both{"london", "paris"};
        QTRY_COMPARE(f.chosen(), both);
        f.state.edit(&AnalysisSettings::textPolicies,
                     {release::UnknownPolicy::mask, text::CasePolicy::keep});
        QTRY_COMPARE(f.chosen(), QStringList{"london"});
        QCOMPARE(f.state.settings().wordsFrom()->letterCase, text::CasePolicy::keep);
        f.state.edit(&AnalysisSettings::textPolicies,
                     {release::UnknownPolicy::drop, text::CasePolicy::lower});
        QTRY_COMPARE(f.chosen(), both);
    }

    void fewerWordsThanWantedLeaveTheNumberForTheNextFile() {
        WordsFixture f;
        const NumberField& count = f.count();
        QCOMPARE(f.state.words().count, 500);
        QCOMPARE(count.value(), 40.0);
        f.choose("All words");
        f.choose("Random");
        QCOMPARE(f.state.words().count, 500);
        test::open(f.state, test::toyEmbedding(600, 3));
        QCOMPARE(count.value(), 500.0);
    }

    void theColumnIsAskedForWhereThereAreSeveral() {
        WordsFixture f;
        f.chooseFile("A data set", "");
        QVERIFY(f.says("wordsHintLabel", "⚠"));
        f.openFile("two.csv", "label,text\nlondon,paris\n");
        QVERIFY(f.says("wordsHintLabel", "2 columns"));
        QCOMPARE(f.kind(), WordSelection::Kind::random);
        f.enter("wordsColumnLineEdit", "text");
        QTRY_COMPARE(f.kind(), WordSelection::Kind::list);
        QCOMPARE(f.chosen(), QStringList({"paris"}));
    }

    void extremesWaitForTheDistances() {
        WordsFixture f;
        f.choose("Sparsest");
        QVERIFY(f.hint().contains("distances"));
        QCOMPARE(f.kind(), WordSelection::Kind::random);
        QTRY_COMPARE(f.kind(), WordSelection::Kind::list);
        QCOMPARE(f.hint(), QString());
        const auto sparsest = f.state.words().rows;
        f.count().setValue(10);
        f.choose("Random");
        QCOMPARE(f.kind(), WordSelection::Kind::random);
        f.choose("Densest");
        QCOMPARE(f.kind(), WordSelection::Kind::list);
        QVERIFY(!sparsest.empty());
    }

    void aFileReadTooLateChangesNothing() {
        WordsFixture f;
        f.chooseFile("A list", "paris\nlondon\n");
        f.choose("All words");
        test::letJobsEnd();
        QCOMPARE(f.kind(), WordSelection::Kind::all);
        QCOMPARE(f.origin(), "All words");
    }

    void whatCannotBeUsedChangesNothing() {
        WordsFixture f;
        f.chooseFile("A list", "nope\nblorp\n");
        QVERIFY(f.says("wordsHintLabel", "none of its 2 words"));
        QCOMPARE(f.kind(), WordSelection::Kind::random);
        f.choose("A data set");
        f.openFile({});
        QCOMPARE(f.hint(), "Until a file is chosen: 40 random words.");
    }

    void wordsSetElsewhereAreShown() {
        WordsFixture f;
        f.state.edit(&AnalysisSettings::words, {WordSelection::Kind::list, 500, {1, 2}});
        QCOMPARE(f.origin(), "A list");
        QCOMPARE(f.hint(), "2 chosen words.");
        f.state.edit(&AnalysisSettings::words, {WordSelection::Kind::all, 500, {}});
        QCOMPARE(f.origin(), "All words");
        QCOMPARE(f.hint(), QString());
    }
};

EPSILENS_UI_TEST(WordChoiceTest)
#include "word_choice_test.moc"
