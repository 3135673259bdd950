#include "core/numeric/student_t.h"

#include <cmath>

#include <boost/math/distributions/students_t.hpp>

namespace epsilens::numeric {

double studentQuantile(double degrees, double probability) {
    return boost::math::quantile(boost::math::students_t(degrees), probability);
}

double studentProbability(double degrees, double t) {
    if (std::isinf(t)) {
        return t > 0.0 ? 1.0 : 0.0;
    }
    return boost::math::cdf(boost::math::students_t(degrees), t);
}

}  // namespace epsilens::numeric
