// check_finds.js - the list of finds: order, filters, words to find, links, judgements.
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert');
const {visit, eventually, atAddress} = require('./browser');

// What the list shows: the length of each find, its text, its texts.
const listed = page => page.$$eval('.finds > li', all => all.map(li => ({
    id: li.id,
    words: parseInt(li.querySelector('.measures b').textContent.replace(/\D/g, ''), 10),
    texts: li.querySelector('.places').textContent,
    text: li.querySelector('blockquote').textContent.toLowerCase(),
    judged: li.dataset.judged || ''
})));

const ready = page => page.waitForSelector('#finds-order');

async function setField(page, name, value) {
    await page.evaluate((id, text) => {
        const input = document.getElementById(id);
        input.value = text;
        input.dispatchEvent(new Event('input'));
    }, `finds-${name}`, value);
}

async function checkFilters(check, browser, file, all) {
    const opened = (name, how, look) => check(`finds: ${name}`, () =>
        visit(browser, file, how, async page => {
            await ready(page);
            await look(page);
        }));
    await opened('the longest is first; by years between, the order is another', {}, async page => {
        await setField(page, 'order', 'words');
        await eventually(async () => {
            const words = (await listed(page)).map(f => f.words);
            assert.deepStrictEqual(words, words.slice().sort((a, b) => b - a));
        });
        await setField(page, 'order', 'target');
        await eventually(async () => {
            const targets = (await listed(page)).map(f => f.id.replace(/:\d+$/, ''));
            assert.deepStrictEqual(targets, targets.slice().sort());
            assert.notDeepStrictEqual(targets, all.map(f => f.id.replace(/:\d+$/, '')));
        });
    });
    await opened('words to find leave the finds that hold them', {}, async page => {
        await setField(page, 'find', 'WEATHERCOCK');
        await eventually(async () => {
            const found = await page.$$eval('.finds > li', list => list.map(li => li.textContent));
            assert.ok(found.length > 0 && found.length < all.length, `${found.length} finds`);
            assert.ok(found.every(text => text.includes('weathercock')));
        });
        await atAddress(page, /find=WEATHERCOCK/);
    });
    await opened('a least length leaves longer ones', {}, async page => {
        await setField(page, 'length', '20');
        await eventually(async () => {
            const found = await listed(page);
            assert.ok(found.length > 0 && found.length < all.length, `${found.length} finds`);
            assert.ok(found.every(f => f.words >= 20));
        });
    });
    await opened('what one source holds and another does not', {}, async page => {
        const texts = async () => (await listed(page)).map(f => f.texts);
        await setField(page, 'held', 'one');
        const alone = await eventually(texts);
        await setField(page, 'held', 'more');
        await setField(page, 'also', 'text01');
        const both = await eventually(texts);
        await setField(page, 'not', 'text01');
        assert.deepStrictEqual(await texts(), []);
        await setField(page, 'held', 'one');
        await setField(page, 'also', '');
        const others = await texts();
        assert.ok(alone.length > 0 && both.length > 0 && others.length < alone.length);
        assert.ok(others.length > 0 && !others.some(text => text.includes('harbour 1,')));
        await atAddress(page, /held=one&not=text01/);
    });
    await opened('rarely used filters are folded until an address names one', {}, async page => {
        const isOpen = () => page.$eval('.rarely', e => e.open);
        const open = await page.$$eval('.filters .field', list => list.filter(
            f => f.checkVisibility()).length);
        assert.ok(open > 3 && open < 8, `${open} fields`);
        assert.ok(!await isOpen());
        await page.evaluate(() => { location.hash = '#finds?since=1900'; });
        await page.waitForFunction(() => document.querySelector('.rarely').open);
    });
    await opened('an address names a filter', {hash: '#finds?source=text03&length=20'},
        page => eventually(async () => {
            const found = await listed(page);
            assert.strictEqual(found.length, 1);
            assert.ok(found[0].text.includes('northern tower'));
        }));
    await opened('an address names a find', {hash: `#${all[all.length - 1].id}`}, async page => {
        await page.waitForSelector('.finds > li.here');
        await eventually(async () => {
            const box = await page.$eval('.finds > li.here', e => ({
                id: e.id, top: e.getBoundingClientRect().top, height: innerHeight
            }));
            assert.strictEqual(box.id, all[all.length - 1].id);
            assert.ok(box.top >= -1 && box.top < box.height, JSON.stringify(box));
        });
    });
}

