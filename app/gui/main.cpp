#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include <QApplication>
#include <QIcon>

#include "ui/shell/main_window.h"
#include "ui/shell/preferences.h"

namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

constexpr std::string_view kHelp =
    "Usage: epsilens [FILE]\n"
    "\n"
    "Opens the window of Epsilens with an embedding (GloVe, word2vec or fastText, text or binary,\n"
    "plain or compressed) or a session (.epsilens). Without FILE it opens the built-in\n"
    "sample; the name sample-poincare opens the built-in Poincaré vectors.\n"
    "\n"
    "Options:\n"
    "  -h, --help     this text\n"
    "  -v, --version  the version\n"
    "\n"
    "Without a display use epsilens-cli.\n";

void print(std::FILE* stream, std::string_view text) {
    (void)std::fwrite(text.data(), 1, text.size(), stream);
}

bool displayIsSet(std::span<char*> arguments) {
    for (const char* argument : arguments) {
        if (std::string_view(argument) == "-platform") {
            return true;
        }
    }
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): no threads yet
        if (value != nullptr && *value != '\0') {
            return true;
        }
    }
    return false;
}

/// Answers what needs no display; -1 when the window is wanted.
int answerWithoutWindow(std::span<char*> arguments) {
    for (const std::string_view argument : arguments.subspan(1)) {
        if (argument == "-h" || argument == "--help") {
            print(stdout, kHelp);
            return EXIT_SUCCESS;
        }
        if (argument == "-v" || argument == "--version") {
            print(stdout, "epsilens " EPSILENS_VERSION "\n");
            return EXIT_SUCCESS;
        }
    }
    if (!displayIsSet(arguments)) {
        print(stderr, "error: no display; the command line is epsilens-cli\n");
        return kExitFailed;
    }
    return -1;
}

int runWindow(const QStringList& arguments) {
    // packaging/run.sh tells by this answer that there is a display.
    if (arguments.size() > 2 ||
        (arguments.size() == 2 && arguments.at(1).startsWith(QLatin1String("--")))) {
        print(stderr, "error: epsilens takes one file at most; see epsilens --help\n");
        return kExitUsage;
    }
    epsilens::ui::Preferences::load().apply();
    epsilens::ui::MainWindow window;
    window.show();
    window.openAtStart(arguments);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char* argv[]) {
    const int answer = answerWithoutWindow({argv, static_cast<std::size_t>(argc)});
    if (answer >= 0) {
        return answer;
    }
    // A limit of the size of files makes a write fail; the signal would kill.
    std::signal(SIGXFSZ, SIG_IGN);
    const QApplication application(argc, argv);
    // QApplication takes over the user's locale; numbers of files and libraries stay in the C one.
    std::setlocale(LC_NUMERIC, "C");  // NOLINT(concurrency-mt-unsafe): no threads yet
    QApplication::setOrganizationName(QStringLiteral("epsilens"));
    QApplication::setApplicationName(QStringLiteral("epsilens"));
    QApplication::setApplicationDisplayName(QStringLiteral("Epsilens"));
    QApplication::setApplicationVersion(QStringLiteral(EPSILENS_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("epsilens"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/epsilens.svg")));
    return runWindow(QApplication::arguments());
}
