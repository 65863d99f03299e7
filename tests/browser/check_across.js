// check_across.js - the tables of the finds, the window of the list, and a list of 10 000 finds.
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert');
const {visit, eventually, axeFaults} = require('./browser');

const listed = page => page.$$eval('.finds > li', all => all.map(li => li.id));

const set = (page, name, value) => page.evaluate((id, text) => {
    const input = document.getElementById(id), from = performance.now();
    input.value = text;
    input.dispatchEvent(new Event('input'));
    return performance.now() - from;
}, `finds-${name}`, value);

const press = (page, text) => page.evaluate(wanted => [...document.querySelectorAll('button')]
    .find(b => b.textContent.startsWith(wanted)).click(), text);

// The rows of a table, by a part of its caption.
const rowsOf = (page, caption) => page.$$eval('.across table', (all, part) => {
    const table = all.find(t => t.caption.textContent.includes(part));
    return [...table.tBodies[0].rows].map(row => [...row.cells].map(c => c.textContent.trim()));
}, caption);

// A report with 10 000 finds of 40 texts, each with its own words.
function large(run, folder) {
    fs.cpSync(run.folder, folder, {recursive: true});
    const texts = Array.from({length: 40}, (_, i) => [`t${i}`, `Text ${i}`, `Author ${i % 5}`,
        String(1500 + 10 * i), 1]);
    const finds = Array.from({length: 10000}, (_, i) => {
        const target = 1 + i % 39, source = Math.floor(i / 39) % target;
        const word = 1 + 20 * Math.floor(i / 39);
        return [`t${target}:${i}`, target, source, 9, 60 - i / 200, .1, word, 10, word, 10,
            ['before ', `the ${i} words in both texts number ${i % 97}`, ' after'],
            ['other ', 1, ' end'], `${1 + i % 7}:${1 + i % 30}`, `${1 + i % 3}:2`];
    });
    fs.writeFileSync(path.join(folder, 'targets/finds.js'),
        `tributary_finds=${JSON.stringify({texts, finds})};\n`);
    return path.join(folder, 'report.html');
}

