#include "ui/setup/word_choice.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include "core/engine/word_sample.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"
#include "ui/state/session_results.h"
#include "ui/state/settings_history.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using calibration::WordSelection;
using epsilens::test::findControl;

namespace {

struct Fixture {
    Fixture() {
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        choice.reset(wordChoice(state, results, jobs));
    }

    [[nodiscard]] QComboBox& origin() const {
        return *findControl<QComboBox>(*choice, "wordsComboBox");
    }
    [[nodiscard]] QString hint() const {
        return findControl<QLabel>(*choice, "wordsHintLabel")->text();
    }
    [[nodiscard]] NumberField* count() const {
        return findControl<NumberField>(*choice, "wordCountField");
    }
    [[nodiscard]] WordSelection::Kind kind() const { return state.words().kind; }
    void choose(const QString& text) const { origin().setCurrentIndex(origin().findText(text)); }
    void openFile(const QString& path) const {
        dialogs::presetOpenFile(path);
        findControl<QPushButton>(*choice, "wordsFileButton")->click();
    }
    void openFile(const char* name, const QByteArray& content) const {
        const QString path = folder.filePath(QLatin1String(name));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        openFile(path);
    }
    void chooseFile(const QString& text, const QByteArray& content) {
        choose(text);
        openFile("words.txt", content);
    }
    /// All words of the embedding, as a data set of which some are drawn.
    void chooseAllWordsAsData(int drawn) {
        QByteArray text;
        for (embedding::Row row = 0; row < state.embedding()->wordCount(); ++row) {
            text += toQString(state.embedding()->vocabulary().word(row)).toUtf8() + ' ';
        }
        chooseFile(QStringLiteral("A data set"), text);
        QTRY_COMPARE(kind(), WordSelection::Kind::list);
        count()->selectAll();
        QTest::keyClicks(count(), QString::number(drawn));
        QTest::keyClick(count(), Qt::Key_Return);
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
        Fixture f;
        f.chooseFile(QStringLiteral("A list"), "paris\nnope\nlondon\n\nparis\n");
        QTRY_COMPARE(f.kind(), WordSelection::Kind::list);
        QCOMPARE(f.chosen(), QStringList({QStringLiteral("london"), QStringLiteral("paris")}));
        QCOMPARE(f.hint(), QStringLiteral("2 words of words.txt, 1 unknown."));
        QVERIFY(!f.count()->isEnabled());
    }

    void wordsOfADataSetAreMeasured() {
        Fixture f;
        f.chooseFile(QStringLiteral("A data set"), "Paris or London?\nparis, blorp\n");
        QTRY_COMPARE(f.kind(), WordSelection::Kind::list);
        QVERIFY(f.chosen().contains(QStringLiteral("london")));
        // What the report of a run over them says and warns of.
        const auto source = f.state.settings().wordsFrom();
        QVERIFY(source.has_value());
        QCOMPARE(source->dataFile, std::string("words.txt"));
        QCOMPARE(source->dataRecords, std::int64_t{2});
        QVERIFY2(f.hint().contains(QStringLiteral("(2 records)")), qPrintable(f.hint()));
        QVERIFY(!findControl<QLineEdit>(*f.choice, "wordsColumnLineEdit")->isHidden());
    }

    /// The command and the report name the seed: whoever repeats the run gets these words.
    void wordsOfADataSetFollowTheSeed() {
        Fixture f;
        f.chooseAllWordsAsData(10);
        QCOMPARE(f.state.words().rows, f.drawnBySeed(1, 10));
        f.state.edit(&AnalysisSettings::seed, 7);
        QCOMPARE(f.state.words().rows, f.drawnBySeed(7, 10));
        QVERIFY(f.drawnBySeed(7, 10) != f.drawnBySeed(1, 10));
        QCOMPARE(f.origin().currentText(), QStringLiteral("A data set"));
        QVERIFY(f.state.settings().wordsFrom().has_value());
    }

    void aSeedAndTheWordsDrawnWithItAreOneStepOfUndo() {
        Fixture f;
        f.choice.reset();
        SettingsHistory history(f.state);
        f.choice.reset(wordChoice(f.state, f.results, f.jobs));
        f.chooseAllWordsAsData(10);
        test::letPass(1);
        const int before = history.stack().count();
        f.state.edit(&AnalysisSettings::seed, 7);
        test::letPass(1);
        QCOMPARE(history.stack().count(), before + 1);
        history.stack().undo();
        QCOMPARE(f.state.seed(), std::uint64_t{1});
        QCOMPARE(f.state.words().rows, f.drawnBySeed(1, 10));
        QCOMPARE(f.origin().currentText(), QStringLiteral("A data set"));
        history.stack().redo();
        QCOMPARE(f.state.words().rows, f.drawnBySeed(7, 10));
    }

    /// As a session does, whose words may come from a file that has changed since.
    void wordsPutBackAreNotDrawnAnew() {
        Fixture f;
        f.chooseAllWordsAsData(10);
        const WordSelection kept = f.state.words();
        f.state.edit(&AnalysisSettings::seed, 9);
        f.state.edit(&AnalysisSettings::words, kept);
        QCOMPARE(f.state.words().rows, kept.rows);
        QCOMPARE(f.state.seed(), std::uint64_t{9});
    }

