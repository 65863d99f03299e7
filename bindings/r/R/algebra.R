# The algebra of sparse tensors, by the generics of R's arrays. A result in which empty cells stay 0
# is a tensor; another, such as cos(x), is an array of all cells.

as.array.trib_tensor <- function(x, ...) {
    x <- unclass(x)
    if (prod(x$dim) >= 2^31)
        fail(6, "the tensor has ", format(prod(x$dim)), " cells, too many to write all of them out")
    found <- array(0, x$dim, x$dimnames)
    found[x$index] <- x$value
    found
}

as.matrix.trib_tensor <- function(x, ...) as.matrix(as.array(x))
as.double.trib_tensor <- function(x, ...) as.double(as.array(x))
head.trib_tensor <- function(x, ...) utils::head(as.data.frame(x), ...)

`dimnames<-.trib_tensor` <- function(x, value) {
    if (!is.null(value) && (length(value) != length(dim(x)) ||
                            any(lengths(value) > 0 & lengths(value) != dim(x))))
        fail(2, "dimnames are NULL or a name for each index, for each of the ", length(dim(x)),
             " modes")
    new_tensor(unclass(x)$index, unclass(x)$value, dim(x), value)
}

# A number for each row of `index`, in column-major order, the same for the same cell.
cell_numbers <- function(index, dim) {
    if (prod(dim) > 2^53)
        fail(6, "the tensor has more than 2^53 cells; take a slice first")
    as.vector((index - 1) %*% cumprod(c(1, dim))[seq_along(dim)])
}

# The tensor with other values.
with_values <- function(x, value)
    new_tensor(unclass(x)$index, as.numeric(value), dim(x), dimnames(x))

is_zero <- function(value) length(value) == 1 && !is.na(value) && value == 0

Ops.trib_tensor <- function(e1, e2) {
    f <- get(.Generic, baseenv())
    if (missing(e2))
        return(if (is_zero(f(0))) with_values(e1, f(unclass(e1)$value)) else f(as.array(e1)))
    if (is_number(e1) || is_number(e2)) {
        at_zero <- if (is_number(e1)) f(e1, 0) else f(0, e2)
        if (!is_zero(at_zero))
            return(if (is_number(e1)) f(e1, as.array(e2)) else f(as.array(e1), e2))
        return(if (is_number(e1)) with_values(e2, f(e1, unclass(e2)$value))
               else with_values(e1, f(unclass(e1)$value, e2)))
    }
    x <- trib_tensor(e1)
    y <- trib_tensor(e2)
    if (!identical(dim(x), dim(y)))
        fail(2, "the tensors are ", paste(dim(x), collapse = " x "), " and ",
             paste(dim(y), collapse = " x "), "; `", .Generic, "` takes two of the same size")
    if (!is_zero(f(0, 0)))
        return(f(as.array(x), as.array(y)))
    index <- rbind(unclass(x)$index, unclass(y)$index)
    cell <- cell_numbers(index, dim(x))
    first <- !duplicated(cell)
    at <- function(one) {
        value <- c(unclass(one)$value, 0)
        value[match(cell[first], cell_numbers(unclass(one)$index, dim(one)), length(value))]
    }
    new_tensor(index[first, , drop = FALSE], as.numeric(f(at(x), at(y))), dim(x), dimnames(x))
}

is_number <- function(x) is.null(dim(x)) && length(x) == 1 && (is.numeric(x) || is.logical(x))

Math.trib_tensor <- function(x, ...) {
    f <- get(.Generic, baseenv())
    is_cumulative <- startsWith(.Generic, "cum")
    if (!is_cumulative && is_zero(suppressWarnings(f(0, ...))))
        with_values(x, f(unclass(x)$value, ...))
    else
        f(as.array(x), ...)
}

# The values and, where there are empty cells, one 0 for them.
distinct <- function(x) {
    x <- unclass(x)
    c(x$value, if (length(x$value) < prod(x$dim)) 0)
}

Summary.trib_tensor <- function(..., na.rm = FALSE) {
    values <- lapply(list(...), function(x) if (inherits(x, "trib_tensor")) distinct(x) else x)
    if (.Generic %in% c("any", "all"))
        values <- lapply(values, function(value) value != 0)
    do.call(.Generic, c(values, na.rm = na.rm))
}

mean.trib_tensor <- function(x, ...) sum(x) / prod(dim(x))

aperm.trib_tensor <- function(a, perm = NULL, ...) {
    n <- length(dim(a))
    perm <- if (is.null(perm)) rev(seq_len(n)) else perm
    if (!identical(sort(as.numeric(perm)), as.numeric(seq_len(n))))
        fail(2, "an order of the modes has each number from 1 to ", n, " once")
    new_tensor(unclass(a)$index[, perm, drop = FALSE], unclass(a)$value, dim(a)[perm],
               dimnames(a)[perm])
}

t.trib_tensor <- function(x) aperm.trib_tensor(x)

collapse <- function(x, over, by = sum) {
    x <- unclass(trib_tensor(x))
    over <- modes_of(x, over)
    rest <- setdiff(seq_along(x$dim), over)
    if (!length(rest))
        return(by(distinct(x)))
    index <- x$index[, rest, drop = FALSE]
    cell <- cell_numbers(index, x$dim[rest])
    each <- split(x$value, factor(cell, unique(cell)))
    value <- vapply(each, function(value)
        as.numeric(by(c(value, if (length(value) < prod(x$dim[over])) 0))), 0)
    new_tensor(index[!duplicated(cell), , drop = FALSE], value, x$dim[rest], x$dimnames[rest])
}

modes_of <- function(x, modes) {
    if (!is.numeric(modes) || !all(modes %in% seq_along(x$dim)) || anyDuplicated(modes))
        fail(2, "modes are different numbers from 1 to ", length(x$dim))
    modes
}

