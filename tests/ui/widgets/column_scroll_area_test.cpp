#include "ui/widgets/column_scroll_area.h"

#include <QLabel>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;

class ColumnScrollAreaTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A label that becomes longer after the page was shown would be cut off.
    void aPageScrollsToWhatItsContentNeedsLater() {
        QWidget window;
        auto* content = new QWidget;
        auto* column = new QVBoxLayout(content);
        auto* label = new QLabel(QStringLiteral("short"), content);
        column->addWidget(label);
        auto* outer = new QVBoxLayout(&window);
        QScrollArea* area = scrolledPage(content, &window);
        outer->addWidget(area);
        window.setFixedSize(200, 100);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
        label->setMinimumSize(400, 300);
        QTRY_VERIFY(area->horizontalScrollBar()->maximum() > 0);
        QTRY_VERIFY(area->verticalScrollBar()->maximum() > 0);
        QVERIFY(label->mapTo(area->widget(), label->rect().bottomRight()).x() <
                area->viewport()->width() + area->horizontalScrollBar()->maximum());
        label->setMinimumSize(0, 0);
        QTRY_COMPARE(area->horizontalScrollBar()->maximum(), 0);
    }

    /// A text that fits in so many lines only where there is no scroll bar: at every width all of
    /// the page is in sight, or can be scrolled to.
    void nothingIsOutOfReachAtAnyWidth() {
        QWidget window;
        auto* content = new QStackedWidget;
        auto* page = new QWidget(content);
        content->addWidget(page);
        auto* column = new QVBoxLayout(page);
        auto* label = new QLabel(QStringLiteral("one two three four five six seven eight"), page);
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
            label->setText(QStringLiteral("one"));
            test::letPass(1);
            label->setText(text);
            test::letPass(1);
            const QWidget& all = *area->widget();
            const QSize shown = area->viewport()->size();
            QVERIFY2(all.height() - shown.height() <= area->verticalScrollBar()->maximum() &&
                         all.width() - shown.width() <= area->horizontalScrollBar()->maximum(),
                     qPrintable(QString::number(width)));
            QVERIFY2(all.width() == shown.width() || area->horizontalScrollBar()->maximum() > 0,
                     qPrintable(QString::number(width)));
            QVERIFY(area->verticalScrollBar()->maximum() == 0 ||
                    area->verticalScrollBar()->isVisible());
        }
    }
};

EPSILENS_UI_TEST(ColumnScrollAreaTest)
#include "column_scroll_area_test.moc"
