#include "ui/choose/choose_panel.h"

#include <algorithm>
#include <array>

#include <QAbstractItemModelTester>

#include "core/calibration/limits.h"
#include "core/calibration/recommend.h"
#include "tests/ui/choose/choose_fixture.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/choose/output_view.h"
#include "ui/choose/word_table.h"
#include "ui/state/settings_history.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using namespace epsilens::ui::choose;

using Shown = test::ShownPanel;

namespace {

/// The sentence of the first limit.
struct Limit {
    explicit Limit(Shown& shownPanel) : shown(shownPanel) {}

    static std::vector<calibration::Limit> read(std::initializer_list<const char*> texts) {
        std::vector<calibration::Limit> limits;
        for (const char* text : texts) {
            limits.push_back(calibration::parseLimit(text).value());
        }
        return limits;
    }
    void check(std::initializer_list<const char*> texts) const {
        QCOMPARE(shown.state.limits(), read(texts));
    }
    void fillIn(const char* text) const { shown.enter("keptLimitField", text); }
    void choose(const char* share) const {
        words->setCurrentText(QLatin1String(share));
        Q_EMIT words->activated(words->currentIndex());
    }

    Shown& shown;
    QLineEdit* kept = &shown.find<QLineEdit>("keptLimitField");
    QComboBox* words = &shown.find<QComboBox>("keptLimitWordsComboBox");
};

}  // namespace

class ChoosePanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutATextItOffersExamples() {
        Shown shown;
        auto* examples = &shown.find<QLabel>("examplesLabel");
        QVERIFY(examples->isVisible() && !shown.isShown("wordTableView"));
        Q_EMIT examples->linkActivated("1");
        const QString sentence = shown.state.sentence();
        QVERIFY(!sentence.isEmpty());
        QVERIFY(examples->text().contains(QString("<a href=\"1\">%1</a>").arg(sentence)));
        QCOMPARE(shown.text("sentenceEdit"), sentence);
        QVERIFY(!examples->isVisible() && shown.isShown("wordTableView"));
    }

    void aSentenceThatIsNotTypedShowsItsBeginning() {
        Shown shown;
        shown.state.setSentence(QString("paris london word7 ").repeated(30));
        QPlainTextEdit* field = &shown.field();
        QCOMPARE(field->cursorForPosition(QPoint(1, 8)).position(), 0);
        QCOMPARE(field->verticalScrollBar()->value(), 0);
        // Where somebody types, the cursor stays.
        field->moveCursor(QTextCursor::End);
        QTest::keyClicks(field, "paris");
        QCOMPARE(field->textCursor().position(), static_cast<int>(field->toPlainText().size()));
    }

    void theTextHasLines() {
        Shown shown;
        shown.panel.resize(880, 760);
        QPlainTextEdit* field = &shown.field();
        const int line = field->fontMetrics().lineSpacing();
        shown.state.setSentence("paris");
        QTRY_VERIFY(field->viewport()->height() < 2 * line);
        shown.state.setSentence(QString("paris london word7 word8 ").repeated(18).trimmed());
        QTRY_VERIFY(field->viewport()->height() > 3 * line);
        shown.type("paris");
        QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(field, "london");
        QTRY_COMPARE(shown.state.sentence(), "paris\nlondon");
        QTRY_VERIFY(shown.isSettled());
        const auto* output = &shown.find<OutputView>("outputView");
        QVERIFY(output->wordArea(1).top() > output->wordArea(0).bottom());
        // A line that nobody wants would push the sentence out of sight.
        for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Return, Qt::Key_Enter}) {
            field->setFocus();
            QTest::keyClick(field, key);
            QCOMPARE(shown.state.sentence(), "paris\nlondon");
            QVERIFY(!field->hasFocus());
        }
        // What is typed is confidential.
        QVERIFY(field->inputMethodHints().testFlag(Qt::ImhSensitiveData));
    }

    void aTextOfAnyLengthIsPasted() {
        Shown shown;
        QPlainTextEdit* field = &shown.field();
        constexpr int kLines = 75'000;
        const QString text = QString("paris london word7\n").repeated(kLines);
        QApplication::clipboard()->setText(text);
        field->paste();
        QCOMPARE(shown.state.sentence().size(), text.size());
        QTRY_VERIFY(shown.isSettled());
        QCOMPARE(shown.panel.model().output().words.size(), 2'000);
        // More draws than this would take longer than the text is worth.
        QCOMPARE(shown.panel.model().drawsUsed(), 200);
        QVERIFY(shown.isShown("restOfTextLabel"));
        QCOMPARE(shown.text("restOfTextLabel"),
                 "The text has 225,000 words; the first 2,000 are shown.");
        shown.type("paris");
        QTRY_VERIFY(!shown.isShown("restOfTextLabel"));
    }

    void keysFasterThanTheirAnswersAreFollowedOnce() {
        Shown shown;
        const QString text = QStringLiteral("paris london ").repeated(100).trimmed();
        const QSignalSpy followed(&shown.state, &AnalysisState::sentenceChanged);
        QTest::keyClicks(&shown.field(), text);
        QTRY_COMPARE(shown.state.sentence(), text);
        QVERIFY(followed.count() < 5);
    }

    /// At the widths that a window of 960 and of 1200 leaves, and down to the least.
    void theColumnsShareTheWidth() {
        Shown shown("paris london word7 word8 pariss");
        const auto* table = &shown.find<QTableView>("wordTableView");
        const auto* word = &shown.find<QScrollArea>("wordScrollArea");
        const QHeaderView& header = *table->horizontalHeader();
        int shownBefore = 0;
        for (const int width : {shown.panel.minimumSizeHint().width(), 657, 870, 1400}) {
            shown.panel.resize(width, 640);
            test::letPass(1);
            QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
            QCOMPARE(word->horizontalScrollBar()->maximum(), 0);
            QVERIFY(word->widget()->width() <= word->viewport()->width());
            QCOMPARE(header.length(), header.viewport()->width());
            for (int column = 0; column < header.count(); ++column) {
                const bool isElided = column == topOutputsColumn;
                QVERIFY(header.isSectionHidden(column) || isElided ||
                        header.sectionSize(column) >= header.sectionSizeHint(column));
            }
            const int all = header.count() - header.hiddenSectionCount();
            QVERIFY(all >= shownBefore);
            shownBefore = all;
        }
        QCOMPARE(shownBefore, header.count());
        shown.panel.resize(shown.panel.minimumSizeHint().width(), 640);
        test::letPass(1);
        QVERIFY(!header.isSectionHidden(wordColumn));
        QVERIFY(header.isSectionHidden(halfKeptColumn));
        QCOMPARE(table->model()->headerData(halfKeptColumn, Qt::Horizontal).toString(),
                 "Half-kept ε");
        QCOMPARE(table->model()->index(1, 0).data(Qt::ToolTipRole).toString(), "london");
    }

    void typingShowsOutputsAndSampleTheNextOnes() {
        Shown shown("paris london word7");
        const SampledSentence& output = shown.panel.model().output();
        QCOMPARE(shown.find<OutputView>("outputView").sentence().text, output.text);
        // What percent means stands there as long as there is some.
        const QString changed = QString("^changed %1 of 3 · ").arg(output.changed);
        QTRY_VERIFY(QRegularExpression(changed + "guessed right: \\d of 3 \\(%: ")
                        .match(shown.text("chooseStatusLabel"))
                        .hasMatch());
        shown.click("sampleButton");
        QVERIFY(shown.text("chooseStatusLabel").contains("sample 2 of 100"));
        shown.panel.model().nextSample();
        QVERIFY(shown.text("chooseStatusLabel").contains("sample 3 of 100"));
    }

    void playShowsOneSampleAfterTheOther() {
        Shown shown;
        auto* play = &shown.find<QPushButton>("playButton");
        QVERIFY(!play->isEnabled());
        shown.follow("paris london");
        QElapsedTimer clock;
        clock.start();
        play->click();
        QTRY_VERIFY(shown.panel.model().sampleIndex() >= 2);
        play->click();
        const int stopped = shown.panel.model().sampleIndex();
        test::letPass(static_cast<int>(clock.elapsed()));  // as long as two samples took
        QCOMPARE(shown.panel.model().sampleIndex(), stopped);
        // Nobody looks at another tab's sentence.
        play->click();
        shown.panel.hide();
        QVERIFY(!play->isChecked());
    }

    void theTableShowsWhatTheModelHas() {
        Shown shown;
        const QAbstractItemModelTester tester(
            shown.table().model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        shown.follow("paris nope london Paris");
        QCOMPARE(shown.table().model()->rowCount(), 3);
        const auto direct = test::DirectComputation(shown.state, {"paris", "london"})
                                .distribution(0, shown.state.epsilon());
        QCOMPARE(shown.cell(0, wordColumn), "paris ×2");
        QCOMPARE(shown.cell(0, distinctColumn), QString::number(direct.distinct()));
        // 100 draws: counts are percentages.
        QCOMPARE(shown.cell(0, sharesColumn),
                 QString("%1/%2/%3%").arg(direct.kept).arg(direct.near).arg(direct.far));
        const auto& top = direct.outputs[0].outputClass == calibration::OutputClass::kept
                              ? direct.outputs[1]
                              : direct.outputs[0];
        QVERIFY(shown.cell(0, topOutputsColumn)
                    .startsWith(QString("%1 %2%").arg(
                        toQString(shown.state.embedding()->vocabulary().word(top.row)),
                        QString::number(top.count))));
        // An unknown word is marked, and cannot be chosen.
        QVERIFY(!shown.table().model()->index(1, 0).flags().testFlag(Qt::ItemIsSelectable));
        QVERIFY(
            shown.cell(1, wordColumn, Qt::AccessibleTextRole).contains("not in the vocabulary"));
        QCOMPARE(shown.cell(1, sharesColumn), "unknown");
        QVERIFY(shown.cell(1, distinctColumn).isEmpty());
        // What a large epsilon keeps has no other output.
        shown.chooseEpsilon(1e6);
        QVERIFY(shown.text("chooseStatusLabel").startsWith("changed 0 of 3"));
        QCOMPARE(shown.cell(0, topOutputsColumn), "kept in all draws");
        QCOMPARE(shown.cell(0, distinctColumn), "1");
        QCOMPARE(shown.text("detailOutputsLabel"), "No other word in 100 draws.");
    }

    void valuesOfEarlierSettingsAreDimmed() {
        Shown shown("paris");
        const auto picture = [&shown] {
            return shown.table()
                .viewport()
                ->grab(shown.table().visualRect(shown.table().model()->index(0, sharesColumn)))
                .toImage();
        };
        const QImage current = picture();
        const QString before = shown.cell(0, sharesColumn);
        shown.state.edit(&AnalysisSettings::seed, 5);
        QVERIFY(picture() != current);
        QCOMPARE(shown.cell(0, sharesColumn), before);
        QVERIFY(
            shown.cell(0, sharesColumn, Qt::ToolTipRole).startsWith("From the previous settings."));
        shown.state.edit(&AnalysisSettings::seed, 1);
        QTRY_VERIFY(shown.isSettled());
        QCOMPARE(picture(), current);
    }

    /// Nothing that can happen is shown as 0.
    void rareOutputsOfAnExactMechanismAreSummedUp() {
        Shown shown;
        shown.choose(mechanism::Exponential());
        shown.chooseEpsilon(9.0);
        shown.follow("paris");
        const ShownDistribution& exact = shown.panel.model().words()[0].distribution;
        QVERIFY2(exact.exact && exact.kept < exact.draws && exact.kept > 0.9995 * exact.draws,
                 qPrintable(QString::number(exact.kept, 'g', 12)));
        QCOMPARE(shown.cell(0, topOutputsColumn), "others under 0.1% each");
    }

    void theNearestWordsAreNamedWithTheirDistances() {
        Shown shown("paris");
        const RowMatrixD vectors = shown.state.embedding()->vectors().cast<double>();
        const auto paris = *shown.state.embedding()->vocabulary().find("paris");
        embedding::Row nearest = paris == 0 ? 1 : 0;
        const auto distance = [&](embedding::Row row) {
            return (vectors.row(row) - vectors.row(paris)).norm();
        };
        for (embedding::Row row = 0; row < static_cast<embedding::Row>(vectors.rows()); ++row) {
            nearest = row != paris && distance(row) < distance(nearest) ? row : nearest;
        }
        const QString expected =
            QString("Nearest: %1 at %2")
                .arg(toQString(shown.state.embedding()->vocabulary().word(nearest)),
                     significant(distance(nearest), 3));
        QVERIFY(test::begins(shown.text("nearestWordsLabel"), expected));
    }

    void aClickOnAWordShowsItInFull() {
        Shown shown("paris london word7");
        auto* view = &shown.find<OutputView>("outputView");
        QVERIFY(shown.text("detailHeadingLabel").contains("paris"));
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->wordArea(1).center());
        QVERIFY(shown.text("detailHeadingLabel").contains("london"));
        const auto direct = test::DirectComputation(shown.state, {"paris", "london", "word7"});
        checkDetails(shown, direct.distribution(1, shown.state.epsilon()));
        // The same through the table, by mouse.
        const QTableView& table = shown.table();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(2, sharesColumn)).center());
        QVERIFY(shown.text("detailHeadingLabel").contains("word7"));
        checkDetails(shown, direct.distribution(2, shown.state.epsilon()));
        QCOMPARE(shown.state.selectedWord(), findWord(shown.state.embedding(), "word7"));
    }

    void anUnknownWordOffersSpellings() {
        Shown shown("pariss or Pariss, pariss");
        QVERIFY(shown.text("chooseStatusLabel").contains("4 unknown · "));
        auto* unknown = &shown.find<QLabel>("unknownWordsLabel");
        QVERIFY(!unknown->isVisible());
        QTRY_VERIFY(unknown->isVisible());
        QVERIFY(test::begins(unknown->text(),
                             "⚠ “pariss” is unknown. Did you mean <a href=\"0\">paris</a>"));
        // Names are not corrected.
        QVERIFY2(unknown->text().contains("“Pariss” is unknown.<br>") ||
                     unknown->text().endsWith("“Pariss” is unknown."),
                 qPrintable(unknown->text()));
        Q_EMIT unknown->linkActivated("0");
        // In all of its places.
        QCOMPARE(shown.text("sentenceEdit"), "paris or Pariss, paris");
        shown.follow("paris");
        QVERIFY(!unknown->isVisible());
        QVERIFY(!shown.text("chooseStatusLabel").contains("unknown"));
    }

    void furtherUnknownWordsAreCounted() {
        Shown shown;
        const auto* unknown = &shown.find<QLabel>("unknownWordsLabel");
        const auto ends = [&](const char* text, const char* rest) {
            shown.type(text);
            QTRY_VERIFY2(unknown->isVisible() && unknown->text().endsWith(QLatin1String(rest)),
                         qPrintable(unknown->text()));
            QCOMPARE(unknown->text().count("is unknown."), 4);
        };
        ends("pariss londonn qqq zzzz", "is unknown.");
        ends("pariss londonn qqq zzzz xxxx", "<br>and 1 more unknown word");
        ends("pariss londonn qqq zzzz xxxx vvvv", "<br>and 2 more unknown words");
    }

    void aNumberMakesTheLimitAndAnEmptiedFieldTakesItAway() {
        Shown shown;
        Limit limit(shown);
        SettingsHistory history(shown.state);
        QCOMPARE(limit.kept->placeholderText(), "no limit");
        QCOMPARE(limit.words->placeholderText(), "95");
        QTest::keyClick(limit.kept, Qt::Key_Return);
        QVERIFY(shown.state.limits().empty());
        limit.fillIn("40");
        limit.check({"nw.p95<=40%"});
        limit.choose("100");
        limit.check({"nw.max<=40%"});
        limit.fillIn("");
        limit.check({});
        QCOMPARE(limit.words->currentIndex(), -1);
        // The words wait for a number.
        limit.choose("99");
        limit.check({});
        limit.fillIn("20");
        limit.check({"nw.p99<=20%"});
        test::letPass(100);  // longer than what counts as one step
        limit.fillIn("30");
        history.stack().undo();
        QCOMPARE(limit.kept->text(), "20");
        for (const char* wrong : {"half", "101", "-3", "0,5"}) {
            limit.fillIn(wrong);
            QVERIFY2(shown.isShown("keptLimitProblemLabel"), wrong);
            limit.check({"nw.p99<=20%"});
        }
        limit.fillIn("40");
        QVERIFY(!shown.isShown("keptLimitProblemLabel"));
        // Limits that the sentence cannot say stay where they are, and are counted.
        auto* others = &shown.find<QPushButton>("otherLimitsButton");
        QCOMPARE(others->text(), "Add…");
        shown.state.edit(&AnalysisSettings::limits, Limit::read({"sw.p5>=20", "nw.mean<=30%"}));
        QVERIFY(limit.kept->text().isEmpty());
        QCOMPARE(others->text(), "2 more…");
        limit.fillIn("40");
        limit.check({"sw.p5>=20", "nw.mean<=30%", "nw.p95<=40%"});
        limit.fillIn("");
        limit.check({"sw.p5>=20", "nw.mean<=30%"});
    }

    void otherLimitsAreChosenAsSentences() {
        Shown shown;
        const Limit limit(shown);
        const auto* menu = shown.panel.findChild<QMenu*>("limitsMenu");
        const auto trigger = [&](const QString& beginning) {
            shown.click("otherLimitsButton");
            for (QAction* action : menu->actions()) {
                if (action->text().startsWith(beginning)) {
                    action->trigger();
                    return shown.panel.findChild<QInputDialog*>("limitDialog");
                }
            }
            return static_cast<QInputDialog*>(nullptr);
        };
        QInputDialog* dialog = trigger("95 of 100 words have at least 20 different outputs");
        QVERIFY(dialog != nullptr);
        // The sentence follows the number.
        dialog->setIntValue(12);
        QVERIFY(test::holds(dialog->labelText(), "at least 12 different outputs"));
        dialog->accept();
        limit.check({"sw.p5>=12"});
        // Of one figure there is one limit.
        dialog = trigger("95 of 100 words have at least 20 different outputs");
        dialog->setIntValue(30);
        dialog->accept();
        limit.check({"sw.p5>=30"});
        trigger("Remove: 95 of 100 words have");
        limit.check({});
        // What cannot occur in so few draws is not offered.
        shown.state.edit(&AnalysisSettings::draws, 10);
        dialog = trigger("95 of 100 words have at least 10 different outputs");
        QVERIFY(dialog != nullptr);
        dialog->reject();
    }

    void limitsAreTypedAsFormulas() {
        Shown shown;
        const Limit limit(shown);
        shown.state.edit(&AnalysisSettings::limits, calibration::defaultLimits());
        shown.click("otherLimitsButton");
        shown.find<QMenu>("limitsMenu").actions().last()->trigger();
        auto& dialog = shown.find<QInputDialog>("limitsDialog");
        auto& ok = *dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QCOMPARE(dialog.textValue(), "nw.p95<=50%; sw.p5>=20");
        for (const char* wrong : {"half", "nw.p95<=150%", "nw.p95<=-3", "nw.p95<=0,5"}) {
            dialog.setTextValue(wrong);
            QVERIFY2(dialog.labelText().contains("\n⚠ ") && !ok.isEnabled(), wrong);
        }
        dialog.setTextValue("far.mean>=0.25;");
        QVERIFY(test::holds(dialog.labelText(), "\n") && ok.isEnabled());
        limit.check({"nw.p95<=50%", "sw.p5>=20"});
        ok.click();
        limit.check({"far.mean>=0.25"});
    }

    /// The limit is about the vocabulary, and lets some of it be.
    void wordsOfTheTextBeyondTheLimitAreNamed() {
        Shown shown;
        Limit limit(shown);
        shown.follow("paris london word7");
        const test::DirectComputation direct(shown.state, {"paris", "london", "word7"});
        std::vector<std::pair<int, QString>> kept;
        const std::array names{"paris", "london", "word7"};
        for (std::size_t i = 0; i < 3; ++i) {
            kept.emplace_back(direct.distribution(i, test::kToyEpsilon).kept,
                              QLatin1String(names.at(i)));
        }
        std::sort(kept.rbegin(), kept.rend());
        QVERIFY(kept[0].first > kept[1].first && kept[1].first > kept[2].first);
        const auto* said = &shown.find<QLabel>("keptLimitExceptionsLabel");
        const auto named = [&kept](std::size_t i) {
            return QString("“%1” (%2 of 100)").arg(kept[i].second).arg(kept[i].first);
        };
        QVERIFY(!said->isVisible());
        limit.fillIn(QByteArray::number(kept[2].first).constData());
        QCOMPARE(said->text(),
                 QString("⚠ Your text is kept more than the limit says of the vocabulary: 2 "
                         "of 3 words exceed it, %1, %2.")
                     .arg(named(0), named(1)));
        QVERIFY(said->isVisible());
        // Of each two words the sentence lets one pass.
        limit.choose("50");
        limit.fillIn(QByteArray::number(kept[1].first).constData());
        QCOMPARE(said->text(),
                 QString("Kept more often in your text: 1 of 3 words, %1.").arg(named(0)));
        limit.fillIn("100");
        QVERIFY(!said->isVisible());
    }

    void anImpossibleLambdaIsExplained() {
        Shown shown;
        shown.open(test::toyEmbedding(5, 8));
        shown.set({.lambda = 1.0});
        shown.state.setSentence("paris");
        QTRY_VERIFY(shown.isShown("noticeLine"));
        QVERIFY(shown.text("noticeTextLabel").contains("0.99"));
        shown.set({.lambda = 0.99});
        QTRY_VERIFY(!shown.panel.model().isBehind());
        QVERIFY(!shown.isShown("noticeLine"));
    }

    void whatTheProgramSelectsIsNotTheAnalystsChoice() {
        Shown shown("paris london");
        QVERIFY(shown.table().selectionModel()->isRowSelected(0, {}));
        QVERIFY(!shown.state.selectedWord().has_value());
    }

private:
    static void checkDetails(Shown& shown, const calibration::OutputDistribution& direct) {
        QVERIFY(shown.text("detailHeadingLabel")
                    .contains(QString("survives %1 of 100 draws").arg(direct.kept)));
        for (const auto& output : direct.outputs) {
            if (output.outputClass != calibration::OutputClass::kept) {
                QVERIFY(shown.text("detailOutputsLabel")
                            .contains(Word(shown.state.embedding(), output.row).text()));
                break;
            }
        }
    }
};

EPSILENS_UI_TEST(ChoosePanelTest)
#include "choose_panel_test.moc"
