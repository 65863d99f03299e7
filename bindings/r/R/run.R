# A run: what was found, as tables.

# Sources in a table of shares that are no texts.
no_texts <- c("author", "formula")

trib_open <- function(directory) {
    directory <- path.expand(directory)
    state <- tryCatch(parse_json(read_text(file.path(directory, "status")))$state,
                      error = function(e) NULL, warning = function(w) NULL)
    if (is.null(state))
        fail(2, directory, ": holds no run")
    if (state != "complete")
        fail(2, directory, ": the run is not complete: ", state)
    data <- parse_json(read_text(file_of(directory, "influence.json", "json")))
    names_of <- function(list, member) vapply(list, function(one) one[[member]], "")
    structure(list(
        directory = normalizePath(directory),
        name = data$name,
        headline = data$headline,
        methods = names_of(data$methods, "name"),
        targets = names_of(data$targets, "target"),
        warnings = vapply(data$warnings, function(one)
            if (is.character(one)) one else as.character(one$text), ""),
        titles = setNames(names_of(data$documents, "title"), names_of(data$documents, "id")),
        tables = new.env(parent = emptyenv())), class = "trib_run")
}

read_text <- function(path) {
    text <- readChar(path, file.size(path), useBytes = TRUE)
    Encoding(text) <- "UTF-8"
    text
}

file_of <- function(directory, name, form) {
    path <- file.path(directory, name)
    if (!file.exists(path))
        fail(2, path, ": this run did not write it; run it again ",
             if (startsWith(form, "with ")) form else paste0("with '", form, "' in report_formats"))
    path
}

# A table of the run directory, which is read once. `form` is what the run needs to write it.
table_of <- function(run, name, form = "csv") {
    if (is.null(run$tables[[name]])) {
        if (form != "csv" && !file.exists(file.path(run$directory, "documents.csv")))
            form <- "csv"
        run$tables[[name]] <- read_table(file_of(run$directory, name, form))
    }
    run$tables[[name]]
}

# Ids from ids or titles.
ids_from <- function(run, wanted, what) {
    ids <- c(names(run$titles), no_texts)
    wanted <- as.character(wanted)
    found <- ifelse(wanted %in% ids, wanted, names(run$titles)[match(wanted, run$titles)])
    for (one in wanted[is.na(found)]) {
        near <- utils::head(sort(ids[grepl(tolower(one), tolower(ids), fixed = TRUE)]), 5)
        fail(2, "there is no ", what, " ", quoted(one), " in this run",
             if (length(near))
                 paste0("; did you mean ", paste(quoted(near), collapse = " or "), "?")
             else "; documents() lists them")
    }
    found
}

choose <- function(run, table, target, source) {
    if (!is.null(target))
        table <- table[table$target %in% ids_from(run, target, "target"), ]
    if (!is.null(source))
        table <- table[table$source %in% ids_from(run, source, "source"), ]
    table
}

# ---- Tables --------------------------------------------------------------------------------------

documents <- function(x, ...) UseMethod("documents")
documents.trib_run <- function(x, ...) as_table(table_of(x, "documents.csv"))

shares <- function(x, ...) UseMethod("shares")
shares.trib_run <- function(x, method = NULL, target = NULL, source = NULL, found_only = FALSE,
                            ...) {
    as_table(shares_of(x, method, target, source, found_only))
}

shares_of <- function(x, method = NULL, target = NULL, source = NULL, found_only = FALSE) {
    table <- table_of(x, "influence.csv")
    if (is.null(method))
        method <- x$headline
    if (!identical(method, "all")) {
        for (one in setdiff(method, x$methods))
            fail(2, "the method ", quoted(one), " was not run; this run has ",
                 paste(x$methods, collapse = ", "))
        table <- table[table$method %in% method, ]
    }
    table <- choose(x, table, target, source)
    if (found_only)
        table <- table[!table$source %in% no_texts & !table$below_floor, ]
    table[order(match(table$target, x$targets), match(table$method, x$methods),
                table$source %in% no_texts, -table$share), ]
}

