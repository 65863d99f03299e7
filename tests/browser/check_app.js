// check_app.js - the application, as a historian uses it who has never seen a terminal: from files
// to a judgement that a restart keeps, by mouse and by keyboard alone.
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert');
const {eventually, settled, axeFaults} = require('./browser'), layout = require('./layout');
const {serve, use, ready, go, drop, tabTo, table, report} = require('./served');
const made = require('./app_files');

const projectOf = page => page.evaluate(() => location.hash.split('/')[1]);
const clickText = (page, text) => page.evaluate(wanted => {
    const all = [...document.querySelectorAll('main button, main a')];
    all.find(b => b.textContent.trim() === wanted).click();
}, text);

// The cell of a file in a column is clicked, with a key of the keyboard held or not.
async function clickCell(page, file, column, options) {
    const at = await page.evaluate((name, k) => {
        const row = [...document.querySelectorAll('.grid .body [role=row]')].find(
            r => r.children[7].textContent.includes(name));
        row.children[k].scrollIntoView({block: 'nearest', inline: 'nearest'});
        const box = row.children[k].getBoundingClientRect();
        return [box.x + 8, box.y + box.height / 2];
    }, file, column);
    await page.mouse.click(...at, options);
}

const saved = page => page.waitForFunction(() => document.getElementById('said').textContent ===
    'Saved.' && !+document.body.dataset.waiting, {timeout: 60000});
const unsaved = page => page.evaluate(() => { document.getElementById('said').textContent = ''; });

async function fillsTable(page) {
    const rows = await eventually(async () => {
        const all = await table(page);
        assert.strictEqual(all.length, 12);
        return all;
    });
    assert.strictEqual(rows.filter(r => r.isProposed).length, 12);
    const guide = rows.find(r => r.file.includes('Guide'));
    assert.strictEqual(guide.date, '1907 ?');
    const short = rows.filter(r => parseInt(r.words.replace(/\D/g, ''), 10) < 100);
    assert.deepStrictEqual(short, []);
    assert.ok(rows.some(r => /[\u0590-\u05ff]/.test(r.title)) &&
        rows.some(r => /[\u0370-\u03ff]/.test(r.title)));
}

// The report has the find, and tells the page around it of a judgement.
async function isAnswered(page, words = 'northern tower') {
    const frame = await report(page);
    const finds = await frame.$$eval('.finds > li', list => list.map(li => li.textContent));
    assert.ok(finds.some(text => text.includes(words)), finds.join('\n'));
    return frame;
}
const isKept = (page, n) => page.waitForFunction(k => document.body.dataset.kept === String(k),
    {timeout: 60000}, n);

