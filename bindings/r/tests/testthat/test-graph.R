test_that("a graph has the shares above the floor", {
    skip_if_not_installed("igraph")
    graph <- as.igraph(bay)
    expect_setequal(igraph::V(graph)$name, names(bay_texts))
    expect_equal(igraph::as_edgelist(graph),
                 cbind(c("keeper", "letter"), c("guide", "guide")))
    found <- shares(bay, found_only = TRUE)
    expect_equal(igraph::E(graph)$weight, found$share)
    expect_equal(igraph::ecount(as.igraph(bay, min_share = 0.2)), 1)
    expect_equal(igraph::V(graph)$title[igraph::V(graph)$name == "keeper"], "The Keeper's Account")
    # the generic of igraph, which hides ours when igraph is attached
    expect_equal(igraph::as_edgelist(igraph::as.igraph(bay)), igraph::as_edgelist(graph))
    expect_error(as.igraph(1), "no applicable method")
})

test_that("distances of texts are one minus the larger share", {
    d <- as.dist(bay)
    expect_s3_class(d, "dist")
    expect_equal(attr(d, "Labels"), names(bay_texts))
    m <- as.matrix(d)
    expect_equal(m["guide", "keeper"], 1 - shares(bay, source = "keeper")$share)
    expect_equal(m["keeper", "letter"], 1)
    expect_equal(length(stats::hclust(d)$order), 4)
})

test_that("factors are those of the matrices", {
    found <- factors(bay, "guide")
    from <- function(name) read_npy(file.path(bay$directory, "factors", name))
    expect_identical(found$weights, from("guide.lambda.npy"))
    words <- readLines(file.path(bay$directory, "factors/guide.words"))
    for (m in 1:3) {
        written <- from(paste0("guide.mode", m, ".npy"))
        # R may miss the last bit of a number that it reads from text.
        expect_equal(unname(found$factors[[m]]), written, tolerance = 1e-15)
        used <- rowSums(written) > 0
        expect_equal(rownames(found$factors[[m]])[used], words[used])
    }
    top <- as.data.frame(found, n = 2)
    expect_true(all(table(top$component, top$mode) <= 2))
    expect_equal(top$word, found$words[top$row])
    expect_output(print(found), "rank 50, fit 0.146")
    expect_error(factors(bay, names(bay_texts)), "name one document")
})

test_that("packed factors are read, too", {
    texts <- vapply(1:42, function(i)
        paste("the boats of text", i, "were late, and nobody spoke of word", 1:9, i * 7,
              collapse = " "), "")
    run <- suppressWarnings(trib_run(
        texts, 1, report_formats = c("json", "csv", "factors", "npy"), cp_rank = 3,
        influence_methods = "lowe", influence_headline = "lowe"))
    path <- file.path(run$directory, "factors/text-07.ktns")
    expect_equal(rawToChar(readBin(path, "raw", 9)), "ktensor 2")
    found <- factors(run, "text-07")
    for (m in 1:3)
        expect_lt(max(abs(found$factors[[m]] -
                          read_npy(sub("[.]ktns", paste0(".mode", m, ".npy"), path)))), 1e-16)
    expect_identical(found$weights, read_npy(sub("[.]ktns", ".lambda.npy", path)))
    expect_true("boats" %in% found$words)
    broken <- tempfile(fileext = ".ktns")
    writeBin(readBin(path, "raw", 200), broken)
    expect_error(read_ktns(broken), "is no file of factors", class = "trib_document_error")
})

test_that("distances of factors have names", {
    d <- factor_distances(bay)
    expect_equal(dim(d), c(50L, 200L))
    expect_equal(d["guide:3", "guide:3"], 0)
    expect_lte(max(d), 2)
    near <- document_distances(bay)
    expect_equal(rownames(near), "guide")
    ids <- sub(":.*", "", colnames(d))
    for (source in colnames(near)) {
        nearest <- apply(d[, ids == source], 1, min)
        weight <- factors(bay, "guide")$weights
        expect_equal(near["guide", source], sum(nearest * weight) / sum(weight))
    }
})

test_that("a run is printed, summed up and drawn", {
    expect_output(print(bay), "<trib_run> carrow-bay: 4 texts, 1 target")
    expect_output(print(bay), "23.8 %  The Keeper's Account", fixed = TRUE)
    sums <- summary(bay)
    expect_equal(sums$table$sources, 2L)
    expect_equal(sums$table$strongest, "keeper")
    expect_output(print(sums), "shares by extent")
    picture <- tempfile(fileext = ".pdf")
    grDevices::pdf(picture)
    parts <- plot(bay)
    grDevices::dev.off()
    expect_gt(file.size(picture), 1000)
    expect_equal(sum(grepl("/Type /Page ", readLines(picture, warn = FALSE), useBytes = TRUE)), 1)
    expect_equal(parts$guide$label[1], "The Keeper's Account")
    expect_equal(sum(parts$guide$share), 1)
    expect_equal(basename(trib_report(bay, open = FALSE)), "report.html")
})

test_that("a source has one colour in all bars", {
    run <- quick(bay_texts)
    grDevices::pdf(NULL, width = 4)
    bars <- plot(run)
    expect_equal(names(plot(run, "keeper")), "keeper")
    grDevices::dev.off()
    every <- do.call(rbind, bars)
    every <- every[every$label %in% names(bay_texts), ]
    expect_equal(nrow(unique(every[c("label", "colour")])), length(unique(every$label)))

})

test_that("of many targets those with the largest shares are printed and drawn", {
    many <- vapply(1:14, function(i) paste0("w", i * 100 + 1:30, collapse = " "), "")
    many[13] <- paste(many[12], many[13])
    run <- suppressWarnings(quick(many))
    grDevices::pdf(NULL)
    bars <- plot(run)
    grDevices::dev.off()
    expect_length(bars, 12)
    expect_true("text-13" %in% names(bars) && !"text-11" %in% names(bars))
    expect_false(is.unsorted(match(names(bars), run$targets)))
    expect_output(print(run), paste0("48.3 %  text-12\n\n",
                                     "These targets have the largest shares; there are 9 more"))
})

test_that("a target without any finding is printed and drawn", {
    run <- suppressWarnings(quick(c(a = "One two three four five six seven eight nine ten.",
                                    b = "Alpha beta gamma delta epsilon zeta eta theta iota.")))
    expect_output(print(run), "nothing above the noise floor")
    expect_equal(summary(run)$table$sources, c(0L, 0L))
    grDevices::pdf(NULL)
    parts <- plot(run)
    grDevices::dev.off()
    expect_equal(sum(parts$a$share), 1)
})
