# What the tests share: the small corpus that `tributary init` writes, and its run.

all_formats <- c("html", "json", "csv", "factors", "trace", "npy")
config <- file.path(trib_example(), "experiment.yaml")

# The texts of the small corpus as a named character vector.
bay_texts <- local({
    names <- c("guide", "keeper", "letter", "recipe")
    read <- function(name) {
        path <- file.path(dirname(config), "texts", paste0(name, ".txt"))
        readChar(path, file.size(path), useBytes = TRUE)
    }
    stats::setNames(vapply(names, read, ""), names)
})

# The run of the small corpus, made once.
bay <- trib_run(config, output = tempfile("bay-"), report_formats = all_formats)

quick <- function(...) trib_run(..., influence_methods = "split", influence_headline = "split")

rows_of <- function(run, name) {
    path <- file.path(run$directory, name)
    if (grepl("tsv$", name))
        read.delim(path, quote = "", colClasses = "character")
    else
        read.csv(path, colClasses = "character")
}

# A decomposition that does not end by itself.
endless <- function(output, progress)
    trib_run(vapply(0:2, function(i) paste0("w", (i * 7 + (0:5999)^2) %% 997, collapse = " "), ""),
             output = output, progress = progress, influence_methods = list("lowe"),
             influence_headline = "lowe", cp_tolerance = 0, cp_iterations = 1000000, cache = FALSE)

state_of <- function(output)
    jsonlite::fromJSON(file.path(output, "status"))$state
