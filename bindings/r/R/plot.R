# The shares as a picture: a bar for each target, its largest sources beside each other.

# Colours that people with any kind of sight tell apart (Okabe and Ito), and greys for what is no
# text.
colours <- c("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
formula_colour <- "#bdbdbd"
rest_colour <- "#9a9a9a"
author_colour <- "#e4e4e4"

ink <- function(colour)
    ifelse(drop(c(0.299, 0.587, 0.114) %*% grDevices::col2rgb(colour)) > 120, "black", "white")

# The parts of a bar: label, share and colour; `sources` are in the order of the colours.
bar_of <- function(run, target, sources) {
    found <- shares_of(run, target = target)
    found <- found[found$source != "author", ]
    above <- found[!found$below_floor, ]
    above <- above[order(-above$share), ]
    n <- min(nrow(above), length(colours))
    label <- unname(run$titles[above$source])
    label[is.na(label)] <- "formulas"
    rest <- sum(above$share[-seq_len(n)][seq_len(nrow(above) - n)]) +
        sum(found$share[found$below_floor])
    share <- c(above$share[seq_len(n)], rest)
    of_source <- colours[1 + (match(above$source[seq_len(n)], sources) - 1) %% length(colours)]
    of_source[above$source[seq_len(n)] == "formula"] <- formula_colour
    parts <- data.frame(label = c(label[seq_len(n)], "others and noise", "its author"),
                        share = c(share, max(0, 1 - sum(share))),
                        colour = c(of_source, rest_colour, author_colour),
                        stringsAsFactors = FALSE)
    parts[parts$share > 0, ]
}

# A label that fits into `room` inches.
short <- function(label, room, cex) {
    full <- label
    while (nchar(label) > 3 && strwidth(label, "inches", cex = cex) > room)
        label <- paste0(substr(full, 1, nchar(label) - (if (label == full) 3 else 4)), "...")
    if (strwidth(label, "inches", cex = cex) <= room && label != "...") label else ""
}

# A label in as many lines as fit into `room` inches and `height` inches; pdf() has no ellipsis.
wrapped <- function(label, room, height, cex) {
    most <- max(1, floor(height / (1.1 * strheight("Mg\nMg", "inches", cex = cex) / 2)))
    words <- strsplit(label, " ", fixed = TRUE)[[1]]
    lines <- words[1]
    for (word in words[-1]) {
        longer <- paste(lines[length(lines)], word)
        if (length(lines) == most || strwidth(longer, "inches", cex = cex) <= room)
            lines[length(lines)] <- longer
        else
            lines <- c(lines, word)
    }
    paste(vapply(lines, short, "", room = room, cex = cex), collapse = "\n")
}

plot.trib_run <- function(x, targets = NULL, main = "What flows into each text", ...) {
    is_cut <- is.null(targets) && length(x$targets) > 12
    targets <- if (is.null(targets)) strongest_targets(x, 12) else ids_from(x, targets, "target")
    titles <- x$titles[targets]
    sources <- unique(shares_of(x, target = targets, found_only = TRUE)$source)
    bars <- lapply(setNames(targets, targets), function(target) bar_of(x, target, sources))
    plot.new()
    width <- min(max(strwidth(titles, "inches")) + 0.3, par("fin")[1] / 3)
    before <- par(mai = c(0.9, width, 0.6, 0.2))
    on.exit(par(before))
    # where all bars are the author's for the most part, the axis ends after the other parts
    others <- function(parts) sum(parts$share[parts$label != "its author"])
    most <- 100 * max(vapply(bars, others, 0))
    end <- if (most > 25) 100 else max(10, 10 * ceiling(most / 8))
    plot.window(c(0, end), c(length(targets) + 0.5, 0.5), yaxs = "i", xaxs = "i")
    inches <- par("pin")[1] / end
    height <- 0.8 * par("pin")[2] / length(targets)
    for (row in seq_along(targets)) {
        parts <- bars[[row]]
        left <- cumsum(100 * parts$share) - 100 * parts$share
        right <- pmin(left + 100 * parts$share, end)
        rect(left, row - 0.4, right, row + 0.4, col = parts$colour, border = "white")
        for (i in seq_len(nrow(parts)))
            text((left[i] + right[i]) / 2, row,
                 wrapped(parts$label[i], (right[i] - left[i]) * inches - 0.1, height, 0.8),
                 cex = 0.8, col = ink(parts$colour[i]))
    }
    axis(1)
    axis(2, seq_along(targets), vapply(titles, short, "", room = width - 0.2, cex = 1), las = 1,
         tick = FALSE, line = -0.6)
    rest <- if (is_cut)
        paste("; the", length(targets), "of", length(x$targets), "targets with the largest shares")
    unit <- if (x$headline %in% c("extent", "verbatim")) "words" else "n-grams"
    cut <- if (end < 100) paste("; bars are cut at", end)
    title(main = main, xlab = paste0("per cent of its ", unit, " (", x$headline, ")", rest, cut))
    invisible(bars)
}
