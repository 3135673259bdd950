#include "ui/choose/output_view.h"

#include <algorithm>

#include "tests/ui/support/ui_test.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/theme.h"

using namespace epsilens;
using namespace epsilens::ui::choose;
using epsilens::ui::OutputMark;

namespace {

/// "fast brown <unk>": entry 0 near, entry 1 kept, entry 2 unknown.
SampledSentence sentence() {
    SampledSentence result;
    result.text = "fast brown <unk>";
    const WordOutput near{4, calibration::OutputClass::near};
    const WordOutput kept{1, calibration::OutputClass::kept};
    result.words.push_back({0, 4, 0, "quick", 0, near});
    result.words.push_back({5, 5, 1, "brown", 1, kept});
    result.words.push_back({11, 5, 2, "fxo", {}, {}});
    result.changed = 1;
    result.known = 2;
    result.unknown = 1;
    return result;
}

SampledSentence longSentence(int words) {
    SampledSentence result;
    for (int i = 0; i < words; ++i) {
        result.words.push_back({static_cast<int>(result.text.size()), 8, 0, "word", 1,
                                WordOutput{1, calibration::OutputClass::far}});
        result.text += "whatever ";
    }
    return result;
}

}  // namespace

class OutputViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pinAndGuessesHaveRowsOfTheirOwn() {
        OutputView view;
        view.resize(400, 900);
        view.setSentence(sentence());
        const int alone = view.heightForWidth(400);
        SampledSentence pinned = sentence();
        pinned.text = "slow brown <unk>";
        pinned.words[0].output.outputClass = calibration::OutputClass::far;
        view.setSentence(sentence(), pinned);
        QVERIFY(view.heightForWidth(400) > alone);
        QTest::keyClick(&view, Qt::Key_Right);
        const auto says = [&view](const char* text) {
            return view.accessibleDescription().contains(QString::fromUtf8(text));
        };
        QVERIFY(says("quick → fast, near; pinned: slow, far"));
        SampledSentence guessed = sentence();
        guessed.words[0].guess = {"✓ 73%", "rightly guessed", true};
        view.setSentence(guessed, {}, QString());
        QVERIFY(view.heightForWidth(400) > alone && says("quick → fast, near; rightly guessed"));
        view.setSentence(sentence(), {}, QString());
        QVERIFY2(view.heightForWidth(400) > alone, "The row stays while guesses are not known.");
        view.setSentence(sentence());
        QCOMPARE(view.heightForWidth(400), alone);
    }

    /// Nothing of it has a hue: green is as strong as red and blue, up to what greys of the theme
    /// have of blue.
    void thePinnedRowIsGrey() {
        OutputView view;
        view.setPalette(ui::lightPalette());
        view.resize(400, 900);
        view.show();
        view.setSentence(sentence(), sentence());
        const QImage picture = view.viewport()->grab().toImage();
        const QRect word = view.wordArea(0);
        const auto hue = [&](int from, int to) {
            int most = 0;
            for (int y = from; y < to; ++y) {
                for (int x = word.left() + 2; x < word.right() - 2; ++x) {
                    most = std::max(most, picture.pixelColor(x, y).hsvSaturation());
                }
            }
            return most;
        };
        const int middle = word.top() + word.height() * 2 / 3;
        QVERIFY2(hue(word.top() + 4, middle) > 100, qPrintable(QString::number(hue(4, middle))));
        QVERIFY2(hue(middle + 2, word.bottom()) < 60,
                 qPrintable(QString::number(hue(middle + 2, word.bottom()))));
    }

    void clicksAndKeysChooseTheWord() {
        OutputView view;
        view.resize(400, 40);
        view.show();
        view.setSentence(sentence());
        QVERIFY(view.property(ui::kShowsFocus).toBool());  // one frame is enough
        std::vector<std::size_t> chosen;
        connect(&view, &OutputView::entryChosen, this,
                [&chosen](std::size_t entry) { chosen.push_back(entry); });
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.wordArea(1).center());
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(395, 10));
        QCOMPARE(chosen, std::vector<std::size_t>{1});
        QVERIFY(view.accessibleDescription().contains("changed 1 of 2"));
        QTest::keyClick(&view, Qt::Key_Left);
        QVERIFY(view.accessibleDescription().contains("quick → fast, near"));
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(view.accessibleDescription().contains("brown, kept"));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.mark(2), OutputMark::unknown);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(chosen, (std::vector<std::size_t>{1, 2}));
    }

    void theKeyboardsWordIsInView() {
        OutputView view;
        view.resize(400, 60);
        view.show();
        view.setSentence(longSentence(200));
        const auto isInView = [&view](std::size_t word) {
            return view.viewport()->rect().contains(view.wordArea(word));
        };
        QVERIFY(!isInView(60));
        for (int i = 0; i <= 60; ++i) {
            QTest::keyClick(&view, Qt::Key_Right);
        }
        QVERIFY(isInView(60));
        for (int i = 0; i < 55; ++i) {
            QTest::keyClick(&view, Qt::Key_Left);
        }
        QVERIFY(isInView(5));
    }

    void wordsWrapTogetherWhereThereIsNoRoom() {
        OutputView view;
        view.resize(300, 900);
        view.show();
        view.setSentence(longSentence(8));
        std::size_t next = 1;
        while (view.wordArea(next).top() == view.wordArea(0).top()) {
            QVERIFY(view.wordArea(next).left() > view.wordArea(next - 1).right());
            QVERIFY(view.wordArea(next).right() <= 300);
            ++next;
        }
        QVERIFY(next > 1 && next < 8);
        QCOMPARE(view.wordArea(next).left(), view.wordArea(0).left());
        QVERIFY(view.wordArea(next).top() > view.wordArea(0).bottom());
        // A line of the text begins a block also where there is room.
        SampledSentence lines = sentence();
        lines.text[4] = QLatin1Char('\n');
        view.setSentence(lines);
        QCOMPARE(view.wordArea(1).left(), view.wordArea(0).left());
        QVERIFY(view.wordArea(1).top() > view.wordArea(0).bottom());
        // A word wider than a block is cut to it.
        SampledSentence wide = sentence();
        wide.words[1].typed = QString(200, QLatin1Char('x'));
        view.setSentence(wide);
        QCOMPARE(view.wordArea(1).left(), view.wordArea(0).left());
        QVERIFY(view.wordArea(1).right() <= 300);
        QVERIFY(view.wordArea(2).top() > view.wordArea(1).bottom());
        // From right to left the first word stands at the right.
        SampledSentence hebrew = sentence();
        hebrew.text.replace(0, 4, "שלום");
        view.setSentence(hebrew);
        QVERIFY(view.wordArea(0).right() > 290);
        QVERIFY(view.wordArea(1).right() < view.wordArea(0).left());
    }

    void growsButDoesNotShrinkForOneSentence() {
        OutputView view;
        view.resize(400, 40);
        view.show();
        view.setSentence(longSentence(3));
        const int oneLine = view.heightForWidth(400);
        view.setSentence(longSentence(10));
        const int twoLines = view.heightForWidth(400);
        QVERIFY(twoLines > oneLine);
        view.setSentence(longSentence(3));
        QCOMPARE(view.heightForWidth(400), twoLines);
        view.forgetHeight();
        view.setSentence(longSentence(3));
        QCOMPARE(view.heightForWidth(400), oneLine);
        view.setSentence(longSentence(200));
        QVERIFY(view.heightForWidth(400) <= 3 * oneLine);
    }
};

EPSILENS_UI_TEST(OutputViewTest)
#include "output_view_test.moc"
