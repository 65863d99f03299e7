// check_map.js - the map and the figure of time: keys move between cells and arcs, the slider hides
// small flows, the map has two orders, and a corpus of any size stays readable at every width.
'use strict';
const assert = require('assert');
const {visit, eventually, settled, axeFaults} = require('./browser');

const place = page => page.evaluate(() => {
    const cell = document.activeElement.closest('.matrix td');
    return cell && [cell.parentNode.rowIndex, cell.cellIndex];
});

async function checkMap(check, browser, file) {
    await check('map: one stop of the tab key, arrow keys move between the cells', () =>
        visit(browser, file, {}, async page => {
            const stops = await page.$$eval('.matrix td a[tabindex="0"]', a => a.length);
            assert.ok(stops >= 1);
            await page.focus('.matrix td a[tabindex="0"]');
            const first = await place(page);
            let last = first;
            for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowDown']) {
                await page.keyboard.press(key);
                await settled(page);
                const at = await place(page);
                assert.ok(at, `${key} left the map`);
                const moved = key === 'ArrowRight' ? at[1] - last[1] : at[0] - last[0];
                assert.ok(moved > 0 || String(at) === String(last), `${key}: ${last} to ${at}`);
                last = at;
            }
            assert.notDeepStrictEqual(last, first);
        }));
    await check('map: a figure with labels is saved as SVG', () =>
        visit(browser, file, {}, async page => {
            const saved = await page.evaluate(() => {
                URL.createObjectURL = blob => {
                    window.saved = blob.text();
                    return '#';
                };
                [...document.querySelectorAll('#network button')]
                    .find(b => b.textContent === 'Save as SVG').click();
                return window.saved;
            });
            assert.match(saved, /^<svg [^>]*xmlns="/);
            assert.match(saved, /<text[^>]*style="[^"]*fill: rgb/);
        }));
    await check('map: a cell leads to the pair', () =>
        visit(browser, file, {}, async page => {
            const href = await page.$eval('.matrix td a[href*="targets/"]',
                                          a => a.getAttribute('href'));
            assert.match(href, /^targets\/text\d+\.html/);
            await page.focus(`.matrix td a[href="${href}"]`);
            await page.keyboard.press('Enter');
            await eventually(async () =>
                assert.ok((await page.evaluate(() => location.href)).endsWith(href)));
        }));
    await check('map: by date or clustered, also without scripts', async () => {
        for (const scripts of [true, false])
            await visit(browser, file, {scripts}, async page => {
                const titles = () => page.$$eval('.matrix tbody', all => all
                    .filter(t => t.getBoundingClientRect().height > 0)
                    .map(t => [...t.rows].map(r => r.cells[0].textContent)));
                const [before, ...others] = await titles();
                assert.strictEqual(others.length, 0);
                await page.click('#map input[type=radio]:not(:checked)');
                await eventually(async () => {
                    const [after] = await titles();
                    assert.deepStrictEqual(after.slice().sort(), before.slice().sort());
                    assert.notDeepStrictEqual(after, before);
                });
            });
    });
}

async function checkTime(check, browser, file) {
    await check('time: the slider hides small flows, arrow keys go from arc to arc', () =>
        visit(browser, file, {}, async page => {
            const arcs = () => page.$$eval('svg.time [data-share]', all => all.filter(
                a => a.style.display !== 'none').map(a => Number(a.dataset.share)));
            const all = await arcs();
            assert.ok(all.length >= 5, `${all.length} arcs`);
            await page.focus('input[id^=time-floor]');
            for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowRight');
            const some = await eventually(async () => {
                await settled(page);
                const left = await arcs();
                assert.ok(left.length > 0 && left.length < all.length, `${left.length} arcs`);
                return left;
            });
            const hidden = all.filter(s => !some.includes(s));
            assert.ok(Math.min(...some) > Math.max(...hidden));
            await page.$eval('svg.time [data-share][tabindex="0"]', e => e.focus());
            const at = () => page.evaluate(() => document.activeElement.getAttribute('href'));
            const before = await at();
            await page.keyboard.press('ArrowDown');
            await eventually(async () => {
                if (some.length > 1) assert.notStrictEqual(await at(), before);
                assert.ok(await page.evaluate(() => !!document.activeElement.dataset.share));
            });
        }));
}

// The labels of the map and of the figure of time: none is cut off, none lies on another, and their
// letters are not too small to read. A map that is wider than the window scrolls.
async function readable(page) {
    const figures = await page.evaluate(() => {
        const shown = e => e.getBoundingClientRect().height > 0;
        const boxOf = e => {
            const range = document.createRange();
            range.selectNodeContents(e);
            const box = range.getBoundingClientRect();
            return {
                text: e.textContent.trim(), top: box.top, bottom: box.bottom, left: box.left,
                right: box.right, size: parseFloat(getComputedStyle(e).fontSize),
                cut: e.scrollWidth > e.clientWidth + 1 &&
                    /hidden|clip/.test(getComputedStyle(e).overflowX)
            };
        };
        const of = selector => [...document.querySelectorAll(selector)].filter(shown).map(boxOf)
            .filter(b => b.text);
        return {rows: of('.matrix tbody th'), time: of('svg.time text')};
    });
    for (const [name, boxes] of Object.entries(figures)) {
        assert.ok(boxes.length >= 5 && boxes.length <= 200, `${name}: ${boxes.length} labels`);
        assert.deepStrictEqual(boxes.filter(b => b.cut || b.size < 9), []);
        boxes.sort((a, b) => a.top - b.top);
        const over = boxes.filter((b, i) => boxes.slice(i + 1, i + 4).some(
            c => c.top < b.bottom - 3 && c.left < b.right - 1 && b.left < c.right - 1));
        assert.deepStrictEqual(over.map(b => b.text), [], `${name}: labels on others`);
    }
}

module.exports = async (check, browser, {runs}) => {
    const file = runs.find(run => run.name === 'many').pages.first[0];
    await checkMap(check, browser, file);
    const crowd = runs.find(run => run.name === 'crowd').pages.first[0];
    for (const width of [390, 800, 1400])
        await check(`map: of 2000 texts every label can be read, ${width} pixels`, () =>
            visit(browser, crowd, {width}, page => readable(page)));
    await checkTime(check, browser, file);
    await check('map: dark, every cell with a number can be read', () =>
        visit(browser, file, {scheme: 'dark'}, async page => {
            assert.deepStrictEqual((await axeFaults(page)).filter(f => /contrast/.test(f)), []);
        }));
};