passages <- function(x, ...) UseMethod("passages")
passages.trib_run <- function(x, target = NULL, source = NULL, min_words = 0, ...) {
    table <- fill_texts(table_of(x, "passages.tsv", "with the method traced"))
    table <- choose(x, table, target, source)
    table <- table[order(-table$shared), ]
    # a tibble shows the first columns: what one reads, before where it stands
    first <- c("target", "source", "shared", "target_text", "source_text", "target_reference",
               "source_reference")
    as_table(table[table$shared >= min_words, c(first, setdiff(names(table), first))])
}

phrases <- function(x, ...) UseMethod("phrases")
phrases.trib_run <- function(x, target = NULL, source = NULL, containing = NULL, min_count = 1,
                             ...) {
    table <- choose(x, table_of(x, "phrases.csv"), target, source)
    if (!is.null(containing))
        table <- table[grepl(containing, table$phrase, fixed = TRUE), ]
    table <- table[table$target_count >= min_count, ]
    as_table(table[order(-table$mass), ])
}

ranking <- function(x, ...) UseMethod("ranking")
ranking.trib_run <- function(x, target = NULL, ...)
    as_table(choose(x, table_of(x, "ranking.csv", "with the methods traced and split"), target,
                    NULL))

phrasing <- function(x, ...) UseMethod("phrasing")
phrasing.trib_run <- function(x, ...) as_table(table_of(x, "phrasing.tsv", "phrasing"))

parallels <- function(x, ...) UseMethod("parallels")
parallels.trib_run <- function(x, target = NULL, source = NULL, ...)
    as_table(choose(x, table_of(x, "parallels.tsv", "with parallels_unit"), target, source))

traced <- function(x, ...) UseMethod("traced")
traced.trib_run <- function(x, target = NULL, ...) {
    if (is.null(target)) {
        if (length(x$targets) > 1)
            fail(2, "name a target; this run has ", paste(x$targets, collapse = ", "))
        target <- x$targets
    }
    path <- file_of(x$directory, paste0("trace/", ids_from(x, target, "target"), ".runs"), "trace")
    as_table(read_trace(path))
}

# Reads a file trace/ID.runs; docs/run-directory/reading.md has its layout.
read_trace <- function(path) {
    bytes <- readBin(path, "raw", file.size(path))
    # R has no unsigned numbers
    unsigned <- function(from, n) {
        numbers <- readBin(bytes[seq(from + 1, length.out = 4 * n)], "integer", n, 4,
                           endian = "little")
        ifelse(is.na(numbers), 2^31, ifelse(numbers < 0, numbers + 2^32, numbers))
    }
    magic <- length(bytes) >= 32 && identical(bytes[1:8], charToRaw("TRIBRUNS"))
    n <- if (magic) unsigned(16, 1) else -1
    if (n < 0 || length(bytes) < 32 + 36 * n)
        fail(4, path, ": is damaged")
    runs <- matrix(if (n > 0) unsigned(32, 9 * n) else numeric(), ncol = 9, byrow = TRUE)
    names <- rawToChar(bytes[-seq_len(32 + 36 * n)])
    names <- strsplit(names, "\n", fixed = TRUE)[[1]]
    data.frame(source = names[runs[, 4] + 1], first = whole(runs[, 1]), words = whole(runs[, 2]),
               source_first = whole(runs[, 3]), probability = runs[, 5] / 1e6,
               target_from = whole(runs[, 6]), target_to = whole(runs[, 7]),
               source_from = whole(runs[, 8]), source_to = whole(runs[, 9]),
               stringsAsFactors = FALSE)
}

kwic <- function(x, pattern, ...) UseMethod("kwic")
kwic.trib_run <- function(x, pattern, ...) {
    if (!is.character(pattern) || length(pattern) != 1)
        fail(2, "a phrase is one text, such as kwic(run, \"the sea\")")
    found <- parse_json(paste(call_program(c("kwic", "--json", "--", x$directory, pattern)),
                              collapse = "\n"))
    rows <- lapply(found$documents, function(document) {
        hits <- document$hits
        cell <- function(name) vapply(hits, function(hit)
            if (is.null(hit[[name]])) "" else as.character(hit[[name]]), "")
        data.frame(document = rep(document$id, length(hits)),
                   title = rep(document$title, length(hits)), first = as.integer(cell("first")),
                   reference = cell("reference"), before = cell("before"),
                   keyword = cell("keyword"), after = cell("after"), stringsAsFactors = FALSE)
    })
    as_table(do.call(rbind, rows))
}

