// layout.js - what does not fit on a page. The function runs in the page itself.
'use strict';

// Faults of layout, at most eight, one sentence each: the page is wider than the window; an element
// reaches beyond the right or left edge; the text of an element is cut off; a label of a figure is
// outside the figure. On the screen an element may scroll when the keyboard reaches it
// (tabindex); on paper none may.
exports.faults = isPaper => {
    const found = [], edge = document.documentElement.clientWidth + 1;
    const name = e => {
        const classes = (e.getAttribute('class') || '').trim().replace(/ +/g, '.');
        return `${e.localName}${e.id ? '#' + e.id : ''}${classes ? '.' + classes : ''} ` +
               `"${(e.textContent || '').trim().replace(/\s+/g, ' ').slice(0, 40)}"`;
    };
    const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowX);
    const hides = e => /hidden|clip/.test(getComputedStyle(e).overflowX);
    // An element for screen readers alone, one pixel wide, or not drawn.
    const unseen = e => {
        const box = e.getBoundingClientRect();
        return box.width <= 1 || box.height <= 1 || getComputedStyle(e).visibility === 'hidden';
    };
    // Whether a label that ends in an ellipsis stands whole at another place of the page.
    const repeated = e => {
        const style = getComputedStyle(e), text = e.textContent.trim();
        return (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') &&
               text && document.body.textContent.split(text).length > 2;
    };
    const inside = (e, test) => {
        for (let up = e.parentElement; up && up !== document.body; up = up.parentElement)
            if (test(up)) return up;
        return null;
    };

    const whole = document.scrollingElement;
    if (whole.scrollWidth > window.innerWidth)
        found.push(`the page is ${whole.scrollWidth} pixels wide in a window of ${innerWidth}`);
    for (const e of document.body.querySelectorAll('*')) {
        if (found.length >= 8) break;
        if (unseen(e) || inside(e, unseen)) continue;
        const isDrawn = e.namespaceURI.endsWith('svg');
        const box = e.getBoundingClientRect();
        if (!isDrawn && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0) {
            if ((hides(e) && !repeated(e)) || (isPaper && scrolls(e)))
                found.push(`cut off: ${name(e)}`);
            else if (scrolls(e) && e.tabIndex < 0)
                found.push(`scrolls, not by keyboard: ${name(e)}`);
        }
        if (e.localName === 'text' || e.localName === 'tspan') {
            const figure = e.ownerSVGElement, frame = figure.getBoundingClientRect();
            if (getComputedStyle(figure).overflowX !== 'visible' &&
                (box.left < frame.left - 1 || box.right > frame.right + 1 ||
                 box.top < frame.top - 1 || box.bottom > frame.bottom + 1))
                found.push(`outside its figure: ${name(e)}`);
        }
        const isLeft = box.left < -1 && getComputedStyle(e).position !== 'absolute';
        if ((box.right > edge || isLeft) && !isDrawn && !inside(e, up => scrolls(up) || hides(up)))
            found.push(`beyond the edge: ${name(e)}`);
    }
    return found;
};

// Widths of what is printed, in pixels of CSS: A4 and Letter between the margins of report.css.
exports.paper = {A4: 680, Letter: 702};
