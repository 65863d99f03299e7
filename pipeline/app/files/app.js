/* app.js - the application in the browser: what all its pages share (requests, addresses, uploads,
 * judgements, the tour), and the first page. The pages of a project are in project.js. The server
 * is the program itself, on this machine; nothing else is asked (pipeline/app). */
'use strict';

const element = id => document.getElementById(id);
const button = (text, work, set) => {
    const b = make('button', Object.assign({type: 'button', textContent: text}, set));
    b.addEventListener('click', work);
    return b;
};
const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');
const counted = (n, what) => `${grouped(n)} ${what}${n === 1 ? '' : 's'}`;
const size = n => n < 1e6 ? `${Math.ceil(n / 1e3)} kB` : n < 1e9 ? `${(n / 1e6).toFixed(1)} MB` :
    `${(n / 1e9).toFixed(1)} GB`;

/* ---- Requests ---- */
let state = null;

const gone = text => {
    element('gone').textContent = text;
    element('gone').hidden = !text;
};
/* The answer as JSON; an error says what the server said. */
async function request(method, path, body, headers) {
    const isRaw = body instanceof Blob;
    let answer;
    try {
        answer = await fetch(path, {method, cache: 'no-store', headers: Object.assign(
            method === 'GET' ? {} : {'X-Tributary': state ? state.change_token : ''},
            body === undefined || isRaw ? {} : {'Content-Type': 'application/json'}, headers),
            body: body === undefined || isRaw ? body : JSON.stringify(body)});
        gone('');
    } catch (error) {
        gone('The program has ended, or this machine is busy. Start it again (tributary app) and ' +
            'open the page that it shows. Nothing that was saved is lost.');
        throw new Error('The program does not answer.');
    }
    const text = await answer.text();
    let value = {};
    try {
        value = text ? JSON.parse(text) : {};
    } catch (error) {
        value = {error: text};
    }
    if (!answer.ok) throw Object.assign(new Error(value.error || `${answer.status}`),
        {status: answer.status, value});
    return Object.assign(value, {etag: answer.headers.get('ETag')});
}
const get = path => request('GET', path);
const post = (path, body) => request('POST', path, body || {});
const of = (id, path) => `/api/projects/${id}${path}`;

const refresh = async () => { state = await get('/api/state'); };
const failed = error => say(error.message, true);

/* What happened, in the line under the heading; an error stays until the next one. */
function say(text, isError) {
    const line = element('said');
    if (!line) return gone(isError ? text : '');
    line.textContent = text;
    line.className = isError ? 'said wrong' : 'said';
}
const next = text => { element('next').textContent = text; };

/* ---- Files that are dropped or chosen ---- */
async function filesOf(entries) {
    const files = [];
    const readAll = reader => new Promise((done, fail) => reader.readEntries(done, fail));
    const walk = async entry => {
        if (entry.isFile) return files.push(await new Promise((ok, no) => entry.file(ok, no)));
        const reader = entry.createReader();
        for (let some = await readAll(reader); some.length; some = await readAll(reader))
            for (const one of some) await walk(one);
    };
    for (const entry of entries) await walk(entry);
    return files;
}

/* Copies files into a project, three at a time. Returns what was refused, one sentence each. */
async function upload(id, files, bar) {
    const refused = [], queue = [...files];
    let done = 0, bytes = 0;
    const all = queue.reduce((sum, f) => sum + f.size, 0);
    bar.max = all + queue.length;
    const one = async file => {
        if (file.size > state.limits.file_bytes)
            throw new Error(`larger than ${size(state.limits.file_bytes)}; split it, or copy it ` +
                'into the folder of the project yourself');
        await request('PUT', of(id, `/files/${encodeURIComponent(file.name)}`), file.slice());
    };
    const work = async () => {
        for (let file = queue.shift(); file; file = queue.shift()) {
            try {
                if (!/^\./.test(file.name)) await one(file); // such as .DS_Store
            } catch (error) {
                refused.push(`${file.name}: ${error.message}`);
            }
            bytes += file.size;
            bar.value = bytes + ++done;
            say(`Copying ${done} of ${files.length}: ${file.name}`);
        }
    };
    if (files.length > state.limits.files)
        return [`${files.length} files: more than ${state.limits.files}. Copy them into the ` +
            'folder of the project yourself, and open it.'];
    await Promise.all([work(), work(), work()]);
    return refused;
}

