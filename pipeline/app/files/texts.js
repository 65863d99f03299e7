/* texts.js - the page of the texts of a project: the table, made of what `documents` and `check`
 * say of them, and one text as it was read. The program's answers come as it writes them. */
'use strict';

/* ---- What the program says ---- */

/* A message of the program, "FILE:LINE: error: TEXT", taken apart. */
const messageOf = (message, severity) => {
    const [line] = message.split('\n'), at = /^([^:]*):(\d*)/.exec(line);
    return {severity, raw: message, text: line.replace(/^.*?: (error|warning): /, ''),
        file: at ? at[1] : null, line: at ? +at[2] : 0};
};
const messagesIn = said => [...(said.errors || []).map(text => messageOf(text, 'error')),
    ...(said.warnings || []).map(text => messageOf(text, 'warning'))];

/* The rows of an answer, but those of files that are known already. */
function rowsIn({listed, checked}, known) {
    const accounts = new Map((checked?.documents || []).map(d => [d.id, d.account]));
    return (listed?.documents || []).filter(row => !known.has(row.file)).map(row => {
        const account = accounts.get(row.id) || null, dated = row.date || row.file_date || '';
        const from = row.date_from === 'list' ? 'manifest' : row.date_from;
        return Object.assign(row, {role: row.role || 'both', date: dated, account,
            date_from: row.date ? from : 'properties', kind: account ? account.read_as : ''});
    });
}
/* The table of a project: texts of the experiment, then files in the folder that it does not name,
 * then those that cannot be read. */
async function readTable(id) {
    const first = await get(of(id, '/texts')), answers = [first], rows = rowsIn(first, new Set());
    const untold = () => { // a row tells of a file, or of what an archive or a folder holds
        const told = new Set(rows.flatMap(({file}) => file.split('/').map((_, i, parts) =>
            parts.slice(0, i + 1).join('/'))));
        return first.files.filter(file => !told.has(file));
    };
    if (untold().length) {
        answers.push(await get(of(id, '/texts?folder')));
        rows.push(...rowsIn(answers[1], new Set(rows.map(row => row.file))));
    }
    const out = new Set(first.left_out.split('\n'));
    rows.forEach(row => { if (out.has(row.file)) row.role = 'none'; });
    const checks = answers.map(a => a.checked || {}), why = checks.flatMap(c => c.not_read || []);
    rows.push(...untold().map(file => ({file, role: 'none', words: 0, unread: true,
        left_out: (why.find(w => w.file === file || w.file.endsWith(`/${file}`)) || {}).why})));
    const messages = messagesIn({errors: [...answers.map(a => a.wrong).filter(x => x),
        ...first.checked?.errors || []], warnings: checks.flatMap(c => c.warnings || [])});
    rows.forEach(row => { row.warnings = messages.filter(m => m.raw.includes(row.file)); });
    return {rows, messages};
}

/* The account of reading in words: what of a text was left out, and what is odd about it. */
const LEFT_OUT = {notes_out: 'of notes', forms_out: 'of other forms and readings',
    furniture_out: 'of running heads, page numbers and menus', others_out: 'of a header or the ' +
    'like', stripped_out: 'that corpus.strip cut', numbers_out: 'without a letter'};
const ODD = {lost: ['character is lost', 'characters are lost'], signs: ['sign of markup is read ' +
    'as text', 'signs of markup are read as text'], joined: ['word divided at a line end is joined',
    'words divided at line ends are joined'], unseen: ['invisible character is left out',
    'invisible characters are left out']};
function accountOf(row, isWhole) {
    const account = row.account || {}, out = Object.keys(LEFT_OUT).filter(key => account[key] &&
        (isWhole || key !== 'numbers_out')).map(key => `${counted(account[key], 'word')} ` +
        LEFT_OUT[key]);
    const odd = Object.keys(ODD).filter(key => account[key] && (isWhole || /lost|signs/.test(key)))
        .map(key => `${grouped(account[key])} ${ODD[key][+(account[key] !== 1)]}`);
    return [row.left_out && `left out: ${row.left_out}`, out.length && `left out: ` +
        out.join(', '), ...odd, account.unknown && `unknown elements, read as text: ` +
        account.unknown].filter(x => x);
}

/* ---- Texts ---- */
const ROLES = {target: 'target', source: 'source', both: 'both', decoy: 'control',
    none: 'left out'};
const isProposed = row => !!row.date && !/^(manifest|list)$/.test(row.date_from || 'manifest');
const care = row => [row.error, ...(row.warnings || []).map(m => m.text)].filter(x => x);
const notes = row => [...care(row), ...accountOf(row)].join('; ');
const runErrors = {}; // of the last run: {ID: {file: text}}

