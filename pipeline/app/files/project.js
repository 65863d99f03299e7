/* project.js - the pages of a project: its texts, its settings, the comparison with its report,
 * and questions to the texts. Each returns nothing and fills #main; `leaving` undoes what must not
 * go on when another page is shown. What the program says is shown in its own words. */
'use strict';

let project = null, leaving = [];
const leave = () => {
    leaving.forEach(f => f());
    leaving = [];
};
const every = (ms, work) => {
    const timer = setInterval(work, ms);
    leaving.push(() => clearInterval(timer));
};
/* Calls `work` when nothing was typed for a moment. */
const settled = (ms, work) => {
    let timer = 0;
    const call = () => {
        clearTimeout(timer);
        timer = setTimeout(work, ms);
    };
    leaving.push(() => clearTimeout(timer));
    return call;
};
/* Other pages of this browser that show the same project. */
const others = new BroadcastChannel('tributary');

const heading = (text, ...more) => [make('h1', {textContent: text, dir: 'auto'}),
    make('p', {id: 'said', className: 'said', role: 'status'}), ...more];
const messagesOf = messages => make('ul', {className: 'messages'}, ...messages.map(m => make('li', {
    className: m.severity === 'warning' ? 'warning' : 'wrong', dir: 'auto',
    textContent: typeof m === 'string' ? m : m.text})));

async function readProject(id) {
    project = await get(of(id, ''));
    project.runs = project.runs.filter(r => r.report).sort((a, b) => (b.time || 0) - (a.time || 0));
}
async function showProject(id, name, more, isStill) {
    await readProject(id);
    if (isStill()) await pages[name](id, more, isStill);
}

/* ---- Texts ---- */
const ROLES = {target: 'target', source: 'source', both: 'both', decoy: 'control',
    none: 'left out'};
const isProposed = row => !!row.date && !/^(manifest|list)$/.test(row.date_from || 'manifest');
const notes = row => [row.error, ...row.warnings || [], row.left_out && `left out: ${row.left_out}`]
    .filter(x => x).join('; ');
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
    {key: 'notes', name: 'Notes', width: 'minmax(9rem,3fr)', text: notes, look: () => 'notes'}];

