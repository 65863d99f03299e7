# For broom and the tidyverse: what was found as tables of one form.

tidy <- function(x, ...) UseMethod("tidy")
tidy.default <- function(x, ...) delegate("tidy", "generics", x, ...)
tidy.trib_run <- function(x, ...) shares(x, ...)
tidy.trib_factors <- function(x, ...) as.data.frame(x, ...)
tidy.trib_tensor <- function(x, ...) as.data.frame(x)

glance <- function(x, ...) UseMethod("glance")
glance.default <- function(x, ...) delegate("glance", "generics", x, ...)
glance.trib_run <- function(x, ...) {
    found <- shares_of(x, found_only = TRUE)
    as_table(data.frame(
        name = x$name, texts = length(x$titles), targets = length(x$targets),
        method = x$headline, sources = nrow(found),
        strongest = if (nrow(found)) max(found$share) else NA_real_,
        warnings = length(x$warnings), stringsAsFactors = FALSE))
}
glance.trib_factors <- function(x, ...)
    as_table(data.frame(rank = length(x$weights), modes = length(x$factors), fit = x$fit))
