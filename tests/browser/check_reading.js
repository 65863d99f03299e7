// check_reading.js - the reading pages: a passage shows its source, keys go from passage to
// passage, an address leads to a word, the legend is a filter, texts run in their own direction.
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert');
const {visit, eventually, atAddress} = require('./browser');

const letters = text => text.normalize('NFC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

// A page with passages of two places or more.
const pageWithPlaces = run => run.pages.read.find(
    file => (fs.readFileSync(file, 'utf8').match(/<article/g) || []).length > 1);

const pageOf = (run, id) => run.pages.read.find(file => path.basename(file) === `${id}.html`);

// The text of the place in a source that is shown beside the text; '' when none is.
const shown = page => page.$$eval('.places article', all => all
    .filter(e => e.getBoundingClientRect().height > 0).map(e => e.innerText).join('\n'));

const showsSource = (page, run) => eventually(async () =>
    assert.ok(letters(await shown(page)).includes(letters(run.passage))));

// Waits until an element is in the window.
const isInWindow = (page, selector, after) => eventually(async () =>
    assert.ok(await page.$eval(selector, e => {
        const box = e.getBoundingClientRect();
        return box.bottom > 0 && box.top < innerHeight;
    }), after));

// Chooses the passage of the text that is longest.
async function chooseLongest(page) {
    await page.evaluate(() => {
        const runs = [...document.querySelectorAll('main a')];
        runs.sort((a, b) => b.textContent.length - a.textContent.length)[0].click();
    });
}

async function checkLanguage(check, browser, run) {
    const file = pageOf(run, run.target);
    await check(`reading, ${run.name}: a chosen passage shows its words in the source`, () =>
        visit(browser, file, {}, async page => {
            assert.strictEqual(await shown(page), '');
            await chooseLongest(page);
            await showsSource(page, run);
            await atAddress(page, /#w\d+$/);
        }));
    await check(`reading, ${run.name}: without scripts a passage shows its source too`, () =>
        visit(browser, file, {scripts: false}, async page => {
            const place = await page.evaluate(() => {
                const runs = [...document.querySelectorAll('main a')];
                runs.sort((a, b) => b.textContent.length - a.textContent.length);
                return runs[0].getAttribute('href');
            });
            await page.goto(page.url() + place);
            await showsSource(page, run);
        }));
}

async function checkKeys(check, browser, file) {
    await check('reading: j and k go to the next passage and the one before, a judges it', () =>
        visit(browser, file, {}, async page => {
            const seen = [''];
            for (const key of ['j', 'j', 'k']) {
                await page.keyboard.press(key);
                seen.push(await eventually(async () => {
                    const now = await shown(page);
                    assert.ok(now && now !== seen[seen.length - 1], now);
                    return now;
                }));
                await isInWindow(page, 'main a.on', `after ${key}`);
            }
            const first = text => text.split('\n')[0];
            assert.strictEqual(first(seen[3]), first(seen[1]));
            await page.keyboard.press('a');
            await page.waitForSelector('.places article.on[data-judged=accepted]');
            await page.keyboard.press('Escape');
            await eventually(async () => assert.strictEqual(await shown(page), ''));
        }));
    await check('reading: the legend hides a source and shows it again', () =>
        visit(browser, file, {}, async page => {
            const line = () => page.$eval(
                'main a.s1', e => getComputedStyle(e).textDecorationColor);
            const before = await line();
            await page.click('#f1');
            await eventually(async () => assert.match(await line(), /, 0\)$/)); // transparent
            await page.click('#f1');
            await eventually(async () => assert.strictEqual(await line(), before));
        }));
}

// #w1234 of a footnote: the word is in the window and is marked.
async function checkAddress(check, browser, file) {
    for (const word of [700, 1])
        await check(`reading: the address #w${word} leads to the word`, () =>
            visit(browser, file, {hash: `#w${word}`}, async page => {
                await isInWindow(page, 'main mark');
                const count = await page.evaluate(() => {
                    const range = document.createRange();
                    range.setStart(document.querySelector('main'), 0);
                    range.setEnd(document.querySelector('main mark'), 0);
                    return (range.toString().match(/[\p{L}\p{N}]+/gu) || []).length;
                });
                assert.strictEqual(count, word - 1);
            }));
    await check('reading: without scripts an address leads to the paragraph', () =>
        visit(browser, file, {scripts: false}, async page => {
            const ids = await page.$$eval('main p[id]', all => all.map(e => e.id));
            const id = ids[ids.length - 1];
            await page.goto(`${page.url()}#${id}`);
            await isInWindow(page, `#${id}`);
        }));
}

async function checkDirection(check, browser, run) {
    const file = pageOf(run, run.target);
    for (const width of [390, 1400])
        await check(`reading, ${run.name}: lines begin at the right, ${width} pixels`, () =>
            visit(browser, file, {width}, async page => {
                const gaps = await page.$eval('main p', p => {
                    const range = document.createRange(), box = p.getBoundingClientRect();
                    range.selectNodeContents(p);
                    const lines = [...range.getClientRects()], last = lines[lines.length - 1];
                    return {left: last.left - box.left, right: box.right - last.right};
                });
                assert.ok(gaps.right < gaps.left, JSON.stringify(gaps));
            }));
    await check(`reading, ${run.name}: the map runs from right to left`, () =>
        visit(browser, file, {}, async page => {
            const direction = await page.$eval('.strip', e => getComputedStyle(e).direction);
            assert.strictEqual(direction, 'rtl');
        }));
    await check(`reading, ${run.name}: the arrow to the left goes forward`, () =>
        visit(browser, file, {}, async page => {
            await page.keyboard.press('ArrowLeft');
            await eventually(async () => assert.ok(await shown(page)));
        }));
}

// Each unit stands beside its translation, in its own direction.
async function checkTranslated(check, browser, run) {
    for (const width of [390, 1400])
        await check(`reading, ${run.name}: units stand in two scripts, ${width} pixels`, () =>
            visit(browser, run.pages.first[0], {width}, async page => {
                const rows = await page.$$eval('.units tr', all => all
                    .filter(row => row.querySelector('td') && row.offsetHeight > 0)
                    .map(row => [...row.cells].map(cell => ({
                        direction: getComputedStyle(cell).direction,
                        top: cell.getBoundingClientRect().top,
                        n: cell.textContent.trim().split(' ').length,
                        language: cell.lang
                    }))));
                assert.ok(rows.length >= 13, `${rows.length} rows`);
                for (const [own, other] of rows) {
                    assert.deepStrictEqual([own.direction, other.direction], ['rtl', 'ltr']);
                    assert.deepStrictEqual([own.top, own.n], [other.top, other.n]);
                    assert.strictEqual(own.language, 'he');
                }
            }));
    await check(`reading, ${run.name}: the place in the source is in translation`, () =>
        visit(browser, pageOf(run, run.target), {}, async page => {
            await chooseLongest(page);
            await eventually(async () => assert.match(await shown(page), /in translation/));
            const direction = await page.$$eval('.places article blockquote', all => all
                .filter(e => e.offsetHeight > 0).map(e => getComputedStyle(e).direction));
            assert.deepStrictEqual(direction, ['ltr']);
        }));
}

// The other text in its frame, once it is there.
async function other(page) {
    let frame;
    await eventually(async () => {
        frame = page.frames().find(f => /\?in=/.test(f.url()));
        assert.ok(frame && await frame.$('main p'));
    });
    return frame;
}

// The paragraphs of a page or a frame that are in the window.
const inWindow = page => page.$$eval('main p', all => all.filter(p => {
    const box = p.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
}).map(p => p.textContent).join(' '));

async function checkBoth(check, browser, run) {
    await check(`reading, ${run.name}: both texts show a passage side by side`, () =>
        visit(browser, pageOf(run, run.target), {}, async page => {
            await chooseLongest(page);
            await showsSource(page, run);
            await page.evaluate(() =>
                document.querySelector('.places article.on a[href*="?with="]').click());
            await atAddress(page, /\?with=.+#w\d+$/);
            const frame = await other(page);
            for (const text of [page, frame])
                await eventually(async () => assert.ok(
                    letters(await inWindow(text)).includes(letters(run.passage))));
        }));
}

// Scrolling one text to words that the other does not show brings it there, too.
async function checkSteps(check, browser, file) {
    for (const leader of ['the text', 'the other'])
        await check(`reading: ${leader} leads, and both show the same words`, () =>
            visit(browser, file, {height: 420}, async page => {
                await page.evaluate(() => document.querySelector(
                    '.sources a[href*="?with="]').click());
                await atAddress(page, /\?with=/);
                const frame = await other(page);
                const [leads, follows] = leader === 'the text' ? [page, frame] : [frame, page];
                const words = (await leads.$$eval('main a.s1[data-t]', all =>
                    all.map(a => a.textContent))).filter(text => letters(text).length > 20);
                const before = letters(await inWindow(follows));
                const hidden = words.filter(text => !before.includes(letters(text))).pop();
                assert.ok(hidden, 'all words are in the window');
                await leads.evaluate(text => {
                    dispatchEvent(new WheelEvent('wheel'));
                    [...document.querySelectorAll('main a.s1[data-t]')]
                        .find(a => a.textContent === text).scrollIntoView({block: 'center'});
                }, hidden);
                await eventually(async () => assert.ok(
                    letters(await inWindow(follows)).includes(letters(hidden))));
            }));
}

module.exports = async (check, browser, {runs}) => {
    const many = runs.find(run => run.name === 'many');
    for (const run of runs.filter(r => r.passage)) {
        await checkLanguage(check, browser, run);
        await checkBoth(check, browser, run);
    }
    await checkSteps(check, browser, pageOf(runs.find(r => r.name === 'carrow-bay'), 'guide'));
    for (const run of runs.filter(r => ['arabic', 'hebrew'].includes(r.name)))
        await checkDirection(check, browser, run);
    await checkTranslated(check, browser, runs.find(run => run.name === 'translated'));
    await checkKeys(check, browser, pageWithPlaces(many));
    await checkAddress(check, browser, pageOf(many, 'text14'));
    await check('reading: from a passage one goes to its place in the source and reads there', () =>
        visit(browser, pageOf(many, many.target), {}, async page => {
            await chooseLongest(page);
            await eventually(() => page.evaluate(() =>
                [...document.querySelectorAll('.places article.on a')]
                    .find(a => /\.html#w\d+$/.test(a.getAttribute('href'))).click()));
            await atAddress(page, new RegExp(`${many.source}.html#w\\d+$`));
            await eventually(async () => {
                const near = await page.evaluate(() => document.elementFromPoint(
                    innerWidth / 3, innerHeight / 2).closest('main').textContent);
                assert.ok(letters(near).includes(letters(many.passage)));
            });
        }));
};