const nextOfTexts = rows => {
    const n = rows.filter(isProposed).length;
    if (!rows.length) return 'Drop texts on this page, or choose them.';
    if (!rows.some(row => /target|both/.test(row.role)))
        return 'Say which text is the question: choose its row, then \u201cTarget\u201d.';
    if (n) return `${counted(n, 'date')} were proposed from names or properties: correct them, ` +
        'then \u201cConfirm dates\u201d, and choose whether only older texts can be sources.';
    return 'A double click, or Enter, changes a cell. When titles, dates and roles are right: ' +
        'Compare.';
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
    const wait = by => { document.body.dataset.waiting = waiting += by; };
    const keep = () => {
        const mine = ++asked;
        wait(1);
        keeping = keeping.then(() => mine === asked ? request('PUT', of(id, '/texts'), {rows:
            rows.filter(row => !row.unread).map(sent)}) : null).then(answer => {
            if (!answer) return;
            messages.replaceChildren(messagesOf([...refusals[id] || [], ...general(answer)]));
            say('Saved.');
            others.postMessage(id);
        }).catch(failed).then(() => wait(-1));
        grid.redraw();
        told();
        return keeping;
    };
    /* What the program says of no row, or of none that is shown. */
    const general = answer => (answer.messages || []).map(m => m.text || m).filter(text =>
        !rows.some(row => (row.warnings || []).includes(text)));
    const apply = (changes, isBack) => {
        for (const x of changes) {
            x.row[x.key] = isBack ? x.from : x.to;
            if (x.key === 'date') x.row.date_from = isBack ? x.was : 'manifest';
        }
        keep();
    };
    const change = changes => {
        if (!changes.length || state.read_only) return;
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
        place.replaceChildren(make('h2', {dir: 'auto', textContent: row.title || row.file}),
            ...notes(row) ? [make('p', {className: 'care', dir: 'auto', textContent: notes(row)})] :
                [], make('p', {className: 'fulltext', dir: 'auto', textContent: '\u2026'}));
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
            const {messages: m} = changed === null ? {messages: [{text: 'Change corpus.order in ' +
                'the settings.'}]} : await request('PUT', of(id, '/yaml'), {text: changed,
                save: true});
            messages.replaceChildren(messagesOf(m));
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
        const answer = await get(of(id, '/texts'));
        if (!isStill()) return;
        rows = answer.rows;
        const errors = runErrors[id] || {};
        rows.forEach(row => { if (errors[row.file]) row.error = errors[row.file]; });
        grid.set(rows);
        const refused = refusals[id] || [];
        messages.replaceChildren(messagesOf([...refused, ...general(answer)]));
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
    if (!project.has_yaml && rows.length && isStill()) await keep(); // so that it can be compared
    if (rows.length) await readOrder();
    if (more) grid.at(more);
}

/* ---- Settings ---- */

/* The line of a key in YAML, and where a value stands in it. Only blocks, as people write them. */
const indentOf = line => line.search(/\S/);
const findKey = (lines, path) => {
    let from = 0, depth = -1, at = -1;
    for (const part of path.split('.')) {
        at = -1;
        let inner = -1;
        for (let i = from; i < lines.length; i++) {
            if (!/\S/.test(lines[i]) || /^\s*(#|---)/.test(lines[i])) continue;
            const indent = indentOf(lines[i]);
            if (indent <= depth) break;
            if (inner < 0) inner = indent;
            if (indent === inner && lines[i].slice(indent).match(/^["']?([\w.]+)["']?\s*:/)?.[1] ===
                part) {
                at = i;
                break;
            }
        }
        if (at < 0) return -1;
        depth = indentOf(lines[at]);
        from = at + 1;
    }
    return at;
};
const valueAt = RegExp('^(\\s*[^:]+:)(\\s*)((?:"(?:[^"\\\\]|\\\\.)*"|' + // before; quoted,
    "'(?:[^']|'')*'|\\[[^\\]]*\\]|[^#\\s](?:[^#]|\\S#)*?)?)" + // a list, plain
    '(\\s*(?:\\s#.*)?)$'); // a comment
const yamlValue = (text, path) => {
    const lines = text.split('\n'), at = findKey(lines, path);
    return at < 0 ? null : (lines[at].match(valueAt) || [])[3] ?? null;
};
/* The text with another value of a key, or null where the key is written in another manner. An
 * empty value takes the key out: then its default holds. */
const withValue = (text, path, value) => {
    const lines = text.split('\n'), at = findKey(lines, path);
    if (at >= 0) {
        const m = lines[at].match(valueAt);
        const isBlock = lines[at + 1] !== undefined && indentOf(lines[at + 1]) >
            indentOf(lines[at]) && !/^\s*#/.test(lines[at + 1]);
        if (!m || isBlock || /^[{|>&*[][^\]}]*$/.test(m[3])) return null;
        if (value === '') lines.splice(at, 1);
        else lines[at] = `${m[1]} ${value}${m[4]}`;
        return lines.join('\n');
    }
    if (value === '') return text;
    const parts = path.split('.'), name = parts.pop(), parent = parts.join('.');
    if (!parent) lines.splice(lines[lines.length - 1] === '' ? lines.length - 1 : lines.length, 0,
        `${name}: ${value}`);
    else {
        const up = findKey(lines, parent);
        if (up < 0) {
            const grown = withValue(text, parent, ' ');
            return grown && withValue(grown.replace(/[ \t]+$/gm, ''), path, value);
        }
        const m = lines[up].match(valueAt);
        if (m && m[3]) return null;
        const first = lines.slice(up + 1).find(l => /\S/.test(l) && !/^\s*#/.test(l)) || '';
        const deep = indentOf(lines[up]);
        const inner = indentOf(first) > deep ? indentOf(first) : deep + 2;
        lines.splice(up + 1, 0, `${' '.repeat(inner)}${name}: ${value}`);
    }
    return lines.join('\n');
};

const GROUPS = {words: 'Words', comparison: 'Comparison', report: 'Report'};

async function showSettings(id, more, isStill) {
    const [{text}, keys] = await Promise.all([get(of(id, '/yaml')), get('/api/keys')]);
    if (!isStill()) return;
    const list = keys.filter(({key}) => // the table of texts writes these
        !/^corpus\.(manifest|glob|library|root|target)$/.test(key));
    const yaml = make('textarea', {id: 'yaml', value: text, spellcheck: false, dir: 'ltr',
        readOnly: state.read_only});
    const messages = make('div', {id: 'messages', role: 'status'});
    const inputs = [];

    const check = async () => {
        const sent = yaml.value;
        try {
            const answer = await request('PUT', of(id, '/yaml'), {text: sent, save: true});
            if (yaml.value !== sent) return;
            const found = answer.messages || [], errors = found.filter(m =>
                m.severity !== 'warning');
            messages.replaceChildren(messagesOf(found));
            [...messages.querySelectorAll('li')].forEach((li, i) => {
                if (found[i].line) li.append(' ', button(`Line ${found[i].line}`, () => {
                    const lines = yaml.value.split('\n');
                    const from = lines.slice(0, found[i].line - 1).join('\n').length + 1;
                    yaml.focus();
                    yaml.setSelectionRange(from, from + (lines[found[i].line - 1] || '').length);
                }));
            });
            yaml.setAttribute('aria-invalid', errors.length > 0);
            say(errors.length ? 'Not saved: ' + counted(errors.length, 'mistake') + '.' : 'Saved.',
                errors.length > 0);
            next(errors.length ? 'Mend what is listed below the file; the last right settings ' +
                'stay kept.' : 'The settings are kept. Go on to Compare.');
        } catch (error) {
            failed(error);
        }
    };
    const checkSoon = settled(300, check);
    const readBack = () => inputs.forEach(({key, input, line}) => {
        const value = yamlValue(yaml.value, key.key);
        const plain = (value || '').replace(/^(["'])(.*)\1$/, '$2');
        if (document.activeElement !== input) input.value = plain;
        line.classList.toggle('long', plain.length > 22);
        line.classList.toggle('set', value !== null && value !== '');
    });
    yaml.addEventListener('input', () => {
        readBack();
        checkSoon();
    });

    const lineOf = key => {
        const choices = key.choices.length && !/list/.test(key.kind) ? key.choices : null;
        const kept = /^(null|"")$/.test(key.default ?? '') ? 'none' : String(key.default);
        const input = choices ? make('select', {}, make('option', {value: '', textContent:
            `${kept} (default)`}), ...choices.map(({name, help}) => make('option', {value: name,
            textContent: help ? `${name}: ${help}` : name}))) :
            make('input', {type: 'text', placeholder: kept});
        input.id = `key-${key.key}`;
        input.disabled = state.read_only;
        const line = make('div', {className: 'setting', id: `line-${key.key}`},
            make('label', {htmlFor: input.id, textContent: key.key}), input,
            make('small', {id: `help-${key.key}`, textContent: key.help.replace(/`/g, '') +
                `. Default: ${kept}`}));
        input.setAttribute('aria-describedby', `help-${key.key}`);
        input.addEventListener('change', () => {
            const changed = withValue(yaml.value, key.key, input.value.trim());
            if (changed === null) say(`${key.key} is written in another manner in the file: ` +
                'change it there.', true);
            else {
                yaml.value = changed;
                checkSoon();
            }
            readBack();
        });
        inputs.push({key, input, line});
        return line;
    };
    const groups = Object.entries(GROUPS).map(([name, title], i) => make('details', {className:
        'group', open: i === 0}, make('summary', {}, make('h2', {textContent: title})),
    ...list.filter(key => key.group === name).map(lineOf)));
    const find = make('input', {type: 'search', id: 'find-key'});
    find.addEventListener('input', () => {
        const wanted = find.value.trim().toLowerCase();
        inputs.forEach(({key, line}) => {
            line.hidden = !!wanted && !`${key.key} ${key.help}`.toLowerCase().includes(wanted);
        });
        groups.forEach((g, i) => {
            g.open = wanted ? !!g.querySelector('.setting:not([hidden])') : i === 0;
        });
    });
    readBack();
    next('Most need no change. A setting that you change is checked and kept at once.');
    element('main').replaceChildren(...heading('Settings'),
        make('div', {className: 'tools'}, make('label', {htmlFor: 'find-key', textContent:
            'Find a setting'}), find),
        make('div', {className: 'two'}, make('div', {}, ...groups), make('div', {className: 'file'},
            make('h2', {}, make('label', {htmlFor: 'yaml', textContent: 'experiment.yaml'})),
            make('p', {className: 'note', textContent: 'The same settings, as the command line ' +
                'reads them. What you change on either side changes on the other.'}),
            yaml, messages)));
    if (more) element(`key-${more}`)?.focus();
}

/* ---- Compare: the run, its report ---- */
const busy = job => job && /^(running|paused)$/.test(job.state);
const duration = s => s < 90 ? counted(Math.max(1, Math.round(s)), 'second') :
    s < 5400 ? counted(Math.round(s / 60), 'minute') : counted(Math.round(s / 3600), 'hour');

async function showRun(id, more, isStill) {
    const box = make('section', {id: 'job', className: 'job', 'aria-label': 'The run'});
    const report = make('section', {id: 'report', 'aria-label': 'The report'});
    const estimate = make('span', {id: 'estimate', className: 'note'});
    let shown = '', wasBusy = false;

    const open = (name, isNew) => {
        const run = project.runs.find(r => r.name === name);
        if (!run || shown === name && !isNew) return;
        shown = name;
        const at = `${state.runs_origin}/run/${id}/${encodeURIComponent(name)}/`;
        const kept = of(id, `/runs/${encodeURIComponent(name)}/judgements`);
        const frame = make('iframe', {title: `The report of ${name}`, src: at + run.report,
            'data-judgements': kept});
        const file = (text, part) => make('li', {}, make('a', {href: `${at}${part}?save`,
            textContent: text}));
        const publish = button('Publish', async () => {
            publish.disabled = true;
            try {
                const {site} = await post(of(id, `/runs/${encodeURIComponent(name)}/publish`));
                say(`A folder to put on a web server: ${project.path}/${site}`);
            } catch (error) {
                failed(error);
            }
            publish.disabled = false;
        }, {id: 'publish', hidden: state.read_only || !(state.commands && state.commands.publish)});
        const judgements = button('Judgements (CSV)', async () => {
            const all = await get(kept);
            const url = URL.createObjectURL(new Blob([csvOf(merged(all, {own: {}}))],
                {type: 'text/csv'}));
            make('a', {href: url, download: `${name}-judgements.csv`}).click();
            setTimeout(() => URL.revokeObjectURL(url), 60000);
        }, {id: 'save-judgements'});
        report.replaceChildren(
            make('div', {className: 'tools'}, button('The answer', () => {
                frame.src = at + run.report;
            }), make('details', {className: 'menu', id: 'export'},
                make('summary', {textContent: 'Export'}), make('ul', {},
                file('Shares (CSV)', 'influence.csv'), file('Passages (TSV)', 'passages.tsv'),
                file('Phrases (CSV)', 'phrases.csv'), file('Everything (JSON)', 'influence.json'),
                file('The report (HTML)', 'report.html'), make('li', {}, judgements))), publish,
            make('a', {href: at + run.report, target: '_blank', textContent:
                'In a window of its own'}), make('a', {href: '/help/interpretation', target:
                '_blank', textContent: 'What does a share mean?'})),
            frame);
        next('Read the answer, then the finds.' + (state.read_only ? '' : ' Accept or reject ' +
            'them: what you judge is kept in the folder of the project.'));
        box.hidden = true;
    };

    const act = action => post(of(id, '/job'), {action}).then(look).catch(failed);
    const pause = button('Pause', () => act(pause.textContent === 'Pause' ? 'pause' : 'resume'),
        {id: 'pause'});
    const stop = button('Stop', () => act('stop'), {id: 'stop'});
    const stages = make('ul', {className: 'stages'}), doing = make('p', {id: 'doing'});
    const errors = make('ul', {className: 'messages', id: 'errors'});
    const controls = make('p', {}, pause, ' ', stop);
    box.append(doing, stages, controls, errors);

    const draw = job => {
        box.hidden = !job || job.state === 'finished' && !(job.errors || []).length;
        start.disabled = busy(job);
        if (!job) return;
        box.dataset.state = job.state;
        controls.hidden = !busy(job);
        pause.textContent = job.state === 'paused' ? 'Go on' : 'Pause';
        doing.textContent = job.state === 'paused' ? 'Paused. Nothing is lost.' :
            job.state === 'stopped' ? 'Stopped. What was computed is kept: Compare goes on from ' +
                'there.' : job.state === 'failed' ? job.sentence || 'The run has failed.' :
                (job.doing || 'It begins \u2026') + (job.left_s ?
                    ` \u2013 about ${duration(job.left_s)} left` : '');
        (job.stages || []).forEach((s, i) => {
            const li = stages.children[i] || stages.appendChild(make('li', {}, make('span'),
                make('progress')));
            li.firstChild.textContent = s.name;
            li.lastChild.setAttribute('aria-label', s.name);
            li.lastChild.max = s.of || 1;
            if (s.of) li.lastChild.value = s.done;
            else li.lastChild.removeAttribute('value');
        });
        while (stages.children.length > (job.stages || []).length) stages.lastChild.remove();
        runErrors[id] = Object.fromEntries((job.errors || []).filter(e => e.file).map(e =>
            [e.file, e.text]));
        errors.replaceChildren(...(job.errors || []).map(e => make('li', {className: 'wrong',
            dir: 'auto'}, e.text, ...e.file ? [' ', make('a', {href: `#/${id}/texts/` +
                encodeURIComponent(e.file), textContent: 'To its row'})] : [])));
        if (job.state === 'failed') next('Mend what the program says below, then press Compare.');
        if (job.state === 'paused') next('Press \u201cGo on\u201d when you like.');
        if (job.state === 'running') next('The program compares. You may go to other pages.');
        if (job.state === 'stopped') next('Press Compare to go on.');
    };
    const look = async () => {
        const job = await get(of(id, '/job')).catch(() => null);
        if (!isStill()) return;
        draw(job);
        if (wasBusy && job && job.state === 'finished') {
            await readProject(id);
            if (!isStill()) return;
            listRuns();
            const name = job.run || (project.runs.find(r => job.report &&
                job.report.includes(r.name)) || project.runs[0] || {}).name;
            open(name, true);
            say('Finished.');
        }
        wasBusy = !!busy(job);
    };
    const start = button('Compare', async () => {
        start.disabled = true;
        report.replaceChildren();
        shown = '';
        errors.replaceChildren();
        say('');
        try {
            await post(of(id, '/run'));
            wasBusy = true;
        } catch (error) {
            start.disabled = false;
            failed(error);
            errors.replaceChildren(make('li', {className: 'wrong', textContent: error.message}));
        }
        look();
    }, {id: 'start', className: 'main', hidden: state.read_only});
    const runs = make('ul', {className: 'projects'});
    const listRuns = () => runs.replaceChildren(...project.runs.map(r => make('li', {}, make('a', {
        href: `#/${id}/run/${encodeURIComponent(r.name)}`, dir: 'auto', textContent: r.name}),
    make('small', {textContent: r.time ? new Date(r.time * 1000).toLocaleString() : ''}))));

    listRuns();
    next(project.runs.length ? 'Press Compare after a change, or read the report below.' :
        'Press Compare.');
    element('main').replaceChildren(...heading('Compare', make('p', {className: 'tools'}, start,
        estimate)), box,
        report, ...project.runs.length > 1 ? [make('section', {}, make('h2', {textContent:
            'Runs of this project'}), runs)] : []);
    if (busy(project.job)) {
        wasBusy = true;
        draw(project.job);
    } else {
        draw(project.job && project.job.state !== 'finished' ? project.job : null);
        const name = more || (project.runs[0] || {}).name;
        if (name) open(name);
    }
    every(500, () => { if (wasBusy) look(); });
    if (!state.read_only) get(of(id, '/estimate')).then(e => {
        if (isStill()) estimate.textContent = e.seconds ?
            `About ${duration(e.seconds)}, ${size(e.memory_bytes)} of memory.` : '';
    }).catch(error => {
        if (isStill()) estimate.textContent = error.message;
    });
}

/* ---- Ask ---- */
const wordRuns = text => [...text.matchAll(/[\p{L}\p{N}\p{M}'\u2019]+/gu)];

/* A passage, with the words that a place holds marked in its colour. */
function marked(text, runs) {
    const words = wordRuns(text), isIn = new Set();
    runs.forEach(([from, , n]) => { for (let i = 0; i < n; i++) isIn.add(from + i); });
    const p = make('p', {className: 'passage', dir: 'auto'});
    let at = 0;
    words.forEach((w, i) => {
        if (!isIn.has(i + 1)) return;
        const end = isIn.has(i + 2) && words[i + 1] ? words[i + 1].index : w.index + w[0].length;
        p.append(text.slice(at, w.index), make('mark', {textContent: text.slice(w.index, end)}));
        at = end;
    });
    p.append(text.slice(at));
    return p;
}
const cite = (...parts) => parts.filter(x => x).join(', ');

async function showAsk(id, more, isStill) {
    const area = make('textarea', {id: 'passage', rows: 5, dir: 'auto', value: more});
    const found = make('div', {id: 'found'});
    const kind = make('select', {id: 'ask-kind'}, ...[['', 'by its length'], ['passage',
        'as a passage'], ['word', 'as a word or phrase']].map(([value, textContent]) =>
        make('option', {value, textContent})));
    let asked = 0;

    const passages = (text, answer) => {
        const list = answer.found || [];
        say(list.length ? `${counted(list.length, 'place')} hold words of it.` :
            'No text of this project holds words of it.');
        const holds = list.map((f, i) => make('li', {className: `s${i % 8 + 1}`},
            make('h2', {}, make('span', {className: 'k', textContent: i + 1}), ' ', make('bdi', {
                textContent: cite(f.author, f.title || f.id, f.date)})),
            make('p', {className: 'note', textContent: cite(`${f.equal} of ${answer.words} words`,
                f.reference || (f.line ? `line ${f.line}` : ''))}),
            make('div', {className: 'two'}, marked(text, f.runs || []),
                make('blockquote', {dir: 'auto', textContent: f.text}))));
        const often = (answer.frequent || []).length;
        found.replaceChildren(make('ol', {className: 'answers-of'}, ...holds), ...often ? [make('p',
            {className: 'note', textContent: `${counted(often, 'phrase')} of it stand in so many ` +
                'places that they are not listed.'})] : []);
    };
    const places = answer => {
        const texts = (answer.documents || []).filter(d => d.hits.length);
        const n = texts.reduce((sum, d) => sum + d.hits.length, 0);
        say(n ? `${counted(n, 'place')} in ${counted(texts.length, 'text')}.` :
            'It stands in no text of this project.');
        found.replaceChildren(...texts.map(d => make('section', {}, make('h2', {dir: 'auto',
            textContent: `${d.title || d.id} (${d.hits.length})`}), make('ul', {className: 'kwic'},
            ...d.hits.slice(0, 200).map(h => make('li', {dir: 'auto'}, make('span', {className:
                'before', textContent: h.before}), make('mark', {textContent: h.keyword}),
            make('span', {className: 'after', textContent: h.after}), make('small', {textContent:
                ` ${h.reference || ''}`})))))));
    };
    const ask = async () => {
        const text = area.value.trim(), mine = ++asked;
        if (!text) return void found.replaceChildren();
        const how = kind.value || (wordRuns(text).length > 6 ? 'passage' : 'word');
        try {
            const answer = await post(of(id, '/ask'), {text, kind: how});
            if (mine !== asked || !isStill()) return;
            if (how === 'passage') passages(text, answer);
            else places(answer);
        } catch (error) {
            if (mine === asked) failed(error);
        }
        found.dataset.asked = text;
    };
    const askSoon = settled(300, ask);
    area.addEventListener('input', askSoon);
    kind.addEventListener('change', ask);
    next('Paste a passage, or write a word: the texts that hold it are shown below.');
    element('main').replaceChildren(...heading('Ask the texts'), make('p', {}, make('label', {
        htmlFor: 'passage', textContent: 'A passage, a paragraph of yours, a word or a phrase'})),
    area, make('p', {className: 'tools'}, make('label', {htmlFor: 'ask-kind', textContent:
        'Look it up'}), kind, button('Ask', ask, {className: 'main'})), found);
    area.focus();
    if (more) await ask();
}

const pages = {texts: showTexts, settings: showSettings, run: showRun, ask: showAsk};