const columns = [
    {key: 'title', name: 'Title', width: 'minmax(12rem,3fr)', edits: true},
    {key: 'author', name: 'Author', width: 'minmax(8rem,2fr)', edits: true},
    {key: 'date', name: 'Date', width: '7.5rem', edits: true,
        text: row => row.date ? row.date + (isProposed(row) ? ' ?' : '') : '',
        title: row => isProposed(row) ? `proposed: from the ${row.date_from}` : row.date || '',
        look: row => isProposed(row) ? 'proposed' : ''},
    {key: 'role', name: 'Role', width: '6rem', edits: true, choices: ROLES,
        text: row => ROLES[row.role] || row.role || '', look: row => `role-${row.role}`},
    {key: 'language', name: 'Language', width: '6.5rem'},
    {key: 'words', name: 'Words', width: '5.5rem', by: row => +row.words || 0,
        text: row => row.words ? grouped(row.words) : '', look: () => 'n'},
    {key: 'kind', name: 'Kind', width: '5rem'},
    {key: 'file', name: 'File', width: 'minmax(8rem,2fr)', text: row => row.file.replace(
        /^texts\//, '')},
    {key: 'notes', name: 'Notes', width: 'minmax(9rem,3fr)', text: notes, look: row => care(row)
        .length ? 'notes odd' : 'notes'}];

const nextOfTexts = rows => {
    const n = rows.filter(isProposed).length;
    if (!rows.length) return 'Drop texts on this page, or choose them.';
    if (!rows.some(row => /target|both/.test(row.role)))
        return 'Say which text is the question: choose its row, then \u201cTarget\u201d.';
    const named = rows.filter(row => row.role === 'target');
    if (n) return `${counted(n, 'date')} were proposed from names or properties: correct them, ` +
        'then \u201cConfirm dates\u201d, and choose whether only older texts can be sources.';
    if (!named.length && rows.length > 2) return 'Which text is the question? Choose its row, ' +
        'then \u201cTarget\u201d. Or leave it: then each text is compared with all others. Then: ' +
        'Compare.';
    return (named.length === 1 ? 'The question is \u201c' + (named[0].title || named[0].file) +
        '\u201d; sources are where its words may come from. ' : '') + 'A double click, or Enter, ' +
        'changes a cell. When titles, dates and roles are right: Compare.';
};

async function showTexts(id, more, isStill) {
    let rows = [], undone = [], done = [], keeping = Promise.resolve(), waiting = 0, asked = 0;
    const place = make('div', {id: 'text', className: 'reading', tabIndex: 0, hidden: true,
        role: 'region', 'aria-label': 'The text'});
    const messages = make('div', {id: 'messages'});
    const n = make('output', {id: 'rows'});

    const told = () => {
        next(nextOfTexts(rows));
        n.textContent = `${counted(grid.shown().length, 'text')}` + (grid.shown().length <
            rows.length ? ` of ${grouped(rows.length)}` : '') + (grid.chosen().length > 1 ?
            `, ${grid.chosen().length} chosen` : '');
        undo.disabled = !done.length;
        redo.disabled = !undone.length;
        confirm.disabled = !rows.some(isProposed);
        const isNone = !grid.chosen().length || state.read_only;
        [...roles.querySelectorAll('button'), remove].forEach(b => { b.disabled = isNone; });
    };

    /* The table is kept at once, one request after the other; of several that wait, the last. */
    const sent = row => Object.assign({}, row, isProposed(row) ? {date: ''} : {});
    /* The experiment names the manifest; all else in it stays. */
    const experiment = async () => {
        const {text} = await get(of(id, '/yaml'));
        const yaml = [['documents', ''], ['glob', ''], ['root', ''], ['manifest', 'manifest.csv'],
            ['target', 'all']].reduce((was, [key, value]) => was && setKey(was, `corpus.${key}`,
            value), text || '# Which of the texts in manifest.csv flow into ' +
            'which. The application changes the keys of corpus;\n# comments and other keys stay ' +
            `as you write them.\ntributary: 1\nname: ${JSON.stringify(project.name)}\n\ncorpus:` +
            '\n  order: any\n\noutput: "runs/{name}"\n');
        if (yaml) return yaml;
        throw new Error('experiment.yaml: \u201ccorpus\u201d is written in braces. Write each of ' +
            'its keys on a line of its own in the settings.');
    };
    const wait = by => { document.body.dataset.waiting = waiting += by; };
    const keep = () => {
        const mine = ++asked;
        wait(1);
        keeping = keeping.then(async () => mine === asked ? request('PUT', of(id, '/texts'), {rows:
            rows.filter(row => !row.unread).map(sent), yaml: await experiment()}) : null).then(
            answer => {
            if (!answer) return;
            messages.replaceChildren(messagesOf([...refusals[id] || [],
                ...general(messagesIn(answer))]));
            say('Saved.');
            others.postMessage(id);
        }).catch(failed).then(() => wait(-1));
        grid.redraw();
        told();
        return keeping;
    };
    /* What the program says of no row, or of none that is shown. */
    const general = some => some.filter(m => !rows.some(row => m.raw.includes(row.file)));
    const apply = (changes, isBack) => {
        for (const x of changes) {
            x.row[x.key] = isBack ? x.from : x.to;
            if (x.key === 'date') x.row.date_from = isBack ? x.was : 'manifest';
        }
        keep();
    };
    const change = changes => {
        if (!changes.length || state.read_only) return;
        /* The first text that is called the target makes the others its sources. */
        if (rows.every(row => /both|none/.test(row.role)) && changes.every(x => x.key === 'role' &&
            x.to === 'target')) changes.push(...rows.filter(row => row.role === 'both' &&
            !changes.some(x => x.row === row)).map(row => ({row, key: 'role', to: 'source'})));
        changes.forEach(x => Object.assign(x, {from: x.row[x.key] || '', was: x.row.date_from}));
        done.push(changes);
        undone = [];
        apply(changes);
    };
    const isRemoval = step => !Array.isArray(step);
    const removeFiles = async (step, isBack) => {
        try {
            for (const name of step.files) {
                const own = name.replace(/^texts\//, '');
                if (isBack) await post(of(id, '/restore'), {name: own});
                else await request('DELETE', of(id, `/files/${encodeURIComponent(own)}`));
            }
            say(isBack ? 'Back again.' : 'Moved to the folder \u201cremoved\u201d of the project.');
        } catch (error) {
            failed(error);
        }
        await load();
        await keep();
    };
    const back = (from, to, isBack) => {
        const step = from.pop();
        if (!step) return;
        to.push(step);
        if (isRemoval(step)) removeFiles(step, isBack);
        else apply(step.map(x => Object.assign(x, {row: rows.find(row => row.file === x.row.file) ||
            x.row})), isBack);
        told();
    };

    const read = async row => {
        place.hidden = false;
        const read = [...row.words ? [`${counted(+row.words, 'word')}, read as ${row.kind ||
            'text'}`] : [], ...accountOf(row, true)].map(text => `${text}. `);
        place.replaceChildren(make('h2', {dir: 'auto', textContent: row.title || row.file}),
            ...care(row).map(text => make('p', {className: 'care', dir: 'auto', textContent:
                text})), make('p', {className: 'note', dir: 'auto'}, ...read,
                why('What is counted?', 'app/what-the-numbers-say')),
            make('p', {className: 'fulltext', dir: 'auto', textContent: '\u2026'}));
        place.dataset.file = row.file;
        try {
            const {text} = await get(of(id, `/text/${row.file.split('/').map(
                encodeURIComponent).join('/')}`));
            if (place.dataset.file === row.file) place.lastChild.textContent = text;
        } catch (error) {
            if (place.dataset.file !== row.file) return;
            place.lastChild.className = 'said wrong';
            place.lastChild.textContent = error.message;
        }
    };
    const readSoon = settled(150, () => {
        if (grid.chosen().length === 1) read(grid.chosen()[0]);
    });

    const grid = makeGrid(columns, 'Texts', {
        change, say, isOpen: x => x.key === 'date' && isProposed(x.row), open: row => {
            read(row);
            place.focus();
        },
        chosen: () => {
            told();
            readSoon();
        },
        undo: () => back(done, undone, true), redo: () => back(undone, done, false)
    });
    place.addEventListener('keydown', e => { if (e.key === 'Escape') grid.focus(); });

    const all = (key, to) => change(grid.chosen().filter(row => (row[key] || '') !== to).map(row =>
        ({row, key, to})));
    const roles = make('span', {role: 'group', 'aria-label': 'Role of the chosen rows'},
        ...Object.entries({target: 'Target', source: 'Source', both: 'Both', none: 'Leave out'})
            .flatMap(([role, name]) => [button(name, () => all('role', role), {id: `as-${role}`}),
                ' ']));
    const confirm = button('Confirm dates', () => {
        const some = grid.chosen().length > 1 ? grid.chosen() : rows;
        change(some.filter(isProposed).map(row => ({row, key: 'date', to: row.date})));
    }, {id: 'confirm', title: 'All that are proposed, or those of the chosen rows'});
    /* Without this a later text may count as a source of an earlier one. */
    const byDate = make('input', {type: 'checkbox', id: 'by-date'});
    const readOrder = async () => {
        const {text} = await get(of(id, '/yaml'));
        byDate.checked = yamlValue(text, 'corpus.order') === 'by-date';
        return text;
    };
    byDate.addEventListener('change', async () => {
        const order = byDate.checked ? 'by-date' : 'any';
        wait(1);
        await keeping;
        try {
            const changed = withValue(await readOrder(), 'corpus.order', order);
            const said = changed === null ? {errors: ['Change corpus.order in the settings.']} :
                await request('PUT', of(id, '/yaml'), {text: changed, save: true});
            messages.replaceChildren(messagesOf(messagesIn(said)));
            await readOrder();
            say(byDate.checked === (order === 'by-date') ? 'Saved.' : 'Not saved.');
        } catch (error) {
            failed(error);
        }
        wait(-1);
    });
    const remove = button('Remove', () => {
        const step = {files: grid.chosen().map(row => row.file)};
        done.push(step);
        undone = [];
        removeFiles(step, false);
    }, {title: 'Moves the files of the chosen rows to the folder \u201cremoved\u201d'});
    const undo = button('Undo', () => back(done, undone, true), {id: 'undo'});
    const redo = button('Redo', () => back(undone, done, false));

    const words = make('input', {type: 'search', id: 'filter', dir: 'auto'});
    const kind = make('select', {id: 'which'}, ...[['', 'all'], ['care', 'with notes'],
        ['date', 'with a proposed or no date'], ['target', 'targets'], ['source', 'sources'],
        ['none', 'left out']].map(([value, textContent]) => make('option', {value, textContent})));
    const filter = () => {
        const wanted = words.value.trim().toLowerCase(), v = kind.value;
        grid.filter(row => (!wanted || [row.title, row.author, row.file, row.date, notes(row)].some(
            x => x && x.toLowerCase().includes(wanted))) && (!v || (v === 'care' ? !!notes(row) :
            v === 'date' ? !row.date || isProposed(row) : row.role === v ||
                row.role === 'both' && v !== 'none')));
        told();
    };
    words.addEventListener('input', filter);
    kind.addEventListener('change', filter);

    const bar = make('progress', {hidden: true, value: 0});
    bar.setAttribute('aria-label', 'Copied');
    const add = async files => {
        bar.hidden = false;
        refusals[id] = await upload(id, files, bar).catch(error => [error.message]);
        bar.hidden = true;
        await load();
        await keep();
    };

    const load = async () => {
        say('Reading the texts \u2026');
        await keeping;
        const answer = await readTable(id);
        if (!isStill()) return;
        rows = answer.rows;
        const errors = runErrors[id] || {};
        rows.forEach(row => { if (errors[row.file]) row.error = errors[row.file]; });
        grid.set(rows);
        const refused = refusals[id] || [];
        messages.replaceChildren(messagesOf([...refused, ...general(answer.messages)]));
        say(refused.length ? `${counted(refused.length, 'file')} could not be taken.` : '',
            refused.length > 0);
        told();
    };
    const hear = e => { if (e.data === id && !grid.isEditing() && !waiting) load().catch(failed); };
    others.addEventListener('message', hear);
    leaving.push(() => others.removeEventListener('message', hear));

    if (!state.read_only) taker = add;
    element('main').replaceChildren(...heading(project.name,
        make('div', {className: 'tools'}, make('label', {htmlFor: 'filter', textContent: 'Find'}),
            words, make('label', {htmlFor: 'which', textContent: 'Show'}), kind, n),
        make('div', {className: 'tools'}, roles, confirm, make('label', {}, byDate,
            ' Only older texts can be sources'), undo, redo, remove),
        make('div', {className: 'table'}, grid.element, place), messages,
        ...state.read_only ? [] : [dropPlace(add, make('h2', {textContent: 'More texts'}),
            make('p', {textContent: 'Drop files or folders anywhere on this page.'}), bar)],
        make('details', {}, make('summary', {textContent: 'Keys of the table'}), make('p', {
            className: 'note', textContent: 'Arrows move. Enter or a letter changes a cell, Tab ' +
                'goes to the next, Escape gives up. Shift and arrows choose several rows, the ' +
                'space bar adds one, Ctrl+A all. Ctrl+C copies, Ctrl+V fills cells from a ' +
                'spreadsheet, Ctrl+Z undoes. Up to the heading, then Enter: sorts. Enter on ' +
                'language, words, kind, file or notes goes to the text.'})),
        make('p', {}, make('a', {href: `#/${id}/run`, className: 'onward', textContent:
            'Go on to Compare \u2192'}))));
    await load();
    const had = await readOrder();
    if (!had && rows.length && isStill()) await keep(); // so that it can be compared
    if (more) grid.at(more);
}

