#include "ui/dial/dial_panel.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include "tests/ui/dial/dial_fixture.h"
#include "ui/dial/dial_view.h"
#include "ui/widgets/number_field.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::findControl;

namespace {

/// Without the mark of its key.
QString plain(const QAction& entry) {
    return entry.text().remove(QLatin1Char('&'));
}

}  // namespace

class DialPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_parts = std::make_unique<test::DialParts>();
        m_panel = std::make_unique<DialPanel>(m_parts->model);
        m_panel->resize(1200, 1200);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
        m_parts->measure();
    }
    void cleanup() { m_panel.reset(); }

    void fieldAndSliderAreOneEpsilon() {
        auto* field = findControl<NumberField>(*m_panel, "epsilonField");
        auto* slider = findControl<DialView>(*m_panel, "epsilonSlider");
        type(*field, "3.25");
        QCOMPARE(m_parts->state.epsilon(), 3.25);
        QCOMPARE(slider->value(), 3.25);
        slider->moveTo(5.0);
        QCOMPARE(field->value(), 5.0);
        QTest::keyClick(field, Qt::Key_Up);
        QCOMPARE(m_parts->state.epsilon(), 5.12);  // 5 × 10^0.01 = 5.116
    }

    void thePinnedSettingIsSaidToScreenReaders() {
        auto* slider = findControl<DialView>(*m_panel, "epsilonSlider");
        QCOMPARE(slider->accessibleDescription(), m_parts->model.reading().spoken);
        m_parts->state.edit(&AnalysisSettings::pin, m_parts->state.setting());
        QTRY_VERIFY2(slider->accessibleDescription().contains(
                         QStringLiteral("Grey and dashed, the pinned setting A: ε ")),
                     qPrintable(slider->accessibleDescription()));
    }

    void theHeadlineFollowsTheSizeOfTheText() {
        const auto* survive = findControl<QLabel>(*m_panel, "surviveLabel");
        const double usual = survive->font().pointSizeF();
        const QFont before = m_panel->font();
        QFont large = before;
        large.setPointSizeF(2.0 * large.pointSizeF());
        m_panel->setFont(large);
        QCOMPARE(survive->font().pointSizeF(), 2.0 * usual);
        m_panel->setFont(before);
        QCOMPARE(survive->font().pointSizeF(), usual);
    }

    void ownTextsThatAreNotMeasuredHaveAButton() {
        auto* measure = findControl<QPushButton>(*m_panel, "measureButton");
        QVERIFY(!measure->isVisible());
        m_parts->model.setUnmeasuredText(UnmeasuredText{QStringLiteral("mine.tsv"), 2'000});
        QVERIFY(measure->isVisible());
        QCOMPARE(measure->text(), QStringLiteral("Measure 2,000 words of mine.tsv"));
        const QSignalSpy asked(&m_parts->model, &DialModel::ownTextRequested);
        measure->click();
        QCOMPARE(asked.count(), 1);
        m_parts->model.setUnmeasuredText(std::nullopt);
        QVERIFY(!measure->isVisible());
    }

    void whatCannotBeTakenIsSaidBesideTheField() {
        auto* field = findControl<NumberField>(*m_panel, "epsilonField");
        const auto* problem = findControl<QLabel>(*m_panel, "epsilonProblemLabel");
        type(*field, "abc");
        QVERIFY(problem->isVisible());
        type(*field, "4");
        QVERIFY(!problem->isVisible());
        QVERIFY(!field->toolTip().contains(QStringLiteral("only above")));
        m_parts->open(test::toyBall(40, 3));
        m_parts->choose(mechanism::Hyperbolic{});
        QCOMPARE(m_parts->state.epsilon(), 12.0);  // m - 1 + 10
        QVERIFY(field->toolTip().endsWith(QStringLiteral("This noise exists only above m−1 = 2.")));
        type(*field, "2");
        QVERIFY2(problem->text().contains(QStringLiteral("above 2")), qPrintable(problem->text()));
        QCOMPARE(m_parts->state.epsilon(), 12.0);
        type(*field, "2.5");
        QCOMPARE(m_parts->state.epsilon(), 2.5);
    }

    void aGreyFindSaysWhyWhereThePointerIs() {
        test::DialParts parts;
        DialPanel panel(parts.model);
        const auto* find = findControl<QPushButton>(panel, "findEpsilonButton");
        const auto says = [find](const char* text) {
            return find->toolTip().startsWith(QString::fromUtf8(text)) &&
                   find->accessibleDescription() == find->toolTip();
        };
        QVERIFY(!find->isEnabled() && says("Open an embedding first.\nSets ε to"));
        parts.open(test::toyEmbedding());
        QTRY_VERIFY(find->isEnabled());
        QVERIFY(says("Sets ε to"));
    }

    void findingKeepsTheFocusAndSaysWhatBindsBesideIt() {
        auto* find = findControl<QPushButton>(*m_panel, "findEpsilonButton");
        const auto* said = findControl<QLabel>(*m_panel, "dialLimitsLabel");
        QVERIFY(!said->isVisible());
        find->click();
        QVERIFY2(said->text().startsWith(QStringLiteral("No limit is set yet")),
                 qPrintable(said->text()));
        QVERIFY(said->isVisible());
        m_parts->limit("nw.p95<=60%");
        // At once, before it is known where the limit is met: as a click does that ends the typing
        // of the limit.
        QVERIFY(find->isEnabled());
        find->setFocus();
        QTest::keyClick(find, Qt::Key_Space);
        QVERIFY(m_parts->search.isSearching());
        QVERIFY(find->isEnabled() && find->hasFocus());
        QTRY_VERIFY(!m_parts->search.isSearching());
        const double largest = m_parts->model.picture().largestWithin.value();
        QVERIFY(m_parts->state.epsilon() <= largest);
        QVERIFY(m_parts->state.epsilon() > 0.999 * largest);
        QVERIFY2(said->text().contains(QStringLiteral("largest value within your limit")),
                 qPrintable(said->text()));
        QVERIFY(said->isVisible());
        QVERIFY(find->hasFocus());
    }

    /// What is promised is said at every size.
    void aLowDialSaysTheSameInOneLine() {
        const auto* line = findControl<QLabel>(*m_panel, "dialLineLabel");
        const auto* survive = findControl<QLabel>(*m_panel, "surviveLabel");
        QVERIFY(survive->isVisible() && !line->isVisible());
        const int large = m_panel->sizeHint().height();
        m_panel->setLarge(false);
        QVERIFY(line->isVisible() && !survive->isVisible());
        QVERIFY(line->text().contains(QStringLiteral("survive")));
        QVERIFY(m_panel->sizeHint().height() < large);
    }

    void thePairIsChosenFromAMenu() {
        auto* button = findControl<QToolButton>(*m_panel, "pairButton");
        QCOMPARE(button->text(), QStringLiteral("paris ↔ london ▾"));
        QCOMPARE(button->accessibleName(), QStringLiteral("Promise for paris against london"));
        const auto texts = [button] {
            QTest::keyClick(button, Qt::Key_Space);
            QStringList offered;
            for (const QAction* action : button->findChild<QMenu*>()->actions()) {
                offered.append(plain(*action));
            }
            return offered;
        };
        // Without a selected word only others can be typed.
        QVERIFY(texts().contains(QStringLiteral("Other words…")));
        QVERIFY(!texts().contains(QStringLiteral("Before")));
        button->findChild<QMenu*>()->close();
        // Words of the text come first, each with the one nearest to it.
        m_parts->state.lookAt(QStringLiteral("Word3, unknown london word3"));
        QTRY_COMPARE(m_parts->guarantee.sentencePairs().size(), std::size_t{2});
        const PromisePair ofText = m_parts->guarantee.sentencePairs().front();
        QCOMPARE(ofText[0].text(), QStringLiteral("word3"));
        const QStringList offered = texts();
        button->findChild<QMenu*>()->close();
        QVERIFY(offered.size() > 2);
        QCOMPARE(offered[1], QStringLiteral("word3 ↔ ") + ofText[1].text());
        QVERIFY(offered[2].startsWith(QStringLiteral("london ↔ ")));
        m_parts->state.lookAt(Word(m_parts->state.embedding(), 17));
        QTRY_VERIFY(!m_parts->guarantee.nearPairs().empty());
        const QString second = m_parts->guarantee.nearPairs()[1][1].text();
        const QString wanted = QStringLiteral("word17 ↔ ") + second;
        QVERIFY2(texts().contains(wanted), qPrintable(texts().join(QLatin1Char('|'))));
        auto* menu = button->findChild<QMenu*>();
        for (QAction* action : menu->actions()) {
            if (plain(*action) == wanted) {
                QVERIFY(!action->isChecked());
                action->trigger();
                break;
            }
        }
        menu->close();
        QCOMPARE(m_parts->guarantee.secondWord(), second);
        QCOMPARE(button->text(), wanted + QStringLiteral(" ▾"));
        m_panel->setLarge(false);
        QVERIFY(button->isVisible());
        QVERIFY(m_panel->rect().contains(button->geometry()));
    }

    void tenDigitsFitTheFieldOfTheSmallDial() {
        m_panel->setLarge(false);
        test::letPass(1);
        const auto* field = findControl<NumberField>(*m_panel, "epsilonField");
        constexpr int kFrame = 12;
        const int needed =
            field->fontMetrics().horizontalAdvance(QStringLiteral("1000000000")) + kFrame;
        QVERIFY2(field->width() >= needed,
                 qPrintable(QStringLiteral("%1, needs %2").arg(field->width()).arg(needed)));
    }

    void otherWordsAreTypedInTwoFields() {
        auto* button = findControl<QToolButton>(*m_panel, "pairButton");
        QTest::keyClick(button, Qt::Key_Space);
        button->findChild<QMenu*>()->actions().last()->trigger();
        auto* dialog = m_panel->findChild<QDialog*>(QStringLiteral("pairDialog"));
        QVERIFY(dialog != nullptr && dialog->isVisible());
        auto* first = findControl<QLineEdit>(*dialog, "firstPairWordField");
        auto* second = findControl<QLineEdit>(*dialog, "secondPairWordField");
        QCOMPARE(first->text(), QStringLiteral("paris"));
        QCOMPARE(second->text(), QStringLiteral("london"));
        first->setText(QStringLiteral("wrod9"));
        second->setText(QStringLiteral("word4"));
        QTest::keyClick(second, Qt::Key_Return);
        const auto* problem = findControl<QLabel>(*dialog, "pairProblemLabel");
        QVERIFY(problem->isVisible());
        QTRY_VERIFY2(problem->text().contains(QStringLiteral("lacks “wrod9”")) &&
                         problem->text().contains(QStringLiteral("word9")),
                     qPrintable(problem->text()));
        QCOMPARE(m_parts->guarantee.secondWord(), QStringLiteral("london"));
        first->setText(QStringLiteral(" word9 "));
        QTest::keyClick(first, Qt::Key_Return);
        QVERIFY(!dialog->isVisible());
        QCOMPARE(m_parts->guarantee.firstWord(), QStringLiteral("word9"));
        QCOMPARE(m_parts->guarantee.secondWord(), QStringLiteral("word4"));
    }

private:
    static void type(NumberField& field, const char* text) {
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, QLatin1String(text));
        QTest::keyClick(&field, Qt::Key_Return);
    }

    std::unique_ptr<test::DialParts> m_parts;
    std::unique_ptr<DialPanel> m_panel;
};

EPSILENS_UI_TEST(DialPanelTest)
#include "dial_panel_test.moc"
