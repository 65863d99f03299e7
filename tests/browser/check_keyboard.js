// check_keyboard.js - everything that a mouse reaches, the tab key reaches, in the order of the
// page, and shows where it is.
'use strict';
const assert = require('assert');
const {visit, eventually, settled, atAddress} = require('./browser');

const focused = page => page.evaluate(() => {
    const e = document.activeElement;
    if (!e || e === document.body) return null;
    const all = [...document.querySelectorAll('*')], style = getComputedStyle(e);
    return {
        place: all.indexOf(e),
        name: `${e.localName} "${e.textContent.trim().slice(0, 30)}"`,
        outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
    };
});

async function tabForward(page) {
    const stops = [];
    for (let i = 0; i < 25; i++) {
        await page.keyboard.press('Tab');
        await settled(page);
        const at = await focused(page);
        if (!at) break;
        stops.push(at);
    }
    assert.ok(stops.length > 2, `${stops.length} stops`);
    for (let i = 1; i < stops.length; i++)
        assert.ok(stops[i].place > stops[i - 1].place,
                  `${stops[i].name} after ${stops[i - 1].name}`);
    assert.deepStrictEqual(stops.filter(s => !s.outlined).map(s => s.name), []);
}

module.exports = async (check, browser, {runs}) => {
    for (const run of runs.filter(r => ['carrow-bay', 'many', 'hebrew'].includes(r.name)))
        for (const [kind, files] of Object.entries(run.pages))
            await check(`keyboard: ${run.name}, ${kind}: tab goes forward and shows where`,
                        () => visit(browser, files[0], {}, tabForward));
    await check('keyboard: the first stop skips to the answer', () =>
        visit(browser, runs[0].pages.first[0], {}, async page => {
            await page.keyboard.press('Tab');
            await eventually(async () =>
                assert.strictEqual((await focused(page)).name, 'a "Skip to the answer"'));
            await page.keyboard.press('Enter');
            await atAddress(page, /#answer$/);
        }));
};
