#include <memory>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QMenu>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include "tests/ui/support/ui_test.h"
#include "ui/plot/plot_widget.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::findControl;

namespace {

class PlotWithData final : public PlotWidget {
public:
    [[nodiscard]] QString visibleCsv() const override { return QStringLiteral("x,y\n1,2\n"); }
};

}  // namespace

class PlotMenuTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_plot = std::make_unique<PlotWithData>();
        m_plot->resize(500, 300);
        m_plot->setHomeRange({1.0, 10.0}, {0.0, 5.0});
        m_plot->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_plot.get()));
    }

    void copiesAndSavesTheData() {
        choose(QStringLiteral("Copy visible data (CSV)"));
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("x,y\n1,2\n"));
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("data.csv"));
        dialogs::presetSaveFile(path);
        choose(QStringLiteral("Save visible data (CSV)…"));
        QCOMPARE(test::contentOf(path), QByteArray("x,y\n1,2\n"));
    }

private:
    // What the menu of the button does while it is open.
    void withMenu(const std::function<void(QMenu&)>& action) {
        QTimer soon;
        soon.setSingleShot(true);
        connect(&soon, &QTimer::timeout, this, [&action] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            action(*menu);
            menu->close();
        });
        soon.start(0);
        findControl<QToolButton>(*m_plot, "plotMenuButton")->click();
    }
    void choose(const QString& title) {
        QAction* chosen = nullptr;
        withMenu([&](QMenu& menu) {
            for (QAction* action : menu.actions()) {
                if (action->text().remove(QLatin1Char('&')) == title) {
                    chosen = action;
                }
            }
            QVERIFY2(chosen != nullptr, qPrintable(title));
            menu.setActiveAction(chosen);
            QTest::keyClick(&menu, Qt::Key_Return);
        });
    }

    std::unique_ptr<PlotWithData> m_plot;
};

EPSILENS_UI_TEST(PlotMenuTest)
#include "plot_menu_test.moc"
