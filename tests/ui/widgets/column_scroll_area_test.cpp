#include "ui/widgets/column_scroll_area.h"

#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

#include "tests/ui/support/ui_test.h"

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
};

EPSILENS_UI_TEST(ColumnScrollAreaTest)
#include "column_scroll_area_test.moc"
