#include "app/cli/program.h"

int main(int argc, char** argv) {
    return epsilens::cli::runProgram(argc, argv);
}
