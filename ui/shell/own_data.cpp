#include "ui/shell/own_data.h"

#include <QAction>
#include <QMenu>

#include "ui/dial/dial_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/setting_bar.h"
#include "ui/tradeoff/trade_off_panel.h"

namespace epsilens::ui {

namespace {

QAction* add(QMenu& menu, const char* objectName, const QString& text) {
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(objectName));
    return action;
}

}  // namespace

void showOwnData(MainWindow& window, TradeOffPanel& tradeOff, DialPanel& dial) {
    auto& bar = *window.findChild<SettingBar*>();
    auto* menu = new QMenu(&tradeOff);
    menu->setObjectName(QStringLiteral("dataMenu"));
    QAction* open = add(*menu, "openDataAction", MainWindow::tr("&Open texts…"));
    QAction* folder =
        add(*menu, "openDataFolderAction", MainWindow::tr("Open a &folder of texts…"));
    menu->addSeparator();
    QAction* weigh =
        add(*menu, "weighDialAction", MainWindow::tr("&Weight the dial by their words"));
    weigh->setCheckable(true);
    QAction* measure = add(*menu, "showTradeOffAction", MainWindow::tr("Show in &Texts"));
    menu->addAction(window.actions().release);
    menu->addSeparator();
    QAction* drop = add(*menu, "dropDataAction",
                        MainWindow::tr("&Drop these texts and what was measured on them"));
    bar.offerData(*menu);

    QObject::connect(open, &QAction::triggered, &tradeOff, &TradeOffPanel::chooseFile);
    QObject::connect(folder, &QAction::triggered, &tradeOff, &TradeOffPanel::chooseFolder);
    QObject::connect(weigh, &QAction::triggered, &dial,
                     [&dial](bool isShown) { dial.model().showOwnText(isShown); });
    QObject::connect(measure, &QAction::triggered, &tradeOff,
                     [&window, &tradeOff] { window.showPanel(&tradeOff); });
    QObject::connect(drop, &QAction::triggered, &tradeOff,
                     [&tradeOff] { tradeOff.model().dropTexts(); });

    const LabelledSource& source = tradeOff.model().source();
    const auto follow = [&bar, &source, &dial, open, weigh, drop] {
        bar.showData(source.isReading() ? MainWindow::tr("reading…") : source.shortText(),
                     source.unknownText());
        const bool hasTexts = source.texts() != nullptr;
        open->setText(hasTexts ? MainWindow::tr("&Open other texts…")
                               : MainWindow::tr("&Open texts…"));
        weigh->setEnabled(hasTexts);
        weigh->setChecked(hasTexts && dial.model().isOwnTextWanted());
        drop->setEnabled(hasTexts);
    };
    QObject::connect(&source, &LabelledSource::changed, &bar, follow);
    QObject::connect(&source, &LabelledSource::coverageChanged, &bar, follow);
    QObject::connect(&source, &LabelledSource::failed, &window,
                     [&window, &tradeOff](const Error& error) {
                         if (error.code != ErrorCode::cancelled) {
                             window.showPanel(&tradeOff);  // where it says why
                         }
                     });
    // The dial has the same choice as a link.
    QObject::connect(menu, &QMenu::aboutToShow, &bar, follow);
    follow();
}

}  // namespace epsilens::ui