async function byMouse(page, files) {
    await drop(page, files);
    await page.waitForSelector('#new-project');
    await page.type('#project-name', 'Ten letters');
    await clickText(page, 'Make the project');
    await ready(page, '/texts');
    await fillsTable(page);
    await unsaved(page);
    await page.click('#confirm');
    await saved(page);
    await eventually(async () => assert.ok((await table(page)).every(r => !r.isProposed)));
    // a text is read, a title changed, undone
    await clickCell(page, 'Guide', 0);
    await page.waitForFunction(() => document.querySelector('.fulltext')?.textContent.includes(
        'three sisters'));
    await clickCell(page, 'Guide', 0, {count: 2});
    await page.waitForSelector('.grid input');
    await page.keyboard.type('A guide');
    await page.keyboard.press('Enter');
    const title = async wanted => eventually(async () => assert.strictEqual(
        (await table(page)).find(r => r.file.includes('Guide')).title, wanted));
    await title('A guide');
    await page.click('#undo');
    await title('1907 Guide');
    // several rows at once
    await clickCell(page, 'Sermon', 0);
    await page.keyboard.down('Control');
    await clickCell(page, 'Diary', 0);
    await page.keyboard.up('Control');
    await unsaved(page);
    await page.click('#as-none');
    await saved(page);
    const roles = (await table(page)).filter(r => r.role === 'left out').map(r => r.file);
    assert.strictEqual(roles.length, 2, roles.join());
    // only what is older can be a source; a setting by its list, a mistake in the file
    await unsaved(page);
    await page.click('#by-date');
    await saved(page);
    await go(page, 'settings');
    const yaml = () => page.$eval('#yaml', e => e.value);
    assert.match(await yaml(), /^ {2}order: by-date$/m);
    await page.select('[id="key-tokens.case"]', 'none');
    await saved(page);
    assert.match(await yaml(), /^tokens:\n {2}case: none$/m);
    await page.focus('#yaml');
    await page.keyboard.type('rubbish');
    await page.waitForSelector('#yaml[aria-invalid=true] ~ #messages .wrong');
    await go(page, 'run');
    await page.click('#start');
    const frame = await isAnswered(page);
    await frame.click('.finds > li .judge .accepted');
    await isKept(page, 1);
    // two texts side by side
    for (const link of ['.finds a[href*="read/"]', 'a[href*="?with="]'])
        await (await frame.waitForSelector(link)).evaluate(a => a.click());
    await frame.waitForSelector('iframe.whole');
    await page.click('#export summary');
    const links = await page.$$eval('#export a', all => all.map(a => a.href));
    const cookie = (await page.cookies()).map(c => `${c.name}=${c.value}`).join('; ');
    for (const link of links)
        assert.strictEqual((await fetch(link, {headers: {cookie}})).status, 200, link);
    const csv = await page.evaluate(async () => {
        const text = new Promise(done => {
            URL.createObjectURL = blob => {
                blob.text().then(done);
                return '#';
            };
        });
        document.getElementById('save-judgements').click();
        return text;
    });
    assert.match(csv, /,accepted,/);
    await page.click('#cite');
    await page.waitForFunction(() => /on 10 documents .*@software/s.test(
        document.getElementById('cited').textContent));
    await page.click('#publish');
    const site = await page.waitForFunction(() => document.getElementById('said').textContent.match(
        /server: (.*)/)?.[1], {timeout: 60000});
    assert.ok(fs.existsSync(path.join(await site.jsonValue(), 'index.html')));
}

// After a restart everything is there: texts, run, judgement.
async function reopened(page) {
    await clickText(page, 'Ten letters');
    await ready(page, '/texts');
    const rows = await table(page);
    assert.strictEqual(rows.length, 12);
    assert.strictEqual(rows.filter(r => r.role === 'left out').length, 2);
    await go(page, 'run');
    const frame = await isAnswered(page);
    await frame.waitForSelector('.finds > li[data-judged=accepted]');
    // a word, a passage
    await page.type('#asked', 'northern tower');
    await page.keyboard.press('Enter');
    await ready(page, '/ask/');
    await eventually(async () => assert.strictEqual((await page.$$('.kwic li')).length, 2));
    await page.$eval('#passage', e => { e.value = ''; });
    await page.type('#passage', made.passage);
    await eventually(async () => {
        const marks = await page.$$eval('#found .passage mark', all => all.length);
        assert.ok(marks >= 2, `${marks} places`);
    });
}