    void wordsOfADataSetFollowTheLetterCase() {
        Fixture f;
        f.chooseFile(QStringLiteral("A data set"), "Paris london");
        const QStringList both{QStringLiteral("london"), QStringLiteral("paris")};
        QTRY_COMPARE(f.chosen(), both);
        f.state.edit(&AnalysisSettings::textPolicies,
                     {release::UnknownPolicy::mask, text::CasePolicy::keep});
        QTRY_COMPARE(f.chosen(), QStringList{QStringLiteral("london")});
        QCOMPARE(f.state.settings().wordsFrom()->letterCase, text::CasePolicy::keep);
        f.state.edit(&AnalysisSettings::textPolicies,
                     {release::UnknownPolicy::drop, text::CasePolicy::lower});
        QTRY_COMPARE(f.chosen(), both);
    }

    void fewerWordsThanWantedLeaveTheNumberForTheNextFile() {
        Fixture f;
        const auto* count = f.count();
        QCOMPARE(f.state.words().count, std::int64_t{500});
        QCOMPARE(count->value(), 40.0);
        f.choose(QStringLiteral("All words"));
        f.choose(QStringLiteral("Random"));
        QCOMPARE(f.state.words().count, std::int64_t{500});
        const auto larger = test::toyEmbedding(600, 3);
        f.state.setEmbedding(larger, std::make_shared<const engine::SearchSpace>(larger));
        QCOMPARE(count->value(), 500.0);
    }

    void theColumnIsAskedForWhereThereAreSeveral() {
        Fixture f;
        f.chooseFile(QStringLiteral("A data set"), "");
        QTRY_VERIFY(f.hint().startsWith(QStringLiteral("⚠")));
        f.openFile("two.csv", "label,text\nlondon,paris\n");
        QTRY_VERIFY2(f.hint().contains(QStringLiteral("2 columns")), qPrintable(f.hint()));
        QCOMPARE(f.kind(), WordSelection::Kind::random);
        auto* column = findControl<QLineEdit>(*f.choice, "wordsColumnLineEdit");
        QTest::keyClicks(column, QStringLiteral("text"));
        QTest::keyClick(column, Qt::Key_Return);
        QTRY_COMPARE(f.kind(), WordSelection::Kind::list);
        QCOMPARE(f.chosen(), QStringList({QStringLiteral("paris")}));
    }

    void extremesWaitForTheDistances() {
        Fixture f;
        QVERIFY(
            !findControl<QWidget>(*f.choice, "wordsDensityButton")->isVisibleTo(f.choice.get()));
        f.choose(QStringLiteral("Sparsest"));
        QVERIFY(f.hint().contains(QStringLiteral("distances")));
        const auto* button = findControl<QWidget>(*f.choice, "wordsDensityButton");
        QVERIFY(button->isVisibleTo(f.choice.get()));
        QCOMPARE(f.kind(), WordSelection::Kind::random);
        f.results.computeDensity();
        QTRY_COMPARE(f.kind(), WordSelection::Kind::list);
        QVERIFY(!button->isVisibleTo(f.choice.get()));
        const auto sparsest = f.state.words().rows;
        f.count()->setValue(10);
        f.choose(QStringLiteral("Random"));
        QCOMPARE(f.kind(), WordSelection::Kind::random);
        f.choose(QStringLiteral("Densest"));
        QCOMPARE(f.kind(), WordSelection::Kind::list);
        QVERIFY(!sparsest.empty());
    }

    void aFileReadTooLateChangesNothing() {
        Fixture f;
        f.chooseFile(QStringLiteral("A list"), "paris\nlondon\n");
        f.choose(QStringLiteral("All words"));
        test::letJobsEnd();
        QCOMPARE(f.kind(), WordSelection::Kind::all);
        QCOMPARE(f.origin().currentText(), QStringLiteral("All words"));
    }

    void whatCannotBeUsedChangesNothing() {
        Fixture f;
        f.chooseFile(QStringLiteral("A list"), "nope\nblorp\n");
        QTRY_VERIFY(f.hint().contains(QStringLiteral("none of its 2 words")));
        QCOMPARE(f.kind(), WordSelection::Kind::random);
        f.choose(QStringLiteral("A data set"));
        f.openFile({});
        QCOMPARE(f.hint(), QStringLiteral("Until a file is chosen: 40 random words."));
    }

    void wordsSetElsewhereAreShown() {
        Fixture f;
        f.state.edit(&AnalysisSettings::words, {WordSelection::Kind::list, 500, {1, 2}});
        QCOMPARE(f.origin().currentText(), QStringLiteral("A list"));
        QCOMPARE(f.hint(), QStringLiteral("2 chosen words."));
        f.state.edit(&AnalysisSettings::words, {WordSelection::Kind::all, 500, {}});
        QCOMPARE(f.origin().currentText(), QStringLiteral("All words"));
        QCOMPARE(f.hint(), QString());
    }
};

EPSILENS_UI_TEST(WordChoiceTest)
#include "word_choice_test.moc"