ttv <- function(x, vector, mode) {
    x <- trib_tensor(x)
    at <- modes_of(unclass(x), mode)
    if (length(at) != 1 || length(vector) != dim(x)[at])
        fail(2, "mode ", mode[1], " has ", dim(x)[at][1], " indices, and the vector ",
             length(vector), " numbers")
    collapse(with_values(x, unclass(x)$value * as.vector(vector)[unclass(x)$index[, at]]), at)
}

ttm <- function(x, matrix, mode) {
    x <- unclass(trib_tensor(x))
    at <- modes_of(x, mode)
    matrix <- as.matrix(matrix)
    if (length(at) != 1 || ncol(matrix) != x$dim[at])
        fail(2, "mode ", mode[1], " has ", x$dim[at][1], " indices, and the matrix ", ncol(matrix),
             " columns")
    rows <- rep(seq_len(nrow(matrix)), each = length(x$value))
    index <- x$index[rep(seq_along(x$value), nrow(matrix)), , drop = FALSE]
    value <- x$value * as.vector(t(matrix[, x$index[, at], drop = FALSE]))
    index[, at] <- rows
    x$dim[at] <- nrow(matrix)
    if (length(x$dimnames))
        x$dimnames[at] <- list(rownames(matrix))
    new_tensor(index, value, x$dim, x$dimnames)
}

# The indices that a subscript of a mode means, in its order.
positions <- function(subscript, size, names) {
    found <- if (is.character(subscript)) match(subscript, names) else seq_len(size)[subscript]
    if (anyNA(found))
        fail(2, "a subscript is none of the ", size, " indices of its mode")
    found
}

# What stands between the brackets: NULL for an empty place.
subscripts <- function(given, frame, n_modes) {
    if (length(given) != n_modes)
        fail(2, "a tensor of ", n_modes, " modes takes ", n_modes, " subscripts, a mask or a ",
             "matrix with a row for each cell")
    lapply(given, function(one) if (identical(one, quote(expr = ))) NULL else eval(one, frame))
}

`[.trib_tensor` <- function(x, ..., drop = TRUE) {
    given <- eval(substitute(alist(...)))
    if (length(given) == 1 && length(dim(x)) != 1) {
        if (identical(given[[1]], quote(expr = )))
            return(x)
        cells <- cells_of(x, ..1)
        value <- c(unclass(x)$value, 0)
        return(value[match(cell_numbers(cells, dim(x)), cell_numbers(unclass(x)$index, dim(x)),
                           length(value))])
    }
    given <- subscripts(given, parent.frame(), length(dim(x)))
    x <- unclass(x)
    for (m in which(!vapply(given, is.null, TRUE))) {
        taken <- positions(given[[m]], x$dim[m], x$dimnames[[m]])
        places <- split(seq_along(taken), match(taken, unique(taken)))
        found <- match(x$index[, m], unique(taken))
        hits <- places[found[!is.na(found)]]
        rows <- rep(which(!is.na(found)), lengths(hits))
        x$index <- x$index[rows, , drop = FALSE]
        x$index[, m] <- as.numeric(unlist(hits))
        x$value <- x$value[rows]
        x$dim[m] <- length(taken)
        if (length(x$dimnames[[m]]))
            x$dimnames[[m]] <- x$dimnames[[m]][taken]
    }
    if (any(x$dim == 0))
        fail(2, "a subscript takes no index; a mode of a tensor has at least one")
    kept <- if (drop) which(x$dim > 1) else seq_along(x$dim)
    if (!length(kept))
        return(sum(x$value))
    new_tensor(x$index[, kept, drop = FALSE], x$value, x$dim[kept], x$dimnames[kept])
}

# A matrix of the cells that a mask selects, or that are listed.
cells_of <- function(x, chosen) {
    if (inherits(chosen, "trib_tensor") || identical(as.numeric(dim(chosen)), dim(x)))
        unclass(trib_tensor(chosen != 0))$index
    else if (is.matrix(chosen) && ncol(chosen) == length(dim(x)))
        chosen
    else
        fail(2, "cells are chosen by a mask of the size of the tensor, or by a matrix with a ",
             "column for each mode")
}

`[<-.trib_tensor` <- function(x, ..., value) {
    given <- eval(substitute(alist(...)))
    if (length(given) == 1 && length(dim(x)) != 1 && !identical(given[[1]], quote(expr = ))) {
        cells <- cells_of(x, ..1)
    } else {
        if (length(given) == 1)  # x[] <- value
            given <- rep(given, length(dim(x)))
        given <- subscripts(given, parent.frame(), length(dim(x)))
        cells <- Map(function(one, size, m) if (is.null(one)) seq_len(size) else
            positions(one, size, dimnames(x)[[m]]), given, dim(x), seq_along(given))
        if (prod(lengths(cells)) >= 2^31)
            fail(6, "the assignment names ", format(prod(lengths(cells))), " cells, too many")
        cells <- as.matrix(expand.grid(cells))
    }
    value <- if (inherits(value, "trib_tensor")) as.vector(as.array(value)) else as.vector(value)
    if (nrow(cells) > 0 && (length(value) == 0 || nrow(cells) %% length(value)))
        fail(2, length(value), " values do not fill ", nrow(cells), " cells")
    cell <- cell_numbers(cells, dim(x))
    stays <- !cell_numbers(unclass(x)$index, dim(x)) %in% cell
    last <- !duplicated(cell, fromLast = TRUE)
    new_tensor(rbind(unclass(x)$index[stays, , drop = FALSE], unname(cells)[last, , drop = FALSE]),
               c(unclass(x)$value[stays], rep(value, length.out = nrow(cells))[last]), dim(x),
               dimnames(x))
}
