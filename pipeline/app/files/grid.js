/* grid.js - a table that is edited like a spreadsheet, by mouse or by keyboard alone (the grid
 * pattern of ARIA). Only the rows in view are elements, so that thousands of rows stay quick. It
 * knows nothing of texts: app.js says which columns there are and what becomes of a change. */
'use strict';

const make = (name, set, ...inside) => {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(set || {}))
        if (/^(aria-|data-)|^role$/.test(key)) e.setAttribute(key, value);
        else e[key] = value;
    e.append(...inside.filter(x => x !== null && x !== undefined));
    return e;
};

/* The cells of a table as spreadsheets copy it: tabs between cells, quotes around a cell that has a
 * tab, a line end or a quote. */
const cellsOf = text => {
    const rows = [[]];
    const cells = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
        .matchAll(/(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/g);
    for (const [, quoted, plain, end] of cells) {
        rows[rows.length - 1].push((quoted === undefined ? plain : quoted.replace(/""/g, '"')));
        if (end === '\n') rows.push([]);
        if (!end) break;
    }
    return rows;
};
const cellOut = text => /[\t\n"]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;

/* columns: [{key, name, width, edits, choices, text(row), title(row)}]; on: {change(changes),
 * isOpen(change), chosen(row, rows), open(row), undo(), redo(), say(text)}. A change is
 * {row, key, to}; one to the same value is none, unless it is open. Rows are objects that have a
 * file. */
function makeGrid(columns, label, on) {
    const HEIGHT = 36, MORE = 8;
    const head = make('div', {role: 'rowgroup', className: 'head'});
    const body = make('div', {role: 'rowgroup', className: 'body'});
    const grid = make('div', {role: 'grid', className: 'grid', 'aria-label': label,
        'aria-multiselectable': 'true', 'aria-colcount': columns.length}, head, body);
    const template = columns.map(c => c.width).join(' ');
    let all = [], rows = [], order = null, isUp = true, test = () => true;
    let r = 0, c = 0, chosen = new Set(), anchor = 0, drawn = new Map(), editing = null;

    const textOf = (column, row) => column.text ? column.text(row) : String(row[column.key] ?? '');

    /* ---- Drawing ---- */
    const headRow = make('div', {role: 'row', 'aria-rowindex': 1});
    headRow.style.gridTemplateColumns = template;
    columns.forEach((column, i) => headRow.append(make('div', {role: 'columnheader', tabIndex: -1,
        'aria-colindex': i + 1, textContent: column.name})));
    head.append(headRow);

    const fill = (e, row, i) => {
        e.style.transform = `translateY(${i * HEIGHT}px)`;
        e.setAttribute('aria-rowindex', i + 2);
        e.setAttribute('aria-selected', chosen.has(row));
        e.classList.toggle('care', !!row.warnings && row.warnings.length > 0);
        columns.forEach((column, k) => {
            const cell = e.children[k], text = textOf(column, row);
            if (editing && editing.cell === cell) return;
            cell.textContent = text;
            cell.title = column.title ? column.title(row) : text;
            cell.className = column.look ? column.look(row) : '';
            cell.tabIndex = i === r && k === c ? 0 : -1;
        });
    };
    const newRow = () => {
        const e = make('div', {role: 'row'});
        e.style.gridTemplateColumns = template;
        columns.forEach((column, k) => e.append(make('div', {role: 'gridcell', dir: 'auto',
            'aria-colindex': k + 1, 'aria-readonly': !column.edits})));
        return e;
    };
    const draw = () => {
        const from = Math.max(0, Math.floor(grid.scrollTop / HEIGHT) - MORE);
        const to = Math.min(rows.length, from + Math.ceil((grid.clientHeight || 600) / HEIGHT) +
            2 * MORE);
        const isWanted = i => i < rows.length && (i >= from && i < to || i === r);
        for (const [i, e] of drawn)
            if (!isWanted(i)) {
                e.remove();
                drawn.delete(i);
            }
        for (let i = from; i < to; i++) if (!drawn.has(i)) drawn.set(i, body.appendChild(newRow()));
        if (r >= 0 && r < rows.length && !drawn.has(r)) drawn.set(r, body.appendChild(newRow()));
        for (const [i, e] of drawn) fill(e, rows[i], i);
        [...headRow.children].forEach((cell, k) => {
            cell.tabIndex = r < 0 && k === c || !rows.length && k === c ? 0 : -1;
            if (columns[k].key === order) cell.setAttribute('aria-sort', isUp ? 'ascending' :
                'descending');
            else cell.removeAttribute('aria-sort');
        });
    };
    grid.addEventListener('scroll', () => requestAnimationFrame(draw), {passive: true});
    new ResizeObserver(draw).observe(grid);

    const compare = (a, b) => {
        const column = columns.find(x => x.key === order);
        const [x, y] = [a, b].map(row => column.by ? column.by(row) : textOf(column, row));
        if (!x !== !y) return x ? -1 : 1; // what is empty comes last
        return (isUp ? 1 : -1) * (typeof x === 'number' ? x - y :
            x.localeCompare(y, undefined, {numeric: true}));
    };
    /* Rows are put in order when they come, when the reader asks, and never under his hands. */
    const arrange = () => {
        const at = rows[r];
        rows = all.filter(test);
        if (order) rows.sort(compare);
        chosen = new Set([...chosen].filter(row => rows.includes(row)));
        if (r >= 0) r = Math.max(0, Math.min(at && rows.includes(at) ? rows.indexOf(at) : r,
            rows.length - 1));
        body.style.height = rows.length * HEIGHT + 'px';
        grid.setAttribute('aria-rowcount', rows.length + 1);
        drawn.forEach(e => e.remove());
        drawn.clear();
        draw();
    };

    /* ---- The cell at hand, and the rows that are chosen ---- */
    const cellAt = () => r < 0 ? headRow.children[c] : drawn.get(r)?.children[c];
    const tellChosen = () => on.chosen(rows[r], list());
    const list = () => rows.filter(row => chosen.has(row));
    const go = (row, column, how) => {
        r = Math.max(-1, Math.min(row, rows.length - 1));
        c = Math.max(0, Math.min(column, columns.length - 1));
        if (r >= 0 && how !== 'keep') {
            if (how !== 'extend') anchor = r;
            const [a, b] = [Math.min(anchor, r), Math.max(anchor, r)];
            chosen = new Set(rows.slice(a, b + 1));
        }
        if (r >= 0) {
            const top = r * HEIGHT, view = grid.clientHeight - head.offsetHeight;
            if (top < grid.scrollTop) grid.scrollTop = top;
            if (top + HEIGHT > grid.scrollTop + view) grid.scrollTop = top + HEIGHT - view;
        }
        draw();
        const cell = cellAt();
        cell?.focus({preventScroll: r >= 0});
        if (cell && cell.scrollIntoView && grid.scrollWidth > grid.clientWidth)
            cell.scrollIntoView({block: 'nearest', inline: 'nearest'});
        if (r >= 0) tellChosen();
    };

    /* ---- Changes ---- */
    const allowed = (column, value) => {
        if (!column.choices) return value.trim();
        const wanted = value.trim().toLowerCase();
        const entry = Object.entries(column.choices).find(([key, name]) => key === wanted ||
            name.toLowerCase() === wanted);
        return entry ? entry[0] : null;
    };
    const change = changes => on.change(changes.filter(x => x.to !== String(x.row[x.key] ?? '') ||
        on.isOpen(x)));

    const stop = (isKept, move) => {
        if (!editing) return;
        const {cell, input, row, column} = editing;
        editing = null;
        input.remove();
        const to = isKept ? allowed(column, input.value) : null;
        fill(cell.parentNode, row, rows.indexOf(row));
        if (to !== null) {
            const many = chosen.has(row) && chosen.size > 1 && column.choices ? list() : [row];
            change(many.map(one => ({row: one, key: column.key, to})));
        }
        if (move) go(r + move[0], c + move[1]);
    };
    const edit = first => {
        const column = columns[c], row = rows[r], cell = cellAt();
        if (!row || !cell) return;
        if (!column.edits) return void on.open(row);
        const input = column.choices ?
            make('select', {}, ...Object.entries(column.choices).map(([value, name]) =>
                make('option', {value, textContent: name}))) :
            make('input', {type: 'text', dir: 'auto'});
        input.value = first ?? String(row[column.key] ?? '');
        input.setAttribute('aria-label', `${column.name} of ${row.file}`);
        editing = {cell, input, row, column};
        cell.replaceChildren(input);
        input.focus();
        if (first === undefined && input.select) input.select();
        input.addEventListener('blur', () => stop(true));
        if (column.choices) input.addEventListener('change', () => {
            stop(true);
            go(r, c, 'keep');
        });
        input.addEventListener('keydown', e => {
            const move = {Enter: [e.shiftKey ? -1 : 1, 0], Tab: [0, e.shiftKey ? -1 : 1],
                Escape: [0, 0]}[e.key];
            e.stopPropagation();
            if (!move) return;
            e.preventDefault();
            stop(e.key !== 'Escape', move);
        });
    };

    const paste = text => {
        const table = cellsOf(text), changes = [];
        let refused = 0;
        const put = (row, column, value) => {
            const to = column && column.edits ? allowed(column, value) : null;
            if (row && to !== null) changes.push({row, key: column.key, to});
            else refused++;
        };
        if (table.length === 1 && table[0].length === 1 && chosen.size > 1)
            list().forEach(row => put(row, columns[c], table[0][0]));
        else table.forEach((line, i) => line.forEach((value, k) =>
            put(rows[r + i], columns[c + k], value)));
        change(changes);
        on.say(changes.length + (changes.length === 1 ? ' cell' : ' cells') + ' filled' +
            (refused ? ', ' + refused + ' not: no such row, or a column that is not edited' : ''));
    };
    grid.addEventListener('paste', e => {
        if (editing || r < 0) return;
        e.preventDefault();
        paste(e.clipboardData.getData('text/plain'));
    });
    grid.addEventListener('copy', e => {
        if (editing || r < 0 || !rows[r]) return;
        e.preventDefault();
        const raw = (row, x) => cellOut(x.choices ? x.choices[row[x.key]] || '' :
            String(row[x.key] ?? ''));
        e.clipboardData.setData('text/plain', chosen.size > 1 ? list().map(row =>
            columns.map(x => raw(row, x)).join('\t')).join('\n') : raw(rows[r], columns[c]));
    });

    /* ---- Keys and mouse ---- */
    const sort = k => {
        isUp = order === columns[k].key ? !isUp : true;
        order = columns[k].key;
        arrange();
    };
    grid.addEventListener('keydown', e => {
        const page = Math.max(1, Math.floor(grid.clientHeight / HEIGHT) - 2);
        const isControl = e.ctrlKey || e.metaKey;
        const moves = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
            PageUp: [-page, 0], PageDown: [page, 0]};
        const move = moves[e.key];
        if (e.altKey || editing) return;
        if (isControl && /^[zy]$/i.test(e.key)) {
            if (e.key.toLowerCase() === 'y' || e.shiftKey) on.redo();
            else on.undo();
        } else if (isControl && e.key.toLowerCase() === 'a') {
            chosen = new Set(rows);
            draw();
            tellChosen();
        } else if (move && r + move[0] < 0 && r > 0) go(0, c);
        else if (move) go(r + move[0], c + move[1], e.shiftKey && move[0] ? 'extend' :
            move[0] ? '' : 'keep');
        else if (isControl && e.key === 'Home') go(0, c);
        else if (isControl && e.key === 'End') go(rows.length - 1, c);
        else if (e.key === 'Home') go(r, 0, 'keep');
        else if (e.key === 'End') go(r, columns.length - 1, 'keep');
        else if (r < 0 && /^(Enter| )$/.test(e.key)) sort(c);
        else if (e.key === 'Enter' || e.key === 'F2') edit();
        else if (e.key === ' ' && rows[r]) {
            if (!chosen.delete(rows[r])) chosen.add(rows[r]);
            anchor = r;
            draw();
            tellChosen();
        } else if (e.key === 'Delete' && columns[c].edits && !columns[c].choices)
            change(list().map(row => ({row, key: columns[c].key, to: ''})));
        else if (!isControl && [...e.key].length === 1 && columns[c].edits && r >= 0)
            edit(columns[c].choices ? undefined : e.key);
        else return;
        e.preventDefault();
    });
    const placeOf = e => {
        const cell = e.target.closest('[role=gridcell],[role=columnheader]');
        const row = cell && cell.parentNode;
        if (!cell) return null;
        const found = [...drawn].find(([, other]) => other === row);
        return [row === headRow ? -1 : found[0], [...row.children].indexOf(cell)];
    };
    grid.addEventListener('mousedown', e => {
        const place = !editing || !editing.cell.contains(e.target) ? placeOf(e) : null;
        if (!place) return;
        e.preventDefault();
        stop(true);
        if (place[0] >= 0 && (e.ctrlKey || e.metaKey)) {
            const row = rows[place[0]];
            if (!chosen.delete(row)) chosen.add(row);
            go(...place, 'keep');
        } else go(...place, e.shiftKey ? 'extend' : '');
        if (place[0] < 0) sort(place[1]);
    });
    grid.addEventListener('dblclick', e => {
        if (!editing && r >= 0 && placeOf(e)) edit();
    });

    return {
        element: grid,
        set: list => {
            const wanted = new Set([...chosen].map(row => row.file));
            stop(false);
            all = list;
            chosen = new Set(list.filter(row => wanted.has(row.file)));
            arrange();
        },
        filter: f => {
            test = f;
            arrange();
            return rows.length;
        },
        redraw: draw,
        isEditing: () => !!editing,
        chosen: list,
        shown: () => rows,
        at: file => {
            const i = rows.findIndex(row => row.file === file);
            if (i >= 0) go(i, c);
            return i >= 0;
        },
        focus: () => go(r, c, 'keep')
    };
}