/* A place to drop files on, with buttons to choose them; hands them to `take`. */
function dropPlace(take, ...inside) {
    const input = isFolder => {
        const e = make('input', {type: 'file', multiple: true, hidden: true,
            webkitdirectory: isFolder, id: isFolder ? 'folder-input' : 'file-input'});
        e.addEventListener('change', () => {
            const files = [...e.files];
            const path = isFolder && files[0] ? files[0].webkitRelativePath.split('/')[0] : '';
            e.value = '';
            if (files.length) take(files, path);
        });
        return e;
    };
    const one = input(false), many = input(true);
    return make('div', {className: 'drop'}, ...inside, one, many,
        make('p', {}, button('Choose files\u2026', () => one.click()), ' ',
            button('Choose a folder\u2026', () => many.click())));
}
let taker = null; // what takes the files that are dropped on the page
addEventListener('dragover', e => {
    if (![...e.dataTransfer.types].includes('Files')) return;
    e.preventDefault();
    document.body.classList.toggle('dropping', !!taker);
});
addEventListener('dragleave', e => {
    if (!e.relatedTarget) document.body.classList.remove('dropping');
});
addEventListener('drop', async e => {
    if (![...e.dataTransfer.types].includes('Files')) return;
    e.preventDefault();
    document.body.classList.remove('dropping');
    const entries = [...e.dataTransfer.items].map(i => i.webkitGetAsEntry && i.webkitGetAsEntry());
    const plain = [...e.dataTransfer.files];
    if (!taker) return;
    try {
        const files = entries.every(x => x) && entries.length ? await filesOf(entries) : plain;
        const folder = entries.length === 1 && entries[0] && entries[0].isDirectory ?
            entries[0].name : '';
        if (files.length) taker(files, folder);
    } catch (error) {
        failed(error);
    }
});

/* ---- The first page ---- */
const field = (label, control, help) => make('p', {className: 'line'},
    make('label', {htmlFor: control.id, textContent: label}), control,
    help ? make('small', {textContent: help}) : null);

async function chooser(path, take) {
    const box = make('div', {className: 'chooser', role: 'group', 'aria-label': 'Folders'});
    const show = async (to, isFirst) => {
        try {
            const found = await get(`/api/folders?path=${encodeURIComponent(to)}`);
            const inside = found.folders.map(name => make('li', {}, button(name, () =>
                show(`${found.path.replace(/\/$/, '')}/${name}`), {dir: 'auto'})));
            box.replaceChildren(make('p', {}, make('b', {dir: 'auto', textContent: found.path}),
                found.n_texts ? ` \u2013 ${counted(found.n_texts, 'text')} here` : ''),
            make('p', {}, button('Open this folder', () => take(found.path), {className: 'main'}),
                ' ', found.parent ? button('Up one folder', () => show(found.parent)) : null),
            make('ul', {}, ...inside));
            if (!isFirst) box.querySelector('button').focus();
        } catch (error) {
            failed(error);
        }
    };
    await show(path, true);
    return box;
}

async function openProject(body) {
    try {
        const {id} = await post('/api/projects', body);
        await refresh();
        location.hash = `#/${id}/texts`;
        return id;
    } catch (error) {
        failed(error);
        return null;
    }
}

/* The files that were dropped become a project: its name is asked for, they are copied. */
function newProject(files, folder) {
    const name = make('input', {id: 'project-name', dir: 'auto', required: true,
        value: folder || 'My texts'});
    const at = make('input', {id: 'project-place', dir: 'auto', required: true,
        value: `${state.home}/tributary`});
    const bar = make('progress', {value: 0, hidden: true});
    bar.setAttribute('aria-label', 'Copied');
    const form = make('form', {className: 'card', id: 'new-project'},
        make('h2', {textContent: `A new project of ${counted(files.length, 'file')}`}),
        field('Name', name), field('In the folder', at, 'The files are copied there. ' +
            'Yours stay as they are, and nothing leaves this machine.'),
        make('p', {}, make('button', {className: 'main', textContent: 'Make the project'}), ' ',
            button('Cancel', () => showStart())), bar);
    form.addEventListener('submit', async e => {
        e.preventDefault();
        const clean = name.value.trim().replace(/[/\\\0]/g, '-').replace(/^\.+/, '');
        if (!clean) return;
        form.querySelectorAll('button').forEach(b => { b.disabled = true; });
        bar.hidden = false;
        try {
            const {id} = await post('/api/projects', {path: `${at.value}/${clean}`, create: true});
            refusals[id] = await upload(id, files, bar);
            await refresh();
            location.hash = `#/${id}/texts`;
        } catch (error) {
            failed(error);
            form.querySelectorAll('button').forEach(b => { b.disabled = false; });
        }
    });
    document.querySelector('.drop').replaceWith(form);
    next('Give the project a name.');
    name.focus();
    name.select();
}
const refusals = {}; // of the last upload to a project

