#include "core/mechanism/guarantee.h"

#include <cmath>

namespace epsilens::mechanism {

double oddsFactor(double bound, double distance) {
    return std::exp(bound * distance);
}

}  // namespace epsilens::mechanism
