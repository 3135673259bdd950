#include "ui/shell/start_file.h"

#include <QAction>
#include <QFileInfo>
#include <QTabWidget>

#include "ui/setup/embedding_loader.h"
#include "ui/shell/main_window.h"

namespace epsilens::ui {

QString startFile(const QStringList& arguments) {
    const QString name = arguments.size() == 2 ? arguments.at(1) : EmbeddingLoader::sampleName();
    const QFileInfo file(name);
    const bool builtIn =
        arguments.size() < 2 || (EmbeddingLoader::isBuiltIn(name) && !file.exists());
    return builtIn ? name : file.absoluteFilePath();
}

void openStartFile(MainWindow& window, const QStringList& arguments) {
    window.state().edit(&AnalysisSettings::choose, mechanism::Tem{});
    window.history().forget();
    // When the page is there, what is typed goes into its text.
    QObject::connect(
        &window.state(), &AnalysisState::embeddingChanged, &window,
        [&window] {
            const auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("tabs"));
            const auto* page = qobject_cast<const Panel*>(tabs->currentWidget());
            if (page != nullptr && page->handles(PanelCommand::focusSentence)) {
                window.actions().focusSentence->trigger();
            }
        },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    window.open(startFile(arguments));
}

}  // namespace epsilens::ui
