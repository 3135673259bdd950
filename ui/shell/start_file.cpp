#include "ui/shell/start_file.h"

#include <QFileInfo>

#include "ui/setup/embedding_loader.h"

namespace epsilens::ui {

QString startFile(const QStringList& arguments) {
    const QString name = arguments.size() == 2 ? arguments.at(1) : EmbeddingLoader::sampleName();
    const QFileInfo file(name);
    const bool builtIn =
        arguments.size() < 2 || (EmbeddingLoader::isBuiltIn(name) && !file.exists());
    return builtIn ? name : file.absoluteFilePath();
}

}  // namespace epsilens::ui