// Judgements are stored from one opening of the page to the next, saved as CSV and read again.
async function checkJudgements(check, browser, file, folder) {
    const press = (page, word) => page.evaluate(text => {
        [...document.querySelectorAll('.finds > li:first-child .judge button')]
            .find(b => b.textContent.includes(text)).click();
    }, word);
    const isJudged = (page, how) => eventually(async () =>
        assert.strictEqual((await listed(page))[0].judged, how));
    await check('finds: a judgement is stored, and taken back', () =>
        visit(browser, file, {}, async page => {
            await ready(page);
            await press(page, 'Accept');
            await isJudged(page, 'accepted');
            await page.reload();
            await ready(page);
            await isJudged(page, 'accepted');
            await press(page, 'Accepted');
            await isJudged(page, '');
        }));
    await check('finds: judgements are saved as CSV and read again', async () => {
        const csv = path.join(folder, 'judgements.csv');
        await visit(browser, file, {}, async page => {
            await ready(page);
            await press(page, 'Reject');
            await isJudged(page, 'rejected');
            await page.type('.finds > li:first-child .judge input', 'by "chance", =1+1');
            await page.keyboard.press('Enter');
            await page.evaluate(() => {
                URL.createObjectURL = blob => {
                    window.saved = blob.text();
                    return '#';
                };
                [...document.querySelectorAll('.judgements button')]
                    .find(b => b.textContent.includes('CSV')).click();
            });
            fs.writeFileSync(csv, await page.evaluate(() => window.saved));
        });
        await visit(browser, file, {}, async page => {
            await ready(page);
            await isJudged(page, '');
            await (await page.$('#judgements-file')).uploadFile(csv);
            await page.waitForSelector('.finds > li[data-judged=rejected]');
            await eventually(async () => {
                const note = await page.$eval('.finds > li:first-child .judge input', e => e.value);
                assert.strictEqual(note, 'by "chance", =1+1');
            });
        });
    });
}

// What a page would copy or save is kept instead: window.copied, window.saved.
const catchSaved = page => page.evaluate(() => {
    document.execCommand = () => { window.copied = document.activeElement.value; };
    URL.createObjectURL = blob => {
        window.saved = blob.text();
        return '#';
    };
});

const pressButton = (page, text) => page.evaluate(wanted =>
    [...document.querySelectorAll('button')].find(b => b.textContent === wanted).click(), text);

