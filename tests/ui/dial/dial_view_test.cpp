#include "ui/dial/dial_view.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QWheelEvent>

#include "tests/ui/support/ui_test.h"

using namespace epsilens::ui;

class DialViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_view = std::make_unique<DialView>();
        DialPicture picture = axisOnly();
        picture.shares = {{0.1, 10.0, 1000.0}, {0.0, 0.5, 1.0}, {0.0, 0.2, 0.0}};
        picture.marks = {{0.5, QStringLiteral("×2")}, {4.0, QStringLiteral("×1,000")}};
        picture.unboundedFrom = 8.0;
        picture.outside = {{20.0, 100.0}};
        picture.largestWithin = 20.0;
        picture.halfKept = {5.0, 10.0, 11.0};
        m_view->setPicture(picture);
        m_view->showEpsilon(10.0);
        m_view->resize(600, 240);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    }

    void thePinnedSettingIsDrawn() {
        DialPicture picture = m_view->picture();
        const auto drawnWith = [&](const std::optional<DialPin>& pin) {
            picture.pin = pin;
            return drawn(picture);
        };
        const DialShares shares{{0.1, 3.0, 1000.0}, {0.0, 0.5, 1.0}, {0.0, 0.0, 0.0}};
        const QImage without = drawnWith(std::nullopt);
        const QImage marked = drawnWith(DialPin{30.0, QStringLiteral("A"), {}});
        const QImage measured = drawnWith(DialPin{30.0, QStringLiteral("A"), shares});
        const QImage beyond = drawnWith(DialPin{5'000.0, QStringLiteral("A"), shares});
        QVERIFY(marked != without && measured != marked && beyond != measured);
    }

    void keysMoveTheCursorByTheStepsOfASlider() {
        const QSignalSpy moved(m_view.get(), &DialView::valueChanged);
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QCOMPARE(m_view->value(), 10.2);  // 10 × 10^0.01 = 10.23, to three digits
        m_view->showEpsilon(10.0);
        QTest::keyClick(m_view.get(), Qt::Key_PageUp);
        QCOMPARE(m_view->value(), 12.6);  // 10 × 10^0.1 = 12.59
        QTest::keyClick(m_view.get(), Qt::Key_Home);
        QCOMPARE(m_view->value(), 1.0);
        QCOMPARE(moved.count(), 3);
    }

    void aMarkBeyondTheRightEndIsNamedThere() {
        DialPicture picture = axisOnly();
        picture.marks = {{2.0, QStringLiteral("×2")}};
        const QRect end = layout().ruler.toAlignedRect().adjusted(400, 0, 0, 0);
        const QImage without = drawn(picture).copy(end);
        picture.marks.push_back({400.0, QStringLiteral("×10")});
        QVERIFY(drawn(picture).copy(end) != without);
    }

    /// With letters so large that the words do not fit into the ruler they are left out.
    void largeLettersLeaveOutWhatDoesNotFit() {
        const auto drawnWith = [this](const QString& mark) {
            DialPicture picture = m_view->picture();
            picture.marks = {{4.0, mark}};
            return drawn(picture);
        };
        const QString mark = QStringLiteral("×10³");
        QVERIFY(drawnWith(mark) != drawnWith({}));
        QFont font = m_view->font();
        font.setPointSize(60);
        m_view->setFont(font);
        QCOMPARE(drawnWith(mark), drawnWith({}));
    }

    /// Nothing that is written changes where the cursor stands on it.
    void labelsStandAboveTheCursor() {
        DialPicture picture = axisOnly();
        picture.unboundedFrom = 1.0;
        picture.unboundedText = QStringLiteral("no useful bound");
        picture.note = QStringLiteral("Measuring");
        m_view->setPicture(picture);
        const auto textAt = [&](const QRectF& on) {
            const QRect middle(QPoint(), QSize(30, m_view->fontMetrics().ascent()));
            return m_view->grab(middle.translated(on.center().toPoint() - middle.center()))
                .toImage();
        };
        // Below 1 an arrow at the left stands for the cursor.
        m_view->showEpsilon(1.0);
        const QImage ruler = textAt(layout().ruler);
        const QImage plot = textAt(layout().plot);
        m_view->showEpsilon(10.0);
        QCOMPARE(textAt(layout().ruler), ruler);
        QCOMPARE(textAt(layout().plot), plot);
    }

    void theCursorIsDraggedInThePlotAndTheRulerExplainsItself() {
        const QSignalSpy asked(m_view.get(), &DialView::promiseClicked);
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, layout().ruler.center().toPoint());
        QCOMPARE(asked.count(), 1);
        QCOMPARE(m_view->value(), 10.0);
        const QPoint middle = layout().plot.center().toPoint();
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, middle - QPoint(60, 0));
        QTest::mouseMove(m_view.get(), middle - QPoint(30, 0));
        QVERIFY(m_view->value() < 9.5);
        QTest::mouseMove(m_view.get(), middle);
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, middle);
        // The middle of 1 to 100 on a logarithmic axis.
        QVERIFY(std::abs(m_view->value() - 10.0) < 0.2);
        QCOMPARE(asked.count(), 1);
    }

    void anEpsilonBeyondTheAxisIsShown() {
        m_view->showEpsilon(5000.0);
        QCOMPARE(m_view->value(), 5000.0);
        QVERIFY(m_view->scale().high > 5000.0);
        QCOMPARE(m_view->scale().low, 1.0);
        m_view->showEpsilon(0.01);
        QVERIFY(m_view->scale().low < 0.01);
        // One that returns finds the axis as it was.
        m_view->showEpsilon(10.0);
        QCOMPARE(m_view->scale().low, 1.0);
        QCOMPARE(m_view->scale().high, 100.0);
    }

    void itIsASliderThatSpeaks() {
        m_view->setSpokenValue([](double epsilon) {
            return QStringLiteral("ε %1, 53 of 100 words survive").arg(epsilon);
        });
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(m_view.get());
        QCOMPARE(spoken->role(), QAccessible::Slider);
        QCOMPARE(spoken->text(QAccessible::Value), QStringLiteral("ε 10, 53 of 100 words survive"));
        QCOMPARE(spoken->valueInterface()->maximumValue().toDouble(), 100.0);
        spoken->valueInterface()->setCurrentValue(20.0);
        QCOMPARE(m_view->value(), 20.0);
    }

    void axisNumbersAreRound() {
        const ValueScale plain{ValueScale::Kind::logarithmic, 0.3, 12.0, 0.0, 3};
        QCOMPARE(axisNumbers(plain), (std::vector<double>{0.5, 1.0, 2.0, 5.0, 10.0}));
        const ValueScale above{ValueScale::Kind::logarithmic, 9.9, 120.0, 0.0, 3, 9.0};
        QCOMPARE(axisNumbers(above),
                 (std::vector<double>{10.0, 11.0, 15.0, 20.0, 30.0, 50.0, 100.0}));
    }

    /// At every size that a window can have, also where nothing else has room.
    void itShowsTheCursorAtEverySize() {
        for (const QSize size : {QSize(120, 20), QSize(300, 70), QSize(1000, 260)}) {
            m_view->resize(size);
            m_view->showEpsilon(10.0);
            const QImage before = m_view->grab().toImage();
            m_view->showEpsilon(30.0);
            QVERIFY(m_view->grab().toImage() != before);
        }
    }

private:
    static DialPicture axisOnly() {
        DialPicture picture;
        picture.axis = {ValueScale::Kind::logarithmic, 1.0, 100.0, 0.0, 3};
        return picture;
    }
    QImage drawn(const DialPicture& picture) {
        m_view->setPicture(picture);
        return m_view->grab().toImage();
    }
    [[nodiscard]] DialLayout layout() const {
        return DialLayout::of(m_view->size(), m_view->fontMetrics());
    }

    std::unique_ptr<DialView> m_view;
};

EPSILENS_UI_TEST(DialViewTest)
#include "dial_view_test.moc"
