# Failures of the program, as conditions with its own words.

# The class of an error, by the exit status of the program.
error_classes <- c("2" = "trib_usage_error", "3" = "trib_config_error",
                   "4" = "trib_document_error", "6" = "trib_limit_error", "75" = "trib_requeue")

# Signals an error of class trib_error; `status` is the exit status of the program.
fail <- function(status, ...) {
    special <- unname(error_classes[as.character(status)])
    stop(structure(
        list(message = paste0(...), call = NULL, status = as.integer(status)),
        class = c(if (!is.na(special)) special, "trib_error", "error", "condition")))
}

# Issues a warning of the program.
warn <- function(text)
    warning(structure(list(message = text, call = NULL),
                      class = c("trib_warning", "warning", "condition")))

quoted <- function(text) paste0("'", text, "'")
