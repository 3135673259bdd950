#include "ui/present/presentation.h"

#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QPushButton>

#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/dial/dial_view.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

class PresentationTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        QVERIFY(!find<QAction>("presentAction").isEnabled());
        test::show(test::toyEmbedding(), *m_window);
        state().lookAt(QStringLiteral("paris & london"));
        QCOMPARE(find<QAction>("presentAction").shortcut(), QKeySequence(Qt::Key_F11));
        trigger("presentAction");
        trigger("presentAction");
        QCOMPARE(m_window->findChildren<Presentation*>().size(), 1);
        m_presentation = m_window->findChild<Presentation*>();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->measurement().isCurrent(), kPatienceMs);
    }
    void cleanup() { clean(); }

    void keysGoThroughFiveStepsThatSpeakOfTheSetting() {
        for (const char* said :
             {"paris &amp; london", "of 100 words survive", "odds", "No limits are set.", "ε = "}) {
            QVERIFY2(shown().contains(QString::fromUtf8(said)), qPrintable(shown()));
            press(m_presentation->step() == 1 ? Qt::Key_PageDown : Qt::Key_Right);
        }
        // There is no sixth, and none before the first.
        QCOMPARE(label("presentationTitle").text(), QStringLiteral("5 of 5: The choice"));
        QVERIFY(!findControl<QPushButton>(*m_presentation, "presentationNextButton")->isEnabled());
        for (int i = 0; i < 6; ++i) {
            press(Qt::Key_Left);
        }
        QCOMPARE(m_presentation->step(), 0);
        press(Qt::Key_Escape);
        QTRY_VERIFY(!m_presentation);
    }

    void thePromiseIsAsLargeAsWhatStandsBesideIt() {
        const QLabel& promise = label("promiseLabel");
        QTRY_COMPARE(promise.font().pointSizeF(), label("attackerLabel").font().pointSizeF());
        QVERIFY(promise.font().pointSizeF() > m_window->font().pointSizeF());
    }

    void theDialStillMovesEpsilonAndTheTextFollows() {
        m_presentation->showStep(4);
        auto* dial = findControl<DialView>(*m_presentation, "epsilonSlider");
        dial->moveTo(0.5);
        QCOMPARE(state().epsilon(), 0.5);
        QVERIFY2(shown().contains(QStringLiteral("ε = 0.5")), qPrintable(shown()));
        QTest::keyClick(dial, Qt::Key_Right);
        QVERIFY(state().epsilon() > 0.5);
        QCOMPARE(m_presentation->step(), 4);
    }

    void aSmallWindowShowsAllOfIt() {
        m_presentation->showNormal();
        m_presentation->resize(960, 600);
        QTRY_COMPARE(m_presentation->size(), QSize(960, 600));
        for (const char* name :
             {"presentationTitle", "dialPanel", "epsilonField", "presentationCloseButton"}) {
            const auto* part = m_presentation->findChild<QWidget*>(QLatin1String(name));
            const auto isInside = [&] {
                const QRect place(part->mapTo(m_presentation, QPoint()), part->size());
                return part->isVisible() && m_presentation->rect().contains(place) &&
                       (part->minimumHeight() == part->maximumHeight() ||
                        part->height() >= part->minimumSizeHint().height());
            };
            QVERIFY2(QTest::qWaitFor(isInside), name);
        }
        // Several lines of the step remain.
        const auto* area = m_presentation->findChild<QWidget*>(QStringLiteral("presentationArea"));
        QVERIFY(area->height() >= 4 * label("presentationText").fontMetrics().lineSpacing());
    }

    void limitsStandWithTheirVerdict() {
        state().edit(&AnalysisSettings::limits, {calibration::parseLimit("nw.p95<=60%").value()});
        m_presentation->showStep(3);
        QTRY_VERIFY_WITH_TIMEOUT(shown().contains(QStringLiteral("side your limit")) ||
                                     shown().contains(QStringLiteral("Within your limit")),
                                 kPatienceMs);
        QVERIFY2(shown().contains(QStringLiteral("95 of 100 words")), qPrintable(shown()));
    }

private:
    [[nodiscard]] const QLabel& label(const char* name) const {
        return *findControl<QLabel>(*m_presentation, name);
    }
    [[nodiscard]] QString shown() const { return label("presentationText").text(); }
    void press(Qt::Key key) { QTest::keyClick(m_presentation.data(), key); }

    QPointer<Presentation> m_presentation;
};

EPSILENS_UI_TEST(PresentationTest)
#include "presentation_test.moc"
