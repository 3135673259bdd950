#include "ui/shell/command_line.h"

#include <vector>

#include <QCoreApplication>

#include "core/mechanism/grid.h"
#include "core/metric/metric.h"
#include "core/report/shell_words.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using calibration::CalibrationOptions;
using calibration::WordSelection;

QString listText(const std::vector<double>& values) {
    QStringList texts;
    for (const double value : values) {
        texts.append(shortest(value));
    }
    return texts.join(QLatin1Char(','));
}

void addMechanism(QStringList& arguments, const mechanism::Grid& grid) {
    const auto add = [&arguments](const char* name, const QString& value) {
        arguments << QLatin1String(name) << value;
    };
    const mechanism::Parameters parameters = grid.mechanism.parameters();
    add("--mechanism", toQString(grid.mechanism.name()));
    if (parameters.metric) {
        add("--metric", toQString(metric::metricKey(*parameters.metric)));
    }
    add("--epsilon", listText(grid.epsilons));
    if (parameters.lambda) {
        add("--lambda", listText(grid.lambdas));
    }
    if (grid.mechanism.hasRadius()) {
        const bool isGiven = !grid.gammas.empty();
        add(isGiven ? "--gamma" : "--beta", listText(isGiven ? grid.gammas : grid.betas));
    }
    if (parameters.law) {
        add("--noise", toQString(mechanism::radialLawName(*parameters.law)));
    }
}

void addSelection(QStringList& arguments, const calibration::SelectionDescription& selection) {
    arguments << QStringLiteral("--words") << toQString(selection.words);
    if (!selection.dataFile.empty()) {
        arguments << QStringLiteral("--data")
                  << toQString(report::fileArgument(selection.dataFile));
    }
    if (!selection.dataColumn.empty()) {
        arguments << QStringLiteral("--column") << toQString(selection.dataColumn);
    }
    if (selection.letterCase != text::CasePolicy::automatic) {
        arguments << QStringLiteral("--case")
                  << toQString(text::casePolicyName(selection.letterCase));
    }
}

/// What has to be done before a command with such words runs; empty for nothing.
QString selectionRemark(const std::optional<calibration::SelectionDescription>& selection) {
    if (!selection) {
        return QCoreApplication::translate(
            "CommandLine",
            "The words were chosen one by one: put them into words.txt, one per line.");
    }
    const bool isList = selection->words.starts_with('@');
    if (!isList && selection->dataFile.empty()) {
        return {};
    }
    const std::string file = isList ? selection->words.substr(1) : selection->dataFile;
    return QCoreApplication::translate("CommandLine", "Run it in the folder of %1.")
        .arg(toQString(file));
}

QString wordsText(const WordSelection& words) {
    switch (words.kind) {
        case WordSelection::Kind::all:
            return QStringLiteral("all");
        case WordSelection::Kind::list:
            return QStringLiteral("@words.txt");
        case WordSelection::Kind::random:
            break;
    }
    return QString::number(words.count);
}

}  // namespace

QString CommandLine::text() const {
    QStringList parts;
    for (const QString& argument : arguments) {
        parts.append(toQString(report::shellQuoted(toStd(argument))));
    }
    return parts.join(QLatin1Char(' '));
}

CommandLine calibrateCommand(const CalibrationOptions& options, const CommandSource& source) {
    CommandLine command;
    QStringList& arguments = command.arguments;
    arguments << QStringLiteral("epsilens-cli") << QStringLiteral("calibrate");
    arguments << toQString(report::fileArgument(toStd(source.path)));
    if (source.firstRows > 0) {
        arguments << QStringLiteral("--limit-rows") << QString::number(source.firstRows);
    }
    addMechanism(arguments, options.grid);
    const bool isList = options.words.kind == WordSelection::Kind::list;
    if (isList && source.selection) {
        addSelection(arguments, *source.selection);
    } else {
        arguments << QStringLiteral("--words") << wordsText(options.words);
    }
    arguments << QStringLiteral("--draws") << QString::number(options.draws);
    arguments << QStringLiteral("--near") << QString::number(options.nearNeighbours);
    arguments << QStringLiteral("--seed") << QString::number(options.seed);
    command.remark = isList ? selectionRemark(source.selection) : QString();
    return command;
}

}  // namespace epsilens::ui