// The keyboard judges; what is rejected is taken out of the numbers; a second judge is compared.
async function checkKeys(check, browser, file, folder) {
    const number = page => page.$eval('td[data-share="text14"]', e => parseFloat(e.textContent));
    const hasShare = (page, test, what) => eventually(async () =>
        assert.ok(test(await number(page)), `${what}: ${await number(page)}`));
    const second = path.join(folder, 'second.csv');
    await check('finds: keys step and judge, and the numbers follow', () =>
        visit(browser, file, {hash: '#finds?target=text14'}, async page => {
            await ready(page);
            const before = await number(page);
            await page.keyboard.press('j');
            await page.keyboard.press('a');
            await page.waitForSelector('.finds > li.at[data-judged=accepted]');
            await hasShare(page, n => n === before, 'accepted');
            await page.keyboard.press('r');
            await page.waitForSelector('.finds > li.at[data-judged=rejected]');
            await hasShare(page, n => n < before, 'rejected');
            await page.keyboard.press('n');
            await page.keyboard.type('jar');
            await page.keyboard.press('Escape');
            await eventually(async () => assert.strictEqual(
                await page.$eval('.finds > li.at .judge input', e => e.value), 'jar'));
            await catchSaved(page);
            await page.type('.judgements label input', 'AB');
            await page.keyboard.press('Tab');
            await pressButton(page, 'Save judgements as CSV');
            const csv = await page.evaluate(() => window.saved);
            assert.match(csv, /^target,.*,note,judge,tags\ntext14,text03,.*,rejected,jar,AB,\n$/);
            fs.writeFileSync(second, csv.replace(/AB,\n/, 'CD,\n').replace('rejected', 'accepted'));
            await (await page.$('#judgements-file')).uploadFile(second);
            await hasShare(page, n => n === before, 'disputed');
            await eventually(async () => assert.match(
                await page.$eval('.judgements output', e => e.textContent),
                /CD agrees on 0 of 1/));
            await page.waitForFunction(() => document.querySelector('.finds > li.at .judge')
                .textContent.includes('CD: accepted'));
        }));
    await check('finds: what is filtered is saved, a reference is copied', () =>
        visit(browser, file, {hash: '#finds?target=text14'}, async page => {
            await ready(page);
            await catchSaved(page);
            await pressButton(page, 'Save these finds as CSV');
            const lines = (await page.evaluate(() => window.saved)).trim().split('\n');
            assert.ok(lines.length > 1 && lines.slice(1).every(l => l.startsWith('text14,')));
            assert.ok(lines[1].includes('The lamp of the northern tower'), lines[1]);
            await pressButton(page, 'as W3C annotations');
            const {items} = JSON.parse(await page.evaluate(() => window.saved));
            assert.strictEqual(items.length, lines.length - 1);
            assert.match(items[0].id, /report\.html#find-text14/);
            assert.match(items[0].target[0].selector.exact, /lamp of the northern tower/);
            const [here, there] = items[0].target.map(t => path.basename(t.source));
            assert.deepStrictEqual([here, there], ['text14.html', 'text03.html']);
            for (const [style, wanted] of [
                ['Chicago', /^Ben Carr, \u201c.*words \d+\u2013\d+; shared with Ada Brook/],
                ['MLA', /^Ben Carr\. /], ['BibTeX', /^@misc\{tributary-.*\n {2}author = /]]) {
                await pressButton(page, style);
                assert.match(await page.evaluate(() => window.copied), wanted);
            }
            assert.match(await page.evaluate(() => window.copied), /#find-text14/);
        }));
}

// The report of a run whose list of finds is in two files, because it is long: made of that of a
// run with a short list.
function withTwoFiles(file, folder) {
    const to = path.join(folder, 'long-list'), list = path.join(to, 'targets/finds.js');
    fs.cpSync(path.dirname(file), to, {recursive: true});
    const window = {};
    new Function('window', fs.readFileSync(list, 'utf8').replace(/^tributary_finds/, 'window.all'))(
        window);
    const {texts, finds} = window.all, first = finds.slice(0, 3);
    const write = (name, data) => fs.writeFileSync(path.join(to, 'targets', name),
        `tributary_finds=${JSON.stringify(data)};`);
    write('finds.js', {all: finds.length, files: 2, texts, finds: first});
    write('finds-2.js', {finds: finds.slice(3)});
    // of a family, one find is shown
    const places = new Set(finds.map(f => `${f[1]} ${f[14]}`)).size;
    return [path.join(to, path.basename(file)), places];
}

async function checkFiles(check, browser, file, folder) {
    const [long, n] = withTwoFiles(file, folder);
    const said = page => page.$eval('.said', e => e.textContent);
    await check('finds: the other files of a long list are read when the reader asks', () =>
        visit(browser, long, {}, async page => {
            await ready(page);
            await eventually(async () => assert.strictEqual(await said(page), '3 of 3 finds'));
            const options = () => page.$$eval('#finds-target option', all => all.length);
            const few = await options();
            await page.evaluate(() => [...document.querySelectorAll('.note button')]
                .find(b => b.textContent === 'Read the others, too').click());
            await eventually(async () => {
                assert.ok((await said(page)).startsWith(`${n} of ${n} finds`));
                assert.ok(await options() > few);
                assert.ok(await page.$$eval('.note', all => all.find(
                    e => e.textContent.startsWith('The list has')).hidden));
                const ids = (await listed(page)).map(f => f.id);
                assert.strictEqual(new Set(ids).size, Math.min(n, 10));
            });
        }));
}

module.exports = async (check, browser, {runs, folder}) => {
    const file = runs.find(run => run.name === 'many').pages.first[0];
    const all = await visit(browser, file, {}, page => eventually(async () => {
        await ready(page);
        const found = await listed(page);
        assert.ok(found.length > 3, `${found.length} finds`);
        return found;
    }));
    await checkFilters(check, browser, file, all);
    await checkJudgements(check, browser, file, folder);
    await checkKeys(check, browser, file, folder);
    await checkFiles(check, browser, file, folder);
    await check('finds: without scripts the strongest finds and the list are there', () =>
        visit(browser, file, {scripts: false}, async page => {
            const found = await listed(page);
            assert.ok(found.length > 0);
            const text = await page.$eval('.finds', e => e.innerText);
            assert.ok(text.includes('The lamp of the northern tower'), text);
        }));
    await check('finds: a page has weaker passages in a line with links to both places', () =>
        visit(browser, file.replace('report.html', 'targets/text12.html'), {}, async page => {
            const lines = await page.$$eval('.brief li', list => list.map(li => [
                li.textContent, ...[...li.querySelectorAll('a')].map(a => a.getAttribute('href'))
            ]));
            assert.ok(lines.length >= 2, `${lines.length} lines`);
            for (const [text, here, there] of lines) {
                assert.match(text, /^\d+ words: \S+/);
                assert.match(here, /^\.\.\/read\/text12\.html#w\d+$/);
                assert.match(there, /^\.\.\/read\/text02\.html#w\d+$/);
            }
            assert.strictEqual((await page.$$('.passages ol:not(.brief) > li')).length, 4);
        }));
    await check('finds: words of a find lead to its place in the text', () =>
        visit(browser, file, {}, async page => {
            await ready(page);
            const link = await page.$eval('.finds > li .places a[href*="#w"]',
                                          e => e.getAttribute('href'));
            await page.evaluate(() =>
                document.querySelector('.finds .places a[href*="#w"]').click());
            await eventually(async () => {
                assert.ok((await page.evaluate(() => location.href)).endsWith(link));
                assert.ok(await page.$('main mark'), 'the word is marked');
            });
        }));
};