async function showStart() {
    await refresh();
    taker = state.read_only ? null : newProject;
    next(state.read_only ? 'Open a project to read its reports.' :
        'Drop the texts here that you want to compare, or look at the example first.');
    const recent = make('ul', {className: 'projects'}, ...state.projects.map(p => make('li', {},
        make('a', {href: `#/${p.id}/texts`, dir: 'auto', textContent: p.name}),
        make('small', {}, ` ${counted(p.n_texts || 0, 'text')} \u00b7 `, make('bdi', {textContent:
            p.path}), p.last_run ? ' \u00b7 compared' : ''),
        state.read_only ? null : button('Forget', async () => {
            await request('DELETE', of(p.id, '')).catch(failed);
            showStart();
        }, {title: 'Takes it off this list. Its files stay.', ariaLabel: `Forget ${p.name}`}))));
    const open = make('details', {}, make('summary', {textContent:
        'Open a folder of this machine'}));
    open.addEventListener('toggle', async () => {
        if (open.open && !open.querySelector('.chooser'))
            open.append(await chooser(state.home, path => openProject({path})));
    });
    element('main').replaceChildren(
        make('h1', {textContent: 'Which earlier texts flow into this one?'}),
        make('p', {className: 'intro', textContent: 'Give the texts. The program finds which ' +
            'words of one stand in the others, and shows them side by side.'}),
        make('p', {id: 'said', className: 'said', role: 'status'}),
        ...state.read_only ? [] : [dropPlace(newProject,
            make('h2', {textContent: 'Drop texts or folders here'}),
            make('p', {textContent: 'Word, PDF, ODT, EPUB, TEI, plain text, ZIP. They are copied ' +
                'into a folder of yours; nothing is uploaded anywhere.'})),
        make('section', {}, make('h2', {textContent: 'Never been here?'}), make('p', {},
            button('Try the example', async () => {
                if (await openProject({example: true})) startTour();
            }, {id: 'example'}), ' Four short texts about a lighthouse, and a tour of them.'))],
        ...state.projects.length ? [make('section', {}, make('h2', {textContent:
            'Your projects'}), recent)] : [],
        ...state.read_only ? [] : [make('section', {}, open)]);
}

/* ---- Judgements: the report tells them, the folder of the project keeps them ---- */
const csvCell = v => {
    const text = String(v), safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
};
const csvOf = all => ['target,source,target_first,target_last,source_first,source_last,judgement,' +
    'note,judge,tags', ...[[all.by, all.own], ...Object.entries(all.others)].flatMap(
    ([name, some]) => Object.keys(some).sort().map(key => [...key.split(' '),
        ...some[key].slice(0, 2), name, some[key][2] || ''].map(csvCell).join(',')))].join('\n') +
    '\n';

/* What is stored, and what was told since; an empty judgement takes one back. */
const merged = (was, told) => {
    const all = {own: Object.assign({}, was.own, told.own), by: told.by || was.by || '',
        others: Object.assign({}, was.others), out: told.out || was.out};
    for (const key of Object.keys(all.own)) if (!all.own[key].some(x => x)) delete all.own[key];
    for (const [name, some] of Object.entries(told.others || {}))
        all.others[name] = Object.assign({}, all.others[name], some);
    return all;
};
async function keepJudgements(path, told) {
    const isNews = [told.own, told.by, told.others, told.out].some(x => x && Object.keys(x).length);
    for (;;) {
        const was = await get(path), etag = was.etag;
        delete was.etag;
        const all = merged(was, told);
        if (!isNews) return all;
        try {
            await request('PUT', path, Object.assign({csv: csvOf(all)}, all), {'If-Match': etag});
            return all;
        } catch (error) { // another page was quicker: its judgements come first
            if (error.status !== 412) throw error;
        }
    }
}
/* The frame of a report that a window stands in, itself or as a frame of its page. */
const frameOf = w => {
    while (w.parent !== window && w.parent !== w) w = w.parent;
    return [...document.querySelectorAll('iframe')].find(f => f.contentWindow === w);
};
let keeping = Promise.resolve(); // one after the other
addEventListener('message', e => {
    const frame = e.source && e.origin === state.runs_origin && frameOf(e.source);
    if (!frame || !e.data || !e.data.judgements || state.read_only) return;
    const {judgements, own, by, others, out} = e.data, path = frame.dataset.judgements;
    keeping = keeping.then(async () => {
        const all = await keepJudgements(path, {own, by, others, out});
        say(Object.keys(own).length ? 'The judgement is kept in the folder of the project.' : '');
        if (frame.isConnected)
            e.source.postMessage(Object.assign({judgements}, all), state.runs_origin);
        document.body.dataset.kept = Object.keys(all.own).length;
    }).catch(error => say(`The judgement is not kept: ${error.message}`, true));
});

/* ---- The tour ---- */
const steps = [
    ['texts', 'These are the texts, one a row. The guide is the target: where do its words come ' +
        'from? Two others are sources that it may have used; the recipe is a control, which ' +
        'cannot be one. Click a row to read its text; a double click, or Enter, changes a cell.'],
    ['run', 'Press \u201cCompare\u201d. A few seconds later the report opens in this place.'],
    ['run', 'The report begins with the answer, in a sentence. \u201cRead\u201d shows the ' +
        'guide coloured by its sources, and below each find accept or reject it.'],
    ['ask', 'Here you can paste a passage, or write a word, and see which texts hold it. That ' +
        'was all: go to the first page and drop texts of your own.']];
