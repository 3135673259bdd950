#include <QSvgRenderer>

#include "core/base/random_stream.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;

namespace {

const QString kBinary = "application/x-word-vectors-binary";

QString typeOf(const QByteArray& content) {
    return QMimeDatabase().mimeTypeForData(content).name();
}

/// 40 vectors as word2vec writes them: binary, or as text; the same numbers, and the same first
/// line.
QByteArray vectors(int dimensions, bool isBinary) {
    SeededStream random(StreamKey{11, StreamPurpose::unitDraws, 0, 0});
    QByteArray content = "40 " + QByteArray::number(dimensions) + '\n';
    for (int row = 0; row < 40; ++row) {
        content += "w" + QByteArray::number(row) + (isBinary ? " " : "");
        for (int column = 0; column < dimensions; ++column) {
            const auto value = static_cast<float>(random.normal());
            if (isBinary) {
                // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes of a number
                content.append(reinterpret_cast<const char*>(&value), sizeof(value));
            } else {
                content += ' ' + QByteArray::number(static_cast<double>(value), 'f', 5);
            }
        }
        content += isBinary ? "" : "\n";
    }
    return content;
}

}  // namespace

/// What the desktop learns from the installed files: pictures of the program, types of files.
class DesktopTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const QDir types(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                         "/mime/packages");
        QVERIFY(types.mkpath("."));
        QVERIFY(QFile::copy(EPSILENS_MIME_TYPES, types.filePath("epsilens.xml")));
        QTRY_VERIFY(QMimeDatabase().mimeTypeForName(kBinary).isValid());
    }

    void binaryVectorsAreKnownByTheirContent() {
        for (const int dimensions : {2, 10, 64, 150, 300, 999, 1536, 4096}) {
            QCOMPARE(typeOf(vectors(dimensions, true)), kBinary);
            QCOMPARE(typeOf(vectors(dimensions, false)), "text/plain");
        }
    }

    /// A model of fastText begins with FASTTEXT_FILEFORMAT_MAGIC_INT32 = 793712314 and version 12,
    /// the lowest byte first.
    void modelsOfFastTextAreKnownByTheirFirstBytes() {
        QByteArray content = QByteArray("\xBA\x16\x4F\x2F\x0C\0\0\0", 8) + QByteArray(100, '\1');
        QCOMPARE(typeOf(content), kBinary);
        content[0] = '\xBB';
        QVERIFY(typeOf(content) != kBinary);
    }

    /// Nothing behind the first line, no dimensions, five digits, a word first.
    void otherFilesAreLeftToOthers() {
        const QByteArray rest(100, '\1');
        for (const QByteArray& content : {QByteArray("40 300\n"), QByteArray("40 \n\0\1\2", 7),
                                          "40 30000\n" + rest, "rows 300\n" + rest}) {
            QVERIFY2(typeOf(content) != kBinary, content.constData());
        }
    }

    void namesTellTheRest() {
        const auto named = [](const char* name) {
            return QMimeDatabase().mimeTypeForFile(name, QMimeDatabase::MatchExtension).name();
        };
        QCOMPARE(named("a.epsilens"), "application/x-epsilens-session");
        QCOMPARE(named("a.vec"), "application/x-word-vectors");
    }

    void thePicturesAreMadeFromTheDrawing() {
        const QString folder = EPSILENS_ICONS;
        for (const int size : {48, 128}) {
            const QImage picture = QImage(QString("%1/epsilens-%2.png").arg(folder).arg(size))
                                       .convertToFormat(QImage::Format_ARGB32);
            QCOMPARE(picture.size(), QSize(size, size));
            QImage drawn(size, size, QImage::Format_ARGB32);
            drawn.fill(Qt::transparent);
            QPainter painter(&drawn);
            QSvgRenderer(folder + "/epsilens.svg").render(&painter);
            painter.end();
            // Edges may be smoothed a little differently by another version of Qt.
            qint64 difference = 0;
            for (int y = 0; y < size; ++y) {
                for (int x = 0; x < size; ++x) {
                    const QRgb a = picture.pixel(x, y);
                    const QRgb b = drawn.pixel(x, y);
                    difference += std::abs(qAlpha(a) - qAlpha(b)) + std::abs(qRed(a) - qRed(b)) +
                                  std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
                }
            }
            QVERIFY(difference <= 4LL * size * size);
        }
    }
};

EPSILENS_UI_TEST(DesktopTest)
#include "desktop_test.moc"
