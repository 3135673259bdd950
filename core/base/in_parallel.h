#pragma once

#include "core/base/parallel.h"
