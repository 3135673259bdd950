#include "ui/shell/about_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QTextBrowser>

#include "tests/ui/support/ui_test.h"

using namespace epsilens::ui;
using epsilens::test::findControl;

class AboutDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdsVersionLicencesAndNotice() {
        const AboutDialog dialog;
        const QString version = AboutDialog::versionText();
        QVERIFY(version.contains(QString::fromLatin1(qVersion())));
        QVERIFY(version.contains(QStringLiteral("0.1.0")));
        const auto text = [&dialog](const char* name) {
            return findControl<QTextBrowser>(dialog, name)->toPlainText();
        };
        for (const char* component : {"Qt 6", "QCustomPlot", "OpenBLAS", "WordNet 3.0"}) {
            QVERIFY2(text("componentsText").contains(QLatin1String(component)), component);
        }
        // WordNet's licence asks that its notice appear on all copies.
        QVERIFY(
            text("wordnetText")
                .contains(QStringLiteral("WordNet 3.0 Copyright 2006 by Princeton University.")));
        QVERIFY(text("gplText").contains(QStringLiteral("GNU GENERAL PUBLIC LICENSE")));
    }

    void copiesTheVersion() {
        const AboutDialog dialog;
        findControl<QPushButton>(dialog, "copyVersionButton")->click();
        QCOMPARE(QApplication::clipboard()->text(), AboutDialog::versionText());
    }
};

EPSILENS_UI_TEST(AboutDialogTest)
#include "about_dialog_test.moc"
