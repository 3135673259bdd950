#include "tests/ui/support/ui_test.h"
#include "ui/plot/plot_widget.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/focus_frame.h"
#include "ui/widgets/splitter_keys.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/wheel_guard.h"

using namespace epsilens;
using namespace epsilens::ui;

/// What is done for all controls alike: focus, keys, wheel, room.
class WidgetsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPlotShowsTheFocusAndLetsItGo() {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* field = new QLineEdit(&window);
        auto* plot = new PlotWidget(&window);
        layout->addWidget(field);
        layout->addWidget(plot);
        window.resize(400, 300);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        // The corners have the theme's colour of the focus.
        const auto isFramed = [plot] {
            const QImage image = plot->grab().toImage();
            const QRgb focus = themeOf(plot).focus.rgb();
            return image.pixel(0, 0) == focus && image.pixel(image.width() - 1, 0) == focus &&
                   image.pixel(image.width() - 1, image.height() - 1) == focus;
        };
        field->setFocus();
        QTRY_VERIFY(field->hasFocus() && !isFramed());
        plot->setFocus();
        QTRY_VERIFY(isFramed());
        window.resize(500, 350);
        QTRY_VERIFY(isFramed());
        field->setFocus();
        QTRY_VERIFY(!isFramed());
    }

    void theMouseReachesWhatIsFramed() {
        QLineEdit field;
        showFocusAround(&field);
        field.resize(200, 40);
        field.show();
        field.setFocus();
        QTRY_VERIFY(field.hasFocus());
        QCOMPARE(field.childAt(field.rect().center()), nullptr);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void arrowsMoveADivider_data() {
        QTest::addColumn<Qt::Orientation>("orientation");
        QTest::addColumn<Qt::Key>("towardsFirst");
        QTest::addColumn<Qt::Key>("towardsSecond");
        QTest::newRow("row") << Qt::Horizontal << Qt::Key_Left << Qt::Key_Right;
        QTest::newRow("column") << Qt::Vertical << Qt::Key_Up << Qt::Key_Down;
    }
    void arrowsMoveADivider() {
        QFETCH(const Qt::Orientation, orientation);
        QFETCH(const Qt::Key, towardsFirst);
        QFETCH(const Qt::Key, towardsSecond);
        QSplitter splitter(orientation);
        auto* first = new QWidget(&splitter);
        first->setFocusPolicy(Qt::StrongFocus);
        auto* second = new QWidget(&splitter);
        second->setMinimumSize(100, 100);
        splitter.setChildrenCollapsible(false);
        moveWithKeys(splitter, "Divider");
        splitter.resize(600, 600);
        splitter.show();
        splitter.activateWindow();
        splitter.setSizes({300, 300});
        QVERIFY(QTest::qWaitForWindowExposed(&splitter));
        first->setFocus();
        QTRY_VERIFY(first->hasFocus());
        QTest::keyClick(first, Qt::Key_Tab);
        QSplitterHandle* divider = splitter.handle(1);
        QTRY_VERIFY(divider->hasFocus());
        QCOMPARE(divider->accessibleName(), "Divider");
        const int before = splitter.sizes().first();
        QTest::keyClick(divider, towardsSecond);
        QVERIFY(splitter.sizes().first() > before);
        QTest::keyClick(divider, towardsFirst);
        QCOMPARE(splitter.sizes().first(), before);
        for (int i = 0; i < 100; ++i) {
            QTest::keyClick(divider, towardsSecond);
        }
        QCOMPARE(splitter.sizes().last(), 100);
    }

    void unfocusedListsIgnoreTheWheel() {
        QComboBox box;
        box.addItems({"one", "two"});
        guardWheel(&box);
        box.show();
        QVERIFY(QTest::qWaitForWindowExposed(&box));
        const auto turn = [&box] {
            const QPointF centre = QRectF(box.rect()).center();
            QWheelEvent event(centre, box.mapToGlobal(centre), {}, QPoint(0, -120), Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&box, &event);
            return event.isAccepted();
        };
        box.clearFocus();
        QVERIFY(!turn() && box.currentIndex() == 0);
        box.setFocus();
        QTRY_VERIFY(box.hasFocus());
        QVERIFY(turn() && box.currentIndex() == 1);
    }

    /// A label that becomes longer after the page was shown would be cut off.
    void aPageScrollsToWhatItsContentNeedsLater() {
        QWidget window;
        auto* content = new QWidget;
        auto* label = new QLabel("short", content);
        (new QVBoxLayout(content))->addWidget(label);
        QScrollArea* area = scrolledPage(content, &window);
        (new QVBoxLayout(&window))->addWidget(area);
        window.setFixedSize(200, 100);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QScrollBar& across = *area->horizontalScrollBar();
        QCOMPARE(across.maximum(), 0);
        label->setMinimumSize(400, 300);
        QTRY_VERIFY(across.maximum() > 0 && area->verticalScrollBar()->maximum() > 0);
        QVERIFY(label->mapTo(area->widget(), label->rect().bottomRight()).x() <
                area->viewport()->width() + across.maximum());
        label->setMinimumSize(0, 0);
        QTRY_COMPARE(across.maximum(), 0);
    }

    /// A text that fits in so many lines only where there is no scroll bar: at every width all of
    /// the page is in sight, or can be scrolled to.
    void nothingIsOutOfReachAtAnyWidth() {
        QWidget window;
        auto* content = new QStackedWidget;
        auto* page = new QWidget(content);
        content->addWidget(page);
        auto* column = new QVBoxLayout(page);
        auto* label = new QLabel("one two three four five six seven eight", page);
        label->setWordWrap(true);
        auto* fixed = new QWidget(page);
        column->addWidget(fixed);
        column->addWidget(label);
        auto* outer = new QVBoxLayout(&window);
        outer->setContentsMargins(0, 0, 0, 0);
        QScrollArea* area = scrolledPage(content, &window);
        outer->addWidget(area);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        for (int width = 120; width < 400; width += 3) {
            window.setFixedSize(width, 200);
            // So that the text just fits if nothing stands beside it.
            fixed->setFixedHeight(20);
            const int others = column->totalHeightForWidth(width) - 20;
            fixed->setFixedHeight(200 - others);
            // It comes when the page is shown already.
            const QString text = label->text();
            for (const QString& shown : {QString("one"), text}) {
                label->setText(shown);
                test::letPass(1);
            }
            const QSize beyond = area->widget()->size() - area->viewport()->size();
            const QScrollBar& down = *area->verticalScrollBar();
            const int across = area->horizontalScrollBar()->maximum();
            QVERIFY2(beyond.height() <= down.maximum() && beyond.width() <= across &&
                         (beyond.width() == 0 || across > 0) &&
                         (down.maximum() == 0 || down.isVisible()),
                     qPrintable(QString::number(width)));
        }
    }
};

EPSILENS_UI_TEST(WidgetsTest)
#include "widgets_test.moc"
