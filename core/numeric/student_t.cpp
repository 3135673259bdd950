#include "core/numeric/student_t.h"

#include <boost/math/distributions/students_t.hpp>

namespace epsilens::numeric {

double studentQuantile(double degrees, double probability) {
    return boost::math::quantile(boost::math::students_t(degrees), probability);
}

double studentProbability(double degrees, double t) {
    return boost::math::cdf(boost::math::students_t(degrees), t);
}

}  // namespace epsilens::numeric