module.exports = async (check, browser, {runs, folder}) => {
    const run = runs.find(r => r.name === 'many'), first = run.pages.first[0];

    await check('across: tables count the finds that are listed, and a row narrows them', () =>
        visit(browser, first, {}, async page => {
            await page.waitForSelector('.across');
            await page.click('.across > summary');
            const works = await eventually(async () => {
                const rows = await rowsOf(page, 'Works');
                assert.ok(rows.length > 1);
                return rows;
            });
            assert.strictEqual((await axeFaults(page)).join('\n'), '');
            const [name, , finds] = works[0];
            await page.evaluate(title => [...document.querySelectorAll('.across a')].find(
                a => a.textContent === title).click(), name);
            await eventually(async () => assert.match(await page.$eval('.said',
                e => e.textContent), new RegExp(`^${finds} of `)));
        }));

    const numbers = runs.find(r => r.name === 'numbers').pages.first[0];
    await check('across: columns of the list of texts filter, and have tables', () =>
        visit(browser, numbers, {}, async page => {
            await page.waitForSelector('.across');
            await page.click('.across > summary');
            const rows = await eventually(async () => {
                const found = await rowsOf(page, 'by made of');
                assert.ok(found.length > 1);
                return found;
            });
            const [both, , finds] = rows.find(([name]) => name === 'wool \u2190 clay');
            await page.evaluate(name => [...document.querySelectorAll('.across a')].find(
                a => a.textContent === name).click(), both);
            const places = () => page.$$eval('.finds .places', all => all.map(e => e.textContent));
            await eventually(async () => {
                const found = await places();
                assert.strictEqual(found.length, +finds);
                assert.ok(found.every(p => /Quay.* \u2190 The (Mint|Kiln)/.test(p)), found.join());
            });
            assert.strictEqual(await page.$eval('[id="finds-target.made-of"]', e => e.value),
                               'wool');
            await set(page, 'source.made-of', 'wool');
            assert.ok((await places()).every(p => /Quay.* \u2190 The Loom/.test(p)));
        }));

    const file = large(run, path.join(folder, 'large'));
    await check('across: of 10 000 finds 200 at most are in the page, and keys go on', () =>
        visit(browser, file, {}, async page => {
            await page.waitForSelector('#finds-order');
            assert.strictEqual((await listed(page)).length, 10);
            for (let i = 0; i < 4; i++) await press(page, 'Show 100 more');
            const all = await listed(page);
            assert.strictEqual(all.length, 200);
            assert.match(await page.$eval('.said', e => e.textContent),
                         /10.000 of 10.000 finds, 211 to 410 shown/);
            await press(page, 'Show those before');
            const before = await listed(page);
            assert.strictEqual(before.length, 200);
            assert.strictEqual(before[100], all[0]);
            await page.evaluate(() => { location.hash = '#find-t2:7021'; });
            await page.waitForSelector('[id="find-t2:7021"].here');
            assert.ok((await listed(page)).length <= 200);
            await set(page, 'target', 't5');
            await page.keyboard.press('j');
            for (let i = 0; i < 12; i++) await page.keyboard.press('j');
            await eventually(async () => assert.ok((await listed(page)).length > 12));
        }));

    await check('across: of 10 000 finds tables by years, authors, works and chapters', () =>
        visit(browser, file, {}, async page => {
            await page.waitForSelector('.across');
            await page.click('.across > summary');
            const chapters = await eventually(async () => {
                const rows = await rowsOf(page, 'Reuse by chapter');
                assert.strictEqual(rows.length, 12);
                return rows;
            });
            assert.match(chapters[0][0], /^Text \d+, \d$/);
            const years = await rowsOf(page, 'Who copies whom: words');
            const n = text => +text.replace(/\D/g, '');
            for (const row of years)
                assert.strictEqual(row.slice(1, -1).reduce((sum, c) => sum + n(c), 0),
                                   n(row[row.length - 1]));
            assert.strictEqual(years.reduce((sum, row) => sum + n(row[row.length - 1]), 0), 90000);
            await page.evaluate(() => document.querySelector('.across td a').click());
            await eventually(async () => assert.match(
                await page.evaluate(() => location.hash), /since=.*until=.*earliest=.*latest=/));
            const times = [];
            await press(page, 'Clear the filters');
            for (const text of ['n', 'nu', 'num', 'number 9', 'number 91'])
                times.push(await set(page, 'find', text));
            if (process.env.VERBOSE)
                console.log(`a key in 10 000 finds: ${times.map(t => t.toFixed(0)).join(', ')} ms`);
        }));

    await check('across: a passage of two texts that are sources of each other stands once', () => {
        const twin = path.join(folder, 'twins');
        fs.cpSync(run.folder, twin, {recursive: true});
        const find = (id, t, s, here, there) => [id, t, s, 8, 9, .1, here, 10, there, 10,
            ['', 'the same words'], ['', 1]];
        const texts = ['a', 'b'].map(id => [id, id.toUpperCase(), '', '', 1]);
        const finds = [find('a:1', 0, 1, 100, 510), find('b:1', 1, 0, 511, 101),
            find('b:2', 1, 0, 700, 101)];
        fs.writeFileSync(path.join(twin, 'targets/finds.js'),
            `tributary_finds=${JSON.stringify({texts, finds})};\n`);
        return visit(browser, path.join(twin, 'report.html'), {}, async page => {
            await page.waitForSelector('#finds-order');
            await eventually(async () => assert.deepStrictEqual(await listed(page),
                ['find-a:1', 'find-b:2']));
            await set(page, 'target', 'b');
            assert.deepStrictEqual(await listed(page), ['find-b:1', 'find-b:2']);
            await press(page, 'Reject'); // of the first: in both directions, as one passage
            const own = () => page.evaluate(
                () => Object.keys(JSON.parse(window.tributary_judgements.get()).own));
            assert.deepStrictEqual((await own()).sort(),
                                   ['a b 100 109 510 519', 'b a 511 520 101 110']);
            assert.match(await page.$eval('.curated', e => e.textContent),
                         /Of 2 passages 1 was judged: .*are without 1 of them/);
            await set(page, 'judged', 'rejected');
            assert.deepStrictEqual(await listed(page), ['find-b:1']);
            await set(page, 'target', 'a');
            assert.deepStrictEqual(await listed(page), ['find-a:1']);
            await press(page, '\u2717 Rejected');
            assert.deepStrictEqual(await own(), []);
        });
    });
};
