# Graphs and distances: who draws on whom.

# The generic of igraph; its method for runs is registered below, when igraph is loaded.
as.igraph <- function(x, ...) {
    if (!requireNamespace("igraph", quietly = TRUE))
        fail(1, "the package igraph is not installed: install.packages(\"igraph\")")
    igraph::as.igraph(x, ...)
}

as.igraph.trib_run <- function(x, min_share = 0, method = NULL, ...) {
    known <- table_of(x, "documents.csv")
    found <- shares_of(x, method, found_only = TRUE)
    found <- found[found$share >= min_share & found$share > 0, ]
    igraph::graph_from_data_frame(
        data.frame(from = found$source, to = found$target, share = found$share,
                   weight = found$share, stringsAsFactors = FALSE),
        vertices = known[c("id", "title", "author", "date", "year", "words")])
}

as.dist.trib_run <- function(m, diag = FALSE, upper = FALSE) {
    ids <- names(m$titles)
    likeness <- matrix(0, length(ids), length(ids), dimnames = list(ids, ids))
    found <- shares_of(m, found_only = TRUE)
    likeness[cbind(found$target, found$source)] <- found$share
    as.dist(1 - pmin(pmax(likeness, t(likeness)), 1), diag, upper)
}

factor_distances <- function(x, ...) UseMethod("factor_distances")
factor_distances.trib_run <- function(x, ...) {
    values <- read_npy(file_of(x$directory, "distances.npy", "npy"))
    names <- read_table(file_of(x$directory, "distances.names.tsv", "npy"))
    of <- function(axis)
        with(names[names$axis == axis, ], paste0(document, ":", component))
    dimnames(values) <- list(of("row"), of("column"))
    values
}

document_distances <- function(x, ...) UseMethod("document_distances")
document_distances.trib_run <- function(x, column = "mean_distance", ...) {
    found <- read_table(file_of(x$directory, "distances.csv", "csv"))
    tapply(found[[column]], found[c("target", "source")], c)
}

# Reads a .npy file of doubles, as run directories have them: one or two dimensions, row by row.
read_npy <- function(path) {
    file <- file(path, "rb")
    on.exit(close(file))
    magic <- readBin(file, "raw", 8)
    size <- readBin(file, "integer", 1, 2, signed = FALSE, endian = "little")
    header <- if (length(size)) readChar(file, size, useBytes = TRUE) else ""
    is_ours <- length(magic) == 8 && identical(magic[2:6], charToRaw("NUMPY")) &&
        grepl("'<f8'", header) && grepl("'fortran_order': False", header)
    if (!is_ours)
        fail(4, path, ": is no array of doubles")
    dims <- as.numeric(regmatches(header, gregexpr("[0-9]+(?=[,)])", header, perl = TRUE))[[1]])
    values <- readBin(file, "double", prod(dims), 8, endian = "little")
    if (length(values) != prod(dims))
        fail(4, path, ": is damaged")
    if (length(dims) == 2) matrix(values, dims[1], dims[2], byrow = TRUE) else values
}

# Methods for the generics of other packages that have the names of ours, when they are loaded.
.onLoad <- function(libname, pkgname) {
    others <- list(c("igraph", "as.igraph", "trib_run"), c("quanteda", "kwic", "trib_run"),
                   c("generics", "tidy", "trib_run"), c("generics", "tidy", "trib_factors"),
                   c("generics", "tidy", "trib_tensor"), c("generics", "glance", "trib_run"),
                   c("generics", "glance", "trib_factors"))
    for (one in others) local({
        of <- one[1]
        generic <- one[2]
        kind <- one[3]
        method <- get(paste0(generic, ".", kind))
        register <- function(...)
            if (exists(generic, envir = asNamespace(of), inherits = FALSE))
                registerS3method(generic, kind, method, envir = asNamespace(of))
        if (isNamespaceLoaded(of))
            register()
        setHook(packageEvent(of, "onLoad"), register)
    })
}
