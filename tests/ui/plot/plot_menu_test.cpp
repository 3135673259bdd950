#include <memory>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include "tests/ui/support/ui_test.h"
#include "ui/plot/axis_limits_dialog.h"
#include "ui/plot/plot_widget.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/number_field.h"

using namespace epsilens::ui;
using epsilens::test::findControl;

namespace {

class PlotWithData final : public PlotWidget {
public:
    [[nodiscard]] QString visibleCsv() const override { return QStringLiteral("x,y\n1,2\n"); }
};

void type(NumberField& field, const char* text) {
    field.selectAll();
    QTest::keyClicks(&field, QLatin1String(text));
    QTest::keyClick(&field, Qt::Key_Return);
}

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

    void offersALinearAxisOnlyWhereItMakesSense() {
        QVERIFY(!titles().contains(QStringLiteral("Logarithmic horizontal axis")));
        m_plot->setLogarithmic(true, false);
        m_plot->offerLinearX();
        choose(QStringLiteral("Logarithmic horizontal axis"));
        QVERIFY(!m_plot->isXLogarithmic());
        choose(QStringLiteral("Logarithmic horizontal axis"));
        QVERIFY(m_plot->isXLogarithmic());
    }

    void typedLimitsAreShown() {
        choose(QStringLiteral("Axis limits…"));
        auto* dialog = findControl<AxisLimitsDialog>(*m_plot, "axisLimitsDialog");
        type(*findControl<NumberField>(*dialog, "xHighField"), "4");
        type(*findControl<NumberField>(*dialog, "yLowField"), "-1.5");
        dialog->accept();
        QCOMPARE(m_plot->shownX().low, 1.0);
        QCOMPARE(m_plot->shownX().high, 4.0);
        QCOMPARE(m_plot->shownY().low, -1.5);
        QCOMPARE(m_plot->shownY().high, 5.0);
    }

    void limitsThatMakeNoAxisAreRefused() {
        AxisLimitsDialog dialog({{1.0, 10.0}, {0.0, 5.0}, true});
        auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QVERIFY(ok->isEnabled());
        type(*findControl<NumberField>(dialog, "yHighField"), "0");
        QVERIFY(!ok->isEnabled());
        QVERIFY(!findControl<QLabel>(dialog, "axisLimitsProblemLabel")->text().isEmpty());
        type(*findControl<NumberField>(dialog, "yHighField"), "1");
        QVERIFY(ok->isEnabled());
        type(*findControl<NumberField>(dialog, "xLowField"), "-1");
        QVERIFY2(!ok->isEnabled(), "a logarithmic axis has no negative part");
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
    QStringList titles() {
        QStringList found;
        withMenu([&](QMenu& menu) {
            for (const QAction* action : menu.actions()) {
                found.append(action->text().remove(QLatin1Char('&')));
            }
        });
        return found;
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
