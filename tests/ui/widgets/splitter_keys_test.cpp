#include "ui/widgets/splitter_keys.h"

#include <QSplitter>

#include "tests/ui/support/ui_test.h"

using namespace epsilens::ui;

class SplitterKeysTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void arrowsMoveTheDivider_data() {
        QTest::addColumn<Qt::Orientation>("orientation");
        QTest::addColumn<Qt::Key>("towardsFirst");
        QTest::addColumn<Qt::Key>("towardsSecond");
        QTest::newRow("row") << Qt::Horizontal << Qt::Key_Left << Qt::Key_Right;
        QTest::newRow("column") << Qt::Vertical << Qt::Key_Up << Qt::Key_Down;
    }
    void arrowsMoveTheDivider() {
        QFETCH(const Qt::Orientation, orientation);
        QFETCH(const Qt::Key, towardsFirst);
        QFETCH(const Qt::Key, towardsSecond);
        QSplitter splitter(orientation);
        auto* first = new QWidget(&splitter);
        first->setFocusPolicy(Qt::StrongFocus);
        auto* second = new QWidget(&splitter);
        second->setMinimumSize(100, 100);
        splitter.setChildrenCollapsible(false);
        moveWithKeys(splitter, QStringLiteral("Divider"));
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
        QCOMPARE(divider->accessibleName(), QStringLiteral("Divider"));

        const int before = splitter.sizes().first();
        QTest::keyClick(divider, towardsSecond);
        const int after = splitter.sizes().first();
        QVERIFY2(after > before, qPrintable(QString::number(after)));
        QTest::keyClick(divider, towardsFirst);
        QCOMPARE(splitter.sizes().first(), before);
        for (int i = 0; i < 100; ++i) {
            QTest::keyClick(divider, towardsSecond);
        }
        QCOMPARE(splitter.sizes().last(), 100);
    }
};

EPSILENS_UI_TEST(SplitterKeysTest)
#include "splitter_keys_test.moc"
