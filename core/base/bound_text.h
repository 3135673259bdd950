#pragma once

#include "core/base/numbers.h"
