#include "ui/shell/dropped_text.h"

#include <QFile>
#include <QPlainTextEdit>
#include <QTextCursor>

#include "core/embedding/row_readers.h"
#include "core/io/byte_source.h"
#include "core/io/text_decoder.h"
#include "ui/shell/session_file.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

bool holdsVectors(const QString& path) {
    auto source = io::ByteSource::open(toStdPath(path));
    return source &&
           embedding::detectFormat(**source, embedding::InputFormat::automatic).has_value();
}

}  // namespace

QPlainTextEdit* textEditorAt(QWidget* target) {
    for (QWidget* widget = target; widget != nullptr; widget = widget->parentWidget()) {
        if (widget->objectName() == QLatin1String("sentenceEdit")) {
            return qobject_cast<QPlainTextEdit*>(widget);
        }
    }
    return nullptr;
}

std::optional<QString> textOfFile(const QString& path) {
    QFile file(path);
    if (SessionFile::isSession(path) || file.size() > kMostTextBytes || holdsVectors(path) ||
        !file.open(QIODevice::ReadOnly)) {
        return std::nullopt;
    }
    const QByteArray bytes = file.readAll();
    auto decoder = io::TextDecoder::create();
    std::string text;
    if (!decoder ||
        !decoder->decode({bytes.constData(), static_cast<std::size_t>(bytes.size())}, true, text)) {
        return std::nullopt;
    }
    return toQString(text);
}

void replaceText(QPlainTextEdit& editor, const QString& text) {
    QTextCursor cursor(editor.document());
    cursor.select(QTextCursor::Document);
    cursor.insertText(text);
    editor.moveCursor(QTextCursor::Start);
}

}  // namespace epsilens::ui
