# Sparse tensors: an index for each nonzero, from 1, and its value.

trib_tensor <- function(x, ...) UseMethod("trib_tensor")

trib_tensor.trib_tensor <- function(x, ...) x

trib_tensor.default <- function(x, ...) {
    if (inherits(x, "simple_triplet_matrix"))
        new_tensor(cbind(x$i, x$j), x$v, c(x$nrow, x$ncol), x$dimnames)
    else if (inherits(x, "simple_sparse_array"))
        new_tensor(x$i, x$v, x$dim, x$dimnames)
    else if (methods::is(x, "Matrix"))  # of the package Matrix; a dfm of quanteda is one
        of_matrix(x)
    else if (inherits(x, "Tensor") && isS4(x))  # of the package rTensor
        trib_tensor.default(methods::slot(x, "data"))
    else if ((is.numeric(x) || is.logical(x)) && !is.null(dim(x)))
        new_tensor(which(x != 0 | is.na(x), arr.ind = TRUE, useNames = FALSE), x[x != 0 | is.na(x)],
                   dim(x), dimnames(x))
    else
        fail(2, "trib_tensor() takes an array, a matrix of the package Matrix, an array of slam ",
             "or a run; this is of class ", class(x)[1])
}

of_matrix <- function(x) {
    for (form in c("generalMatrix", "TsparseMatrix"))
        x <- methods::as(x, form)
    cells <- methods::slotNames(x)
    value <- if ("x" %in% cells) as.numeric(x@x) else rep(1, length(x@i))
    new_tensor(cbind(x@i, x@j) + 1, value, x@Dim, x@Dimnames)
}

trib_tensor.trib_run <- function(x, document, ...) {
    id <- ids_from(x, document, "document")
    file <- file_of(x$directory, paste0("tensors/", id, ".fragment"), "tensors")
    rows <- call_program(c("tensor", "find", file))
    fields <- strsplit(rows[grepl("^[0-9]", rows)], "[ \t]+")
    cells <- matrix(as.numeric(unlist(fields)), nrow = length(fields), byrow = TRUE)
    words <- readLines(sub("fragment$", "words", file), encoding = "UTF-8")
    modes <- ncol(cells) - 1
    new_tensor(cells[, seq_len(modes), drop = FALSE], cells[, modes + 1],
               rep(length(words), modes), rep(list(words), modes))
}

# Checks what a caller gave, adds values at the same place, and leaves out zeros.
new_tensor <- function(index, value, dim, dimnames = NULL) {
    index <- as.matrix(index)
    storage.mode(index) <- "double"
    if (!length(dim) || length(dim) > 8 || anyNA(dim) || any(dim < 1 | dim != round(dim)))
        fail(2, "a tensor has 1 to 8 modes, each of a whole number from 1")
    if (ncol(index) != length(dim) || nrow(index) != length(value))
        fail(2, "there are ", nrow(index), " indices of ", ncol(index), " modes, ", length(value),
             " values and ", length(dim), " sizes")
    if (is.complex(value) || !all(is.finite(value)))
        fail(2, "the values of a tensor are real numbers; one is complex, infinite or missing")
    if (anyNA(index) || any(index < 1 | index != round(index)) ||
        any(index > rep(dim, each = nrow(index))))
        fail(2, "an index is no whole number from 1 to the size of its mode")
    dimnames(index) <- NULL
    value <- as.numeric(value)
    sorted <- do.call(order, lapply(rev(seq_along(dim)), function(m) index[, m]))
    index <- index[sorted, , drop = FALSE]
    first <- rep(TRUE, nrow(index))
    if (nrow(index) > 1)
        first[-1] <- rowSums(index[-1, , drop = FALSE] != index[-nrow(index), , drop = FALSE]) > 0
    value <- as.vector(rowsum(value[sorted], cumsum(first), reorder = FALSE))
    index <- index[first, , drop = FALSE]
    kept <- value != 0
    structure(list(index = index[kept, , drop = FALSE], value = value[kept], dim = as.numeric(dim),
                   dimnames = if (any(lengths(dimnames))) dimnames), class = "trib_tensor")
}

dim.trib_tensor <- function(x) unclass(x)$dim
dimnames.trib_tensor <- function(x) unclass(x)$dimnames

as.data.frame.trib_tensor <- function(x, row.names = NULL, optional = FALSE, ...) {
    x <- unclass(x)
    columns <- lapply(seq_along(x$dim), function(m)
        if (is.null(x$dimnames[[m]])) whole(x$index[, m]) else x$dimnames[[m]][x$index[, m]])
    names(columns) <- paste0("mode_", seq_along(columns))
    as_table(data.frame(columns, value = x$value, stringsAsFactors = FALSE))
}

to_Matrix <- function(x) {
    if (length(dim(x)) != 2)
        fail(2, "a matrix has 2 modes, and this tensor ", length(dim(x)))
    if (!requireNamespace("Matrix", quietly = TRUE))
        fail(1, "the package Matrix is not installed: install.packages(\"Matrix\")")
    names <- if (is.null(dimnames(x))) list(NULL, NULL) else dimnames(x)
    x <- unclass(x)
    Matrix::sparseMatrix(x$index[, 1], x$index[, 2], x = x$value, dims = x$dim, dimnames = names)
}

to_simple_sparse_array <- function(x) {
    x <- unclass(x)
    index <- x$index
    storage.mode(index) <- "integer"
    structure(list(i = index, v = x$value, dim = as.integer(x$dim), dimnames = x$dimnames),
              class = "simple_sparse_array")
}

factors.trib_tensor <- function(x, rank = 10, ...) {
    x <- unclass(x)
    if (!length(x$value))
        fail(4, "the tensor has no nonzero")
    folder <- tempfile("tributary-cp-")
    dir.create(folder)
    on.exit(unlink(folder, recursive = TRUE))
    file <- file.path(folder, "x.tns")
    columns <- lapply(seq_along(x$dim), function(m) sprintf("%.0f", x$index[, m]))
    writeLines(do.call(paste, c(columns, list(vapply(x$value, number, "")))), file)
    given <- list(...)
    is_short <- !grepl("^(cp|tensor|resources)(_|$)", names(given))
    names(given)[is_short] <- paste0("cp_", names(given)[is_short])
    settings <- settings_of(c(list(cp_rank = rank), given))
    arguments <- c("cp", file, "-o", file.path(folder, "out"))
    for (key in names(settings))
        arguments <- c(arguments, "--set", paste0(key, "=", json(settings[[key]])))
    call_program(arguments)
    found <- read_ktns(file.path(folder, "out", "factors.ktns"))
    found$factors <- lapply(seq_along(x$dim), function(m) {
        factor <- found$factors[[m]]  # of the rows up to the last nonzero
        rest <- matrix(0, x$dim[m] - nrow(factor), ncol(factor))
        structure(rbind(unname(factor), rest), dimnames = list(x$dimnames[[m]], NULL))
    })
    found
}

print.trib_tensor <- function(x, ...) {
    cat("<trib_tensor> ", paste(dim(x), collapse = " x "), ", ", length(unclass(x)$value),
        " nonzeros\n", sep = "")
    print(utils::head(as.data.frame(x)), ...)
    invisible(x)
}