function startTour() {
    sessionStorage.setItem('tour', '0');
    showTour();
}
function showTour() {
    const step = sessionStorage.getItem('tour'), box = element('tour'), id = route().id;
    box.hidden = step === null || !id || id === 'help';
    if (box.hidden) return;
    const at = route().page; // who goes on by himself is not held back
    const k = Math.max(+step, steps.findIndex(([name]) => name === at)), go = to => {
        if (to >= steps.length) sessionStorage.removeItem('tour');
        else sessionStorage.setItem('tour', to);
        if (to !== steps.length + 1) location.hash = to < steps.length ?
            `#/${id}/${steps[to][0]}` : '#/';
        showTour();
    };
    box.replaceChildren(make('p', {className: 'label', textContent:
        `Step ${k + 1} of ${steps.length}`}), make('p', {textContent: steps[k][1]}),
    make('p', {}, k ? button('Back', () => go(k - 1)) : null, ' ',
        button(k + 1 < steps.length ? 'Next' : 'Done', () => go(k + 1), {className: 'main'}), ' ',
        k + 1 < steps.length ? button('End the tour', () => go(steps.length + 1)) : null));
}

/* ---- Addresses: #/ID/PAGE/MORE ---- */
const route = () => {
    const [, id, page, ...more] = location.hash.split('/');
    return {id: id || '', page: page || (id ? 'texts' : ''), more: decodeURIComponent(
        more.join('/'))};
};
const names = {texts: 'Texts', settings: 'Settings', run: 'Compare', ask: 'Ask'};

async function show() {
    const {id, page, more} = route();
    const isStill = () => route().id === id && route().page === page && route().more === more;
    leave();
    taker = null;
    try {
        if (!state) await refresh();
        element('version').textContent = state.version;
        element('quit').hidden = state.read_only;
        const asks = state.read_only ? '' : id && id !== 'help' ? id : (state.projects[0] ||
            {id: ''}).id;
        element('ask').hidden = !asks || page === 'ask';
        element('ask').dataset.id = asks;
        element('nav').hidden = !id || id === 'help' || state.read_only;
        element('nav').replaceChildren(...Object.keys(names).map(name => make('a', {
            href: `#/${id}/${name}`, textContent: names[name],
            ...name === page ? {'aria-current': 'page'} : {}})));
        showTour();
        if (!id) await showStart();
        else if (id === 'help') await showHelp(page, more, isStill);
        else await showProject(id, state.read_only ? 'run' : pages[page] ? page : 'texts', more,
            isStill);
        document.title = id === 'help' ? `${DOCUMENTS[page]} \u00b7 tributary` : id ?
            `${project.name} \u00b7 ${names[page] || ''} \u00b7 tributary` : 'tributary';
    } catch (error) {
        if (!isStill()) return;
        next('Go back to the first page.');
        element('main').replaceChildren(make('h1', {textContent: 'This page cannot be shown'}),
            make('p', {className: 'said wrong', role: 'alert', textContent: error.message}),
            make('p', {}, make('a', {href: '#/', textContent: 'To the first page'})));
    }
    document.body.dataset.ready = location.hash || '#/';
}
/* Who came here by the keyboard goes on in the page, not above it. */
const keepFocus = () => {
    if (document.activeElement === document.body) element('main').focus({preventScroll: true});
};
addEventListener('hashchange', () => show().then(keepFocus));

element('skip').addEventListener('click', e => {
    e.preventDefault();
    element('main').focus();
});
element('ask').addEventListener('submit', e => {
    e.preventDefault();
    const text = element('asked').value.trim();
    if (text) location.hash = `#/${element('ask').dataset.id}/ask/${encodeURIComponent(text)}`;
});
element('quit').addEventListener('click', async () => {
    try {
        await post('/api/quit');
        clearInterval(alive);
        leave();
        next('The program has ended. You may close this page.');
        element('main').replaceChildren(make('h1', {textContent: 'Ended'}));
    } catch (error) {
        failed(error);
    }
});

/* The program ends a minute after its last page was closed. */
const page = Math.random().toString(36).slice(2);
const isAlive = () => state && !state.read_only && post('/api/alive', {page}).catch(() => {});
const alive = setInterval(isAlive, 15000);
addEventListener('pageshow', e => { if (e.persisted) isAlive(); });
addEventListener('pagehide', () => state && !state.read_only &&
    navigator.sendBeacon('/api/alive', JSON.stringify({page, closed: true})));
show().then(isAlive);
