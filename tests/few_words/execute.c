/* execute.c - runs of the program that hold few words in memory, so that small texts go the way of
 * large ones. The linker replaces trib_run_execute by this function (--wrap). */
#include "pipeline/run/run.h"

trib_status __real_trib_run_execute(trib_run *run, const trib_config *config,
                                    const trib_run_options *options, trib_log *log,
                                    trib_error *error);
trib_status __wrap_trib_run_execute(trib_run *run, const trib_config *config,
                                    const trib_run_options *options, trib_log *log,
                                    trib_error *error);

trib_status __wrap_trib_run_execute(trib_run *run, const trib_config *config,
                                    const trib_run_options *options, trib_log *log,
                                    trib_error *error) {
    enum { FEW = 50 };
    trib_run_options few = *options;
    few.most_words = FEW;
    return __real_trib_run_execute(run, config, &few, log, error);
}
