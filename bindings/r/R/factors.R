# The CP decomposition of a text: a sum of rank-1 tensors with weights.

factors <- function(x, ...) UseMethod("factors")
factors.trib_run <- function(x, document, ...) {
    if (!is.character(document) || length(document) != 1)
        fail(2, "name one document, such as factors(run, ", quoted(x$targets[1]), ")")
    id <- ids_from(x, document, "document")
    read_ktns(file_of(x$directory, paste0("factors/", id, ".ktns"), "factors"))
}

# Reads a file of factors: text, or packed, as decomp/decomp.h says.
read_ktns <- function(path) {
    bytes <- readBin(path, "raw", file.size(path))
    first <- rawToChar(bytes[seq_len(min(10, length(bytes)))])
    found <- tryCatch(
        if (first == "ktensor 2\n") read_packed(bytes)
        else if (first == "ktensor 1\n") read_sparse(rawToChar(bytes))
        else NULL,
        error = function(e) NULL)
    if (is.null(found))
        fail(4, path, ": is no file of factors")
    found
}

new_factors <- function(dims, rank, fit, words) {
    named <- if (length(words)) words
    structure(list(
        weights = numeric(rank),
        factors = lapply(dims, function(dim)
            matrix(0, dim, rank, dimnames = list(named[seq_len(min(dim, length(named)))], NULL))),
        words = named, fit = fit), class = "trib_factors")
}

read_sparse <- function(text) {
    Encoding(text) <- "UTF-8"
    lines <- strsplit(text, "\n", fixed = TRUE)[[1]]
    key <- sub(" .*", "", lines)
    after <- function(name) sub("^[a-z]+ ", "", lines[match(name, key)])
    dims <- as.numeric(strsplit(after("dims"), " ")[[1]])
    rank <- as.numeric(after("rank"))
    at <- which(key == "mode")
    number_of <- as.numeric(sub(".* ", "", lines[at]))
    weights <- as.numeric(sub(".* ", "", lines[key == "component"]))
    rows <- unlist(Map(function(from, n) from + seq_len(n), at, number_of))
    cells <- lines[rows]
    index <- as.numeric(sub(" .*", "", cells))
    value <- as.numeric(sub("^[0-9]+ ([^ ]+).*", "\\1", cells))
    word <- ifelse(grepl("^[^ ]+ [^ ]+ ", cells), sub("^[^ ]+ [^ ]+ ", "", cells), "")
    words <- character()
    if (any(nzchar(word))) {
        words <- character(max(dims))
        words[index] <- word
    }
    found <- new_factors(dims, rank, if ("fit" %in% key) as.numeric(after("fit")) else NA, words)
    found$weights <- weights
    mode <- rep(rep(seq_along(dims), rank), number_of)
    component <- rep(rep(seq_len(rank), each = length(dims)), number_of)
    for (m in seq_along(dims))
        found$factors[[m]][cbind(index, component)[mode == m, , drop = FALSE]] <- value[mode == m]
    found
}

read_packed <- function(bytes) {
    at <- 10L
    whole_number <- function() {
        sum <- 0
        scale <- 1
        repeat {
            at <<- at + 1L
            stopifnot(at <= length(bytes))
            byte <- as.integer(bytes[at])
            sum <- sum + (byte %% 128L) * scale
            if (byte < 128L)
                return(sum)
            scale <- scale * 128
        }
    }
    double <- function() {
        at <<- at + 8L
        stopifnot(at <= length(bytes))
        readBin(bytes[(at - 7L):at], "double", 1, 8, endian = "little")
    }
    dims <- vapply(seq_len(whole_number()), function(m) whole_number(), 0)
    rank <- whole_number()
    flags <- whole_number()
    value <- if (flags %/% 4 %% 2 == 1) function() whole_number() * 2^-53 else double
    fit <- if (flags %/% 2 %% 2 == 1) double() else NA_real_
    n_words <- whole_number()
    words <- character()
    if (n_words > 0) {
        ends <- which(bytes == as.raw(10L))
        last <- ends[ends > at][n_words]
        text <- rawToChar(bytes[(at + 1L):last])
        Encoding(text) <- "UTF-8"
        words <- strsplit(text, "\n", fixed = TRUE)[[1]]
        at <- last
    }
    found <- new_factors(dims, rank, fit, words)
    for (r in seq_len(rank)) {
        found$weights[r] <- double()
        for (m in seq_along(dims)) {
            row <- 0
            for (i in seq_len(whole_number())) {
                row <- row + whole_number() + 1
                found$factors[[m]][row, r] <- value()
            }
        }
    }
    found
}

as.data.frame.trib_factors <- function(x, row.names = NULL, optional = FALSE, n = Inf, ...) {
    rows <- list()
    for (r in seq_along(x$weights))
        for (m in seq_along(x$factors)) {
            column <- x$factors[[m]][, r]
            top <- utils::head(order(-column), min(n, sum(column > 0)))
            rows[[length(rows) + 1]] <- data.frame(
                component = rep(r, length(top)), mode = rep(m, length(top)), row = top,
                word = if (is.null(x$words)) rep("", length(top)) else x$words[top],
                weight = unname(column[top]), stringsAsFactors = FALSE)
        }
    as_table(do.call(rbind, rows))
}

print.trib_factors <- function(x, ...) {
    shape <- paste(vapply(x$factors, nrow, 0L), collapse = " x ")
    cat("<trib_factors> ", shape, ", rank ", length(x$weights), ", fit ", format(x$fit, digits = 4),
        "\n", sep = "")
    most <- min(6, length(x$weights))
    top <- function(m, r) {
        column <- x$factors[[m]][, r]
        best <- utils::head(order(-column), min(3, sum(column > 0)))
        paste(if (is.null(x$words)) best else x$words[best], collapse = "/")
    }
    for (r in seq_len(most))
        cat(sprintf("%8.2f  %s\n", x$weights[r],
                    paste(vapply(seq_along(x$factors), top, "", r = r), collapse = "  ")))
    if (length(x$weights) > most)
        cat("          and", length(x$weights) - most, "more components\n")
    invisible(x)
}
