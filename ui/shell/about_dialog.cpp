#include "ui/shell/about_dialog.h"

#include <QtWidgets>

#include "core/calibration/provenance.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr QSize kSize{640, 520};

QString resource(const char* name) {
    QFile file(QStringLiteral(":/licences/%1").arg(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QTextBrowser* addPage(QTabWidget& tabs, const QString& title, const char* objectName) {
    auto* page = described(new QTextBrowser(&tabs), objectName, title, tr("Text to read and copy"));
    page->setOpenLinks(false);
    page->setTabChangesFocus(true);
    tabs.addTab(page, title);
    return page;
}

QString buildText() {
#if defined(__clang__)
    const QString compiler = QStringLiteral("Clang ") + QLatin1String(__clang_version__);
#else
    const QString compiler = QStringLiteral("GCC ") + QLatin1String(__VERSION__);
#endif
    return tr("%1, %2, %3")
        .arg(QStringLiteral(EPSILENS_BUILD_TYPE), compiler, QSysInfo::buildAbi());
}

}  // namespace

QString versionText() {
    return QStringList{
        tr("Epsilens %1").arg(toQString(calibration::programVersion())),
        tr("Build: %1").arg(buildText()),
        tr("Qt: %1, built with %2")
            .arg(QString::fromLatin1(qVersion()), QStringLiteral(QT_VERSION_STR)),
        tr("System: %1, %2").arg(QSysInfo::prettyProductName(), QGuiApplication::platformName())}
        .join(QLatin1Char('\n'));
}

QDialog* newAboutDialog(QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("aboutDialog"));
    dialog->setWindowTitle(tr("About Epsilens"));
    dialog->resize(kSize);
    auto* version = selectable(wrapped(new QLabel(versionText(), dialog), "versionLabel"));
    auto* purpose = hintLabel(tr("What a privacy parameter means for real words: calibrates metric "
                                 "differential privacy for text. Free software under the GNU "
                                 "General Public License, version 3 or later, without any "
                                 "warranty."),
                              dialog);
    purpose->setWordWrap(true);

    auto* tabs = new QTabWidget(dialog);
    tabs->setObjectName(QStringLiteral("licencesTabs"));
    guardWheel(tabs->tabBar());
    addPage(*tabs, tr("Components"), "componentsText")->setMarkdown(resource("components.md"));
    addPage(*tabs, tr("WordNet"), "wordnetText")->setPlainText(resource("NOTICE"));
    addPage(*tabs, tr("GPL"), "gplText")->setPlainText(resource("LICENSE"));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    auto* copy = described(buttons->addButton(tr("&Copy version"), QDialogButtonBox::ActionRole),
                           "copyVersionButton", tr("Copy version"),
                           tr("Copies version, build, Qt and system for a bug report"));
    QObject::connect(copy, &QPushButton::clicked, dialog,
                     [] { QApplication::clipboard()->setText(versionText()); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    columnIn(dialog, kPanelMargin, {version, purpose, tabs, buttons}, kGroupSpacing)
        ->setStretchFactor(tabs, 1);
    return dialog;
}

}  // namespace epsilens::ui