# What is no run belongs to the generic of quanteda, which has the same name.
kwic.default <- function(x, ...) delegate("kwic", "quanteda", x, ...)

delegate <- function(generic, package, x, ...) {
    if (!isNamespaceLoaded(package))
        fail(2, generic, "() has no method for an object of class ", class(x)[1])
    # called from here, the other generic would find our default method
    do.call(getExportedValue(package, generic), list(x, ...), quote = TRUE, envir = globalenv())
}

with_documents <- function(table, run, fields = c("title", "author", "year")) {
    if (!inherits(run, "trib_run") || !is.data.frame(table))
        fail(2, "call it with a table and its run: with_documents(shares(run), run)")
    known <- table_of(run, "documents.csv")
    for (one in setdiff(fields, names(known)))
        fail(2, "documents have no column ", quoted(one), "; they have ",
             paste(names(known), collapse = ", "))
    for (side in intersect(c("target", "source", "document"), names(table)))
        for (field in fields) {
            name <- paste0(side, "_", field)
            if (name %in% names(table))
                fail(2, "the table has a column ", quoted(name), " already")
            # NA for "author" and "formula", which are no texts
            table[[name]] <- known[[field]][match(table[[side]], known$id)]
        }
    table
}

# The `n` targets with the largest shares, in the order of the run.
strongest_targets <- function(run, n) {
    found <- shares_of(run, found_only = TRUE)
    found <- found[order(-found$share), ]
    run$targets[run$targets %in% utils::head(unique(c(found$target, run$targets)), n)]
}

# ---- For readers ---------------------------------------------------------------------------------

print.trib_run <- function(x, ...) {
    n <- length(x$titles)
    cat("<trib_run> ", x$name, ": ", n, " texts, ", length(x$targets), " target",
        if (length(x$targets) != 1) "s", ", in ", x$directory, "\n", sep = "")
    most <- 5
    for (target in strongest_targets(x, most)) {
        found <- shares_of(x, target = target, found_only = TRUE)
        cat("\n", x$titles[[target]], "\n", sep = "")
        if (!nrow(found))
            cat("  nothing above the noise floor\n")
        shown <- utils::head(found, most)
        cat(sprintf("%6.1f %%  %s\n", 100 * shown$share, x$titles[shown$source]), sep = "")
        if (nrow(found) > most)
            cat("          and", nrow(found) - most, "more\n")
    }
    if (length(x$targets) > most)
        cat("\nThese targets have the largest shares; there are ", length(x$targets) - most,
            " more, see summary().\n", sep = "")
    invisible(x)
}

summary.trib_run <- function(object, ...) {
    found <- shares_of(object, found_only = TRUE)
    every <- shares_of(object)
    first <- found[!duplicated(found$target), ]
    of <- match(object$targets, first$target)
    author <- every[every$source == "author", ]
    counted <- factor(found$target, levels = object$targets)
    structure(list(run = object, table = as_table(data.frame(
        target = object$targets, title = unname(object$titles[object$targets]),
        sources = as.integer(table(counted)),
        strongest = first$source[of], share = first$share[of], low = first$low[of],
        high = first$high[of],
        author = author$share[match(object$targets, author$target)],
        stringsAsFactors = FALSE))), class = "summary.trib_run")
}

print.summary.trib_run <- function(x, ...) {
    run <- x$run
    cat(run$name, ": ", length(run$titles), " texts, ", length(run$targets), " target",
        if (length(run$targets) != 1) "s", "; shares by ", run$headline, "\n", sep = "")
    if (length(run$methods) > 1)
        cat("other methods: ", paste(setdiff(run$methods, run$headline), collapse = ", "), "\n",
            sep = "")
    for (message in run$warnings)
        cat(strwrap(paste("warning:", message), exdent = 4), sep = "\n")
    print(x$table)
    invisible(x)
}

trib_report <- function(x, open = interactive()) {
    path <- file_of(x$directory, "report.html", "html")
    if (open)
        browseURL(paste0("file://", utils::URLencode(path)))
    if (open) invisible(path) else path
}
