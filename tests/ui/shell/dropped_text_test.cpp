#include "ui/shell/dropped_text.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QUrl>

#include "tests/ui/support/ui_test.h"
#include "ui/shell/main_window.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

void dropOn(QWidget& target, const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &enter);
    QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &drop);
}

/// Vectors of four dimensions, a word a line.
QByteArray fewVectors() {
    QByteArray text;
    for (int row = 0; row < 30; ++row) {
        text += "word" + QByteArray::number(row);
        for (int column = 0; column < 4; ++column) {
            text += ' ' + QByteArray::number((row * 7 + column * column * 3) % 11 * 0.25, 'f', 2);
        }
        text += '\n';
    }
    return text;
}

}  // namespace

class DroppedTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// There a text is meant; vectors are opened wherever they are dropped.
    void aTextDroppedOnTheEditorIsTheTextToLookAt() {
        MainWindow window;
        auto* editor = new QPlainTextEdit(QStringLiteral("before"), &window);
        editor->setObjectName(QStringLiteral("sentenceEdit"));
        const QByteArray text = "Grüße from Paris,\nand from London";
        dropOn(*editor->viewport(), write("letter.txt", text));
        QTRY_COMPARE(editor->toPlainText(), QString::fromUtf8(text));
        QVERIFY(window.state().embedding() == nullptr);
        QCOMPARE(window.jobs().runningCount(), 0);
        editor->undo();
        QCOMPARE(editor->toPlainText(), QStringLiteral("before"));
        dropOn(*editor->viewport(), write("vectors.txt", fewVectors()));
        QTRY_VERIFY(window.state().embedding() != nullptr);
        QCOMPARE(editor->toPlainText(), QStringLiteral("before"));
    }

    void onlyTextIsTakenAsText() {
        QVERIFY(textOfFile(write("mine.txt", "two words\n")) == QStringLiteral("two words\n"));
        QVERIFY(!textOfFile(write("bytes.txt", QByteArray("a\0\xff\xfe", 4))));
        QVERIFY(!textOfFile(write("vectors.txt", fewVectors())));
        QVERIFY(!textOfFile(write("large.txt", QByteArray(kMostTextBytes + 1, 'a'))));
        QVERIFY(!textOfFile(m_folder.filePath(QStringLiteral("none.txt"))));
        QVERIFY(textEditorAt(nullptr) == nullptr);
    }

private:
    [[nodiscard]] QString write(const char* name, const QByteArray& content) const {
        QFile file(m_folder.filePath(QLatin1String(name)));
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size()
                   ? file.fileName()
                   : QString();
    }

    QTemporaryDir m_folder;
};

EPSILENS_UI_TEST(DroppedTextTest)
#include "dropped_text_test.moc"
