// look.js PAGE... - see tests/browser/look, which runs this.
'use strict';
const fs = require('fs'), path = require('path');
const {launch, visit, change} = require('./browser');

// Milliseconds from the start of the navigation to the load event, the median of five.
async function loadTime(browser, file) {
    const times = [];
    for (let i = 0; i < 5; i++)
        times.push(await visit(browser, file, {}, page => page.evaluate(
            () => performance.getEntriesByType('navigation')[0].loadEventStart)));
    return times.sort((a, b) => a - b)[2];
}

const views = [];
for (const scheme of ['light', 'dark'])
    for (const width of [1400, 800, 390]) views.push({width, scheme, media: 'screen'});
views.push({width: 680, scheme: 'light', media: 'print'});

async function pictures(browser, file, folder) {
    const wanted = Number(process.env.HEIGHT) || 3000;
    const stem = file.split(path.sep).slice(-3).join('-').replace(/\.html$/, '');
    await visit(browser, file, {}, async page => {
        for (const view of views) {
            await change(page, view);
            const height = await page.evaluate(() => document.documentElement.scrollHeight);
            const name = `${stem}-${view.media === 'print' ? 'print' : view.width}-${view.scheme}`;
            await page.screenshot({
                path: path.join(folder, `${name}.png`),
                clip: {x: 0, y: 0, width: view.width, height: Math.min(height, wanted)},
                captureBeyondViewport: true
            });
        }
    });
}

(async () => {
    const browser = await launch();
    for (const name of process.argv.slice(2)) {
        const file = path.resolve(name), time = await loadTime(browser, file);
        console.log(`${name}: ${fs.statSync(file).size} bytes, load event after ` +
                    `${time.toFixed(0)} ms`);
        if (process.env.PICTURES) await pictures(browser, file, process.env.PICTURES);
    }
    await browser.close();
})().catch(error => {
    console.error(error.message);
    process.exit(1);
});