async function byKeyboard(page, files) {
    const press = (...keys) => keys.reduce((last, key) => last.then(() =>
        page.keyboard.press(key)), Promise.resolve());
    const [chooser] = await Promise.all([page.waitForFileChooser(),
        tabTo(page, '.drop button').then(() => press('Enter'))]);
    await chooser.accept(files);
    await page.waitForSelector('#new-project');
    await page.keyboard.type('By keyboard');
    await press('Enter');
    await ready(page, '/texts');
    await fillsTable(page);
    await tabTo(page, '[role=gridcell]');
    await press('ArrowUp', 'ArrowRight', 'ArrowRight'); // the heading of the dates: sorts
    await unsaved(page);
    await press('Enter', 'Enter');
    await eventually(async () => assert.strictEqual((await table(page))[0].date, '1907 ?'));
    await press('ArrowDown', 'Home', 'F2');
    await page.keyboard.type('The guide');
    await press('Enter');
    await eventually(async () => assert.strictEqual((await table(page))[0].title, 'The guide'));
    // what a spreadsheet copied fills the cells from here on
    await page.evaluate(() => {
        const data = new DataTransfer();
        data.setData('text/plain', 'A diary\t"Smith, J."\t1899\nA report\tJones\t1895');
        document.activeElement.dispatchEvent(new ClipboardEvent('paste',
            {clipboardData: data, bubbles: true, cancelable: true}));
    });
    await eventually(async () => {
        const [, diary, second] = await table(page);
        assert.deepStrictEqual([diary.title, diary.author, diary.date, second.author],
            ['A diary', 'Smith, J.', '1899', 'Jones']);
    });
    await press('Home');
    await page.keyboard.down('Shift');
    await press('ArrowDown', 'ArrowDown');
    await page.keyboard.up('Shift');
    await press('End', 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter');
    await page.waitForSelector('.grid select');
    await unsaved(page);
    await page.keyboard.type('sou');
    await press('Enter');
    await saved(page);
    await eventually(async () => assert.strictEqual((await table(page)).filter(
        r => r.role === 'source').length, 3));
    await page.keyboard.down('Control');
    await press('z');
    await page.keyboard.up('Control');
    await eventually(async () => assert.strictEqual((await table(page)).filter(
        r => r.role === 'source').length, 0));
    await tabTo(page, 'a.onward');
    await press('Enter');
    await ready(page, '/run');
    await page.waitForFunction(() => document.activeElement.id === 'main');
    await tabTo(page, '#start');
    await press('Enter');
    const frame = await isAnswered(page);
    await tabTo(page, 'iframe');
    await press('j', 'a');
    await isKept(page, 2); // each of the two texts is a source of the other
    await frame.waitForSelector('.finds > li[data-judged=accepted]');
}

// Two pages of one project: what one changes, the other shows; judgements of both are kept.
async function twoPages(one, two) {
    const id = await openFirst(one);
    await one.evaluate(to => { location.hash = `#/${to}/texts`; }, id);
    await two.evaluate(to => { location.hash = `#/${to}/texts`; }, id);
    await ready(one, '/texts');
    await ready(two, '/texts');
    await unsaved(one);
    await one.bringToFront();
    await clickCell(one, 'Novel', 1, {count: 2});
    await one.keyboard.type('A. Novelist');
    await one.keyboard.press('Enter');
    await saved(one);
    await eventually(async () => assert.strictEqual((await table(two)).find(
        r => r.file.includes('Novel')).author, 'A. Novelist'));
    await go(one, 'run');
    await go(two, 'run');
    const [a, b] = [await report(one), await report(two)];
    // the first find of the target of a number; a passage of both stands once in the whole list
    const judge = (frame, k) => frame.evaluate(n => {
        const target = document.getElementById('finds-target');
        target.selectedIndex = n;
        target.dispatchEvent(new Event('input'));
        document.querySelector('.finds > li .judge .rejected').click();
    }, k);
    const n = await a.$eval('#finds-target', e => e.options.length);
    assert.ok(n > 2, `${n - 1} targets`);
    await Promise.all([judge(a, 1), judge(b, 2)]);
    await eventually(async () => {
        const all = await one.evaluate(async () => (await fetch(document.querySelector(
            '#report iframe').dataset.judgements)).json());
        assert.strictEqual(Object.values(all.own).filter(j => j[0] === 'rejected').length, 2);
    });
}
const openFirst = page => page.$eval('.projects a', a => a.hash.split('/')[1]);

// A run is stopped, and goes on; a file that cannot be read is named beside its row.
async function stopped(page, files) {
    await drop(page, files);
    await page.waitForSelector('#new-project');
    await page.keyboard.type('Stopped');
    await page.keyboard.press('Enter');
    await ready(page, '/texts');
    await eventually(async () => {
        const broken = (await table(page)).find(r => r.file.includes('broken'));
        assert.ok(broken && /docx/i.test(broken.notes), JSON.stringify(broken));
    });
    await go(page, 'run');
    await page.click('#start');
    await page.waitForSelector('#job[data-state=running] #pause');
    await page.click('#pause');
    await page.waitForSelector('#job[data-state=paused]');
    await page.click('#stop');
    await page.waitForSelector('#job[data-state=stopped]', {timeout: 60000});
    await page.click('#start');
    await report(page);
}

// A folder of this machine, with so many texts that only some rows are elements.
async function manyRows(page) {
    await page.click('main details summary');
    for (const name of ['tributary', 'many']) {
        await (await page.waitForSelector(`.chooser li ::-p-text(${name})`)).evaluate(
            e => e.closest('button').click());
        await page.waitForFunction(end => document.querySelector('.chooser b').textContent.endsWith(
            `/${end}`), {}, name);
    }
    await page.click('.chooser .main');
    await page.waitForFunction(() => document.getElementById('rows')?.textContent.replace(/\D/g,
        '') === '2000', {timeout: 120000});
    const drawn = await page.$$eval('.grid .body [role=row]', all => all.length);
    assert.ok(drawn < 60, `${drawn} rows are elements`);
    await tabTo(page, '[role=gridcell]');
    await page.keyboard.down('Control');
    await page.keyboard.press('End');
    await page.keyboard.up('Control');
    await eventually(async () => assert.match(await page.evaluate(() =>
        document.activeElement.parentNode.ariaRowIndex), /^2001$/));
    const spent = await page.evaluate(async () => {
        const from = performance.now(), input = document.getElementById('filter');
        input.value = 'letter 1999';
        input.dispatchEvent(new Event('input'));
        return performance.now() - from;
    });
    assert.strictEqual((await table(page)).length, 1);
    assert.ok(spent < 500, `the filter took ${spent} ms`);
}

async function pagesAreRight(page) {
    const id = await openFirst(page), explained = new Set();
    for (const name of ['', 'texts', 'settings', 'run', 'ask/three sisters', 'ask/the', '/help/app',
        '/help/interpretation', '/help/tutorial']) {
        const hash = name[0] === '/' || !name ? `#${name || '/'}` : `#/${id}/${name}`;
        await page.evaluate(to => { location.hash = to; }, hash);
        await ready(page, encodeURI(hash));
        if (name === 'run') { // the estimate comes last
            await report(page);
            await page.waitForSelector('a.why[href$="what-the-numbers-say"]');
        }
        const said = await page.evaluate(layout.faults, false);
        const faults = (await axeFaults(page, false)).concat(said.filter(
            f => !/^scrolls, not by keyboard: div.grid /.test(f) && // its cells do
                !/^cut off: div( "|.role|.proposed|.note|.n )/.test(f) && // a cell grows at focus
                !/^cut off: input/.test(f))); // what is typed in a field scrolls
        assert.deepStrictEqual(faults, [], name || 'the first page');
        (await page.$$eval('a.why', all => all.map(a => a.hash))).forEach(x => explained.add(x));
    }
    assert.ok(explained.size > 4, [...explained].join());
    for (const hash of explained) { // a number leads to a heading that is there
        await page.evaluate(to => { location.hash = to; }, hash);
        await ready(page, hash);
        await page.waitForSelector(`[id="${hash.split('/')[3]}"]`);
    }
}

// Nothing can be changed, so nothing is offered that would.
async function onlyRead(page) {
    await clickText(page, 'Ten letters');
    await isAnswered(page);
    const offered = await page.$$eval('button', all => all.filter(b => b.checkVisibility()).map(
        b => b.textContent));
    assert.deepStrictEqual(offered, ['The answer']);
}

// Help is made of the documents: each link in it leads to a page or a heading that is there.
async function help(page) {
    const missing = [], pages = ['app', 'interpretation', 'tutorial'];
    for (const name of pages) {
        await page.evaluate(to => { location.hash = `#/help/${to}`; }, name);
        await ready(page, `#/help/${name}`);
        const text = await page.$eval('article', e => e.textContent);
        assert.doesNotMatch(text, /\]\(|\*\*|^#|\|---/m); // nothing is left of the marks
        const links = await page.$$eval('article a[href^="#"]', all => all.map(a => a.hash));
        for (const link of links) {
            const [, , to, anchor] = link.split('/');
            await page.evaluate(hash => { location.hash = hash; }, link);
            await ready(page, link);
            if (!pages.includes(to) || anchor && !await page.$(`[id="${anchor}"]`))
                missing.push(`${name}: ${link}`);
        }
    }
    assert.deepStrictEqual(missing, []);
}

// The tour of the example has four steps, and ends on the first page.
async function tour(page) {
    await page.click('#example');
    for (const [name, n] of [['texts', 1], ['run', 2], ['run', 3], ['ask', 4]]) {
        await ready(page, `/${name}`);
        await page.waitForFunction(k => document.getElementById('tour').textContent.includes(
            `Step ${k} of 4`), {}, n);
        await page.click('#tour .main');
    }
    await page.waitForFunction(() => document.getElementById('tour').hidden);
    await ready(page, '#/');
}

module.exports = async (check, browser, runs, program) => {
    if (!check.isWanted('app:')) return;
    const home = path.join(runs.folder, 'app'), files = made.twelve(path.join(home, 'dropped'));
    let server = await serve(program, home);
    const opened = (name, how, look, ...more) => check(`app: ${name}`, () =>
        use(browser, server, how, (...pages) => look(...pages, ...more)));
    try {
        await opened('from files to a judgement, by mouse', {}, byMouse, files);
        await server.end();
        server = await serve(program, home);
        await opened('all is there after a restart; questions', {}, reopened);
        await opened('from files to a judgement, by keyboard', {}, byKeyboard, files);
        await opened('two pages at once', {pages: 2, allowed: /status of 412/},
            twoPages);
        await opened('a file that cannot be read; a run that is stopped', {allowed: /status of 4/},
            stopped, files.concat(made.unreadable(path.join(home, 'dropped'))));
        await opened('names that are markup are text', {}, hostile,
            made.hostile(path.join(home, 'hostile')));
        await opened('texts from the right to the left', {}, rightToLeft,
            made.rtl(path.join(home, 'rtl')));
        for (const scheme of ['light', 'dark']) for (const width of [1400, 390])
            await opened(`every page is right, ${width} pixels, ${scheme}`, {width, scheme},
                pagesAreRight);
        await opened('one key of the experiment changes, all else stays', {}, keysChange);
        await opened('help', {}, help);
        await opened('the tour of the example', {}, tour);
        await check('app: of a server that only reads, a run', async () => {
            const other = await serve(program, home, '--read-only', path.join(home,
                'tributary/Ten letters'));
            await use(browser, other, {}, onlyRead).finally(other.end);
        });
        made.small(path.join(home, 'tributary/many/texts'), 2000);
        await opened('2000 texts', {}, manyRows);
    } finally {
        await server.end();
        if (!process.env.KEEP) fs.rmSync(home, {recursive: true, force: true});
    }
};

// One key of an experiment changes; comments and all else stay. Null: it is written in braces.
const edits = [
    ['a: 1 # x\ncorpus:\n  target: [b]  # c\n  order: any\n', 'target', 'all',
        'a: 1 # x\ncorpus:\n  target: all  # c\n  order: any\n'],
    ['corpus:\n    # first\n    order: any\nname: q\n', 'target', 'all',
        'corpus:\n    target: all\n    # first\n    order: any\nname: q\n'],
    ['corpus:\n  documents:\n    - {id: a,\n       file: b}  # c\n\n    - d\n  # e\n  order: any\n',
        'documents', '', 'corpus:\n  # e\n  order: any\n'],
    ['corpus:\n  documents:\n  - a\n  - b\n  glob: x\n', 'documents', '', 'corpus:\n  glob: x\n'],
    ['corpus:\n  target:\n    - a\n  glob: x\n', 'target', 'all',
        'corpus:\n  target: all\n  glob: x\n'],
    ['name: q', 'manifest', 'm.csv', 'name: q\ncorpus:\n  manifest: m.csv'],
    ['corpus:\n', 'manifest', 'm.csv', 'corpus:\n  manifest: m.csv\n'],
    ['corpus: # all\nname: q\n', 'manifest', 'm.csv',
        'corpus: # all\n  manifest: m.csv\nname: q\n'],
    ["corpus:\n  target: 'a # b' # c\n", 'target', 'all', 'corpus:\n  target: all # c\n'],
    ['name: corpus\nother:\n  target: x\n', 'target', '', 'name: corpus\nother:\n  target: x\n'],
    ['corpus: {target: all}\n', 'target', 'x', null]];
async function keysChange(page) {
    for (const [before, key, value, after] of edits)
        assert.strictEqual(await page.evaluate((...words) => setKey(...words), before,
            `corpus.${key}`, value), after);
}

// A text, a passage that is asked for, and its places run from the right to the left; the page does
// not.
async function rightToLeft(page, files) {
    await drop(page, files);
    await page.waitForSelector('#new-project');
    await page.keyboard.type('כתבים');
    await page.keyboard.press('Enter');
    await ready(page, '/texts');
    await eventually(async () => assert.strictEqual((await table(page)).length, 2));
    const runs = selector => page.$$eval(selector, all => all.map(e =>
        getComputedStyle(e).direction));
    assert.deepStrictEqual(await runs('main h1, .grid [role=row] [role=gridcell]:first-child'),
        ['rtl', 'rtl', 'rtl']);
    await clickCell(page, '1850', 0);
    await page.waitForFunction(words => document.querySelector('.fulltext')?.textContent.includes(
        words), {}, made.hebrew);
    assert.deepStrictEqual(await runs('.fulltext, body'), ['ltr', 'rtl']);
    await go(page, 'run');
    await page.click('#start');
    const frame = await isAnswered(page, made.hebrew);
    assert.ok((await frame.$$eval('.finds > li [dir]', all => all.map(e =>
        getComputedStyle(e).direction))).includes('rtl'));
    await go(page, 'ask');
    await page.type('#passage', made.hebrew);
    await page.waitForSelector('#found .passage mark');
    assert.deepStrictEqual([...new Set(await runs('#passage, .passage, #found blockquote'))],
        ['rtl']);
}

async function hostile(page, files) {
    await drop(page, files);
    await page.waitForSelector('#new-project');
    await page.keyboard.type('<b onclick=alert(4)>');
    await page.keyboard.press('Enter');
    await ready(page, '/texts');
    await eventually(async () => assert.strictEqual((await table(page)).length, 4));
    assert.strictEqual(await page.$$eval('main img, main script, main b, [onfocus]',
        all => all.length), 0);
    await clickCell(page, 'img src', 0);
    await page.waitForSelector('.fulltext');
    await settled(page);
    await go(page, 'run');
    await page.click('#start');
    await report(page);
    await go(page, 'settings');
    await go(page, 'ask');
    await page.type('#passage', made.passage);
    await page.waitForSelector('#found .passage mark');
    const none = async () => assert.strictEqual(await page.$$eval('main img, main script, ' +
        '[onclick], [onfocus], [onerror]', all => all.length), 0);
    await none();
    await page.$eval('#passage', e => { e.value = ''; });
    await page.type('#passage', 'northern tower');
    await page.waitForSelector('.kwic mark');
    await none();
    await page.evaluate(() => { location.hash = '#/'; });
    await ready(page, '#/');
    await page.waitForFunction(() => document.querySelector('.projects').textContent.includes(
        '<b onclick=alert(4)>'));
    await page.click('main details summary'); // the folders of this machine
    await (await page.waitForSelector('.chooser li ::-p-text(tributary)')).evaluate(
        e => e.closest('button').click());
    await page.waitForFunction(() => document.querySelector('.chooser').textContent.includes(
        '<b onclick=alert(4)>'));
    await none();
}
