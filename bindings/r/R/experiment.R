# Experiments: texts and settings in, a run out.

sections <- c("corpus", "tokens", "vocabulary", "tensor", "cp", "influence", "parallels", "report",
              "resources")
# Files that the functions for a run read, beside those that the program writes by default.
formats <- c("html", "json", "csv", "factors", "trace")

trib_run <- function(texts, target = NULL, ..., output = NULL, text = "text", title = "title",
                     author = "author", date = "date", progress = interactive(), threads = NULL,
                     cache = TRUE, resume = TRUE) {
    chosen <- settings_of(list(...))
    roles <- c(title = title, author = author, date = date, role = "role",
               language = "language", reference = "reference")
    is_path <- is.character(texts) && length(texts) == 1 && is.null(names(texts)) &&
        !inherits(texts, "corpus")
    if (is_path && !dir.exists(texts)) {
        if (!is.null(target))
            chosen$corpus.target <- target
        return(execute(path.expand(texts), output, chosen, progress, threads, cache, resume))
    }
    documents <- if (!is_path) documents_of(texts, text, roles)
    if (is.null(target))
        target <- chosen$corpus.target
    if (is.null(target))
        target <- "all"
    chosen$corpus.target <- as.list(if (is_path) target else targets_of(target, documents))
    if (is.null(chosen$report.formats))
        chosen$report.formats <- formats
    is_temporary <- is.null(output)
    if (is_temporary) {
        dir.create(folder <- tempfile("tributary-"))
        output <- file.path(folder, "run")
    }
    folder <- paste0(path.expand(output), "-texts")
    dir.create(folder, showWarnings = FALSE, recursive = TRUE)
    name <- chosen$name
    chosen$name <- NULL
    if (is.null(name))
        name <- if (is_temporary) "texts" else basename(output)
    listed <- if (is_path) list(normalizePath(texts)) else store(folder, documents)
    config <- write_config(folder, name, listed, chosen)
    execute(config, output, list(), progress, threads, cache, resume)
}

# list(cp.rank = 50) from cp_rank = 50 or cp = list(rank = 50).
settings_of <- function(settings) {
    if (length(settings) && (is.null(names(settings)) || !all(nzchar(names(settings)))))
        fail(3, "a setting has a name, such as tensor_n = 4; texts and target come first")
    chosen <- list()
    for (key in names(settings)) {
        value <- settings[[key]]
        section <- sub("_.*", "", key)
        if (key %in% sections && is.list(value))
            for (inner in names(value))
                chosen[paste0(key, ".", inner)] <- list(value[[inner]])
        else if (section %in% sections && section != key)
            chosen[sub("_", ".", key)] <- list(value)
        else
            chosen[key] <- list(value)
    }
    chosen
}

# A value as JSON, which is YAML, too. A vector of length 1 is a single value.
json <- function(value) {
    if (is.factor(value))
        value <- as.character(value)
    if (is.null(value))
        return("null")
    if (is.list(value) || length(value) != 1 || inherits(value, "AsIs")) {
        items <- vapply(as.list(value), json, "")
        if (is.null(names(items)))
            return(paste0("[", paste(items, collapse = ", "), "]"))
        keys <- vapply(names(items), json, "")
        return(paste0("{", paste0(keys, ": ", items, collapse = ", "), "}"))
    }
    if (is.na(value))
        "null"
    else if (is.logical(value))
        if (value) "true" else "false"
    else if (is.numeric(value))
        number(value)
    else
        as.character(jsonlite::toJSON(enc2utf8(as.character(value)), auto_unbox = TRUE))
}

# A number with as many digits as it needs; whole numbers without exponent.
number <- function(value) {
    if (value == round(value) && abs(value) < 1e15)
        return(sprintf("%.0f", value))
    short <- sprintf("%.15g", value)
    if (as.numeric(short) == value) short else sprintf("%.17g", value)
}

# Writes the configuration and returns its path.
write_config <- function(folder, name, listed, settings) {
    lines <- c("# Written by the R package; `tributary run` runs it again.", "tributary: 1",
               paste("name:", json(as.character(name))))
    in_section <- grepl(".", names(settings), fixed = TRUE)
    section <- sub("[.].*", "", names(settings))
    for (key in names(settings)[!in_section])
        lines <- c(lines, paste0(key, ": ", json(settings[[key]])))
    for (one in unique(section[in_section])) {
        lines <- c(lines, paste0(one, ":"))
        for (key in names(settings)[in_section & section == one])
            lines <- c(lines, paste0("  ", sub("^[^.]*[.]", "", key), ": ", json(settings[[key]])))
        if (one == "corpus")
            lines <- c(lines, "  documents:", paste0("    - ", vapply(listed, json, "")))
    }
    config <- file.path(folder, "experiment.yaml")
    writeLines(enc2utf8(lines), config, useBytes = TRUE)
    config
}

# ---- The program ---------------------------------------------------------------------------------

execute <- function(config, output, settings, progress, threads, cache, resume) {
    arguments <- c("run", config)
    if (!is.null(output))
        arguments <- c(arguments, "-o", path.expand(output))
    if (resume)
        arguments <- c(arguments, "--resume")
    if (!is.null(threads))
        arguments <- c(arguments, "-j", json(threads))
    if (isFALSE(cache))
        arguments <- c(arguments, "--no-cache")
    else if (!isTRUE(cache))
        arguments <- c(arguments, "--cache-dir", path.expand(cache))
    for (key in names(settings))
        arguments <- c(arguments, "--set", paste0(key, "=", json(settings[[key]])))
    show <- if (is.function(progress)) progress else if (isTRUE(progress)) show_progress
    heard <- character()
    hear <- function(entry) {
        if (identical(entry$event, "progress")) {
            if (!is.null(show))
                show(entry$stage, as.numeric(entry$share))
        } else if (identical(entry$level, "warning")) {
            heard <<- c(heard, entry$message)
        }
    }
    if (isTRUE(progress))
        on.exit(cat("\r", strrep(" ", 40), "\r", sep = "", file = stderr()))
    printed <- call_program(arguments, hear)
    run <- trib_open(if (is.null(output)) printed[length(printed)] else output)
    for (message in heard)
        warn(message)
    run
}

# One line of standard error, which the next call writes over.
show_progress <- function(stage, share)
    cat(sprintf("\r%-30s %3.0f %%", stage, 100 * share), file = stderr())
