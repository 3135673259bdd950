#include "ui/shell/recent_files.h"

#include "tests/ui/support/ui_test.h"

using epsilens::ui::RecentFiles;

class RecentFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { RecentFiles::clear(); }

    void keepsTenNewestFirstWithoutRepetition() {
        for (int i = 0; i < 12; ++i) {
            RecentFiles::add(QStringLiteral("/data/%1.txt").arg(i));
        }
        QCOMPARE(RecentFiles::list().size(), 10);
        QCOMPARE(RecentFiles::list().first(), QStringLiteral("/data/11.txt"));
        RecentFiles::add(QStringLiteral("/data/5.txt"));
        QCOMPARE(RecentFiles::list().size(), 10);
        QCOMPARE(RecentFiles::list().first(), QStringLiteral("/data/5.txt"));
        QCOMPARE(RecentFiles::list().count(QStringLiteral("/data/5.txt")), 1);
        RecentFiles::clear();
        QVERIFY(RecentFiles::list().isEmpty());
    }
};

EPSILENS_UI_TEST(RecentFilesTest)
#include "recent_files_test.moc"
