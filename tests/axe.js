// axe.js - see tests/axe, which runs this.
'use strict';
const path = require('path'), fs = require('fs'), url = require('url');
const at = path.resolve(__dirname, '../build/axe/node_modules');
const puppeteer = require(path.join(at, 'puppeteer-core'));
const axe = fs.readFileSync(path.join(at, 'axe-core/axe.min.js'), 'utf8');
const pictures = process.env.PICTURES;
let n_faults = 0;

function fault(page, text) {
    n_faults++;
    console.log(`${page}: ${text}`);
}

async function open(browser, name, faults) {
    const page = await browser.newPage();
    page.on('console', m => faults.push(`console: ${m.text()}`));
    page.on('pageerror', e => faults.push(`error: ${e.message}`));
    page.on('request', r => {
        if (!/^(file|data|about):/.test(r.url())) faults.push(`request: ${r.url()}`);
    });
    await page.setViewport({width: 1280, height: 900});
    await page.goto(url.pathToFileURL(name).href, {waitUntil: 'load', timeout: 120000});
    return page;
}

// What reaches beyond the right edge without scrolling in a box of its own.
const wide = () => {
    const edge = document.documentElement.clientWidth + 1, found = [];
    if (document.documentElement.scrollWidth > edge)
        for (const e of document.querySelectorAll('body *')) {
            if (e.getBoundingClientRect().right <= edge || e.closest('.scroll,.modes,pre,svg,.hidden'))
                continue;
            found.push(e.tagName + '.' + e.className);
        }
    return found.slice(0, 5);
};

async function measure(browser, name) {
    const times = [];
    for (let i = 0; i < 5; i++) {
        const page = await browser.newPage();
        await page.goto(url.pathToFileURL(name).href, {waitUntil: 'load', timeout: 120000});
        times.push(await page.evaluate(
            () => performance.getEntriesByType('navigation')[0].loadEventStart));
        await page.close();
    }
    return times.sort((a, b) => a - b)[2];
}

const TALLEST = 16000; // pixels that Chromium puts into one picture

// The page from its top, as far as a picture goes.
async function whole(page) {
    const size = await page.evaluate(
        () => ({width: innerWidth, height: document.documentElement.scrollHeight}));
    return {clip: {x: 0, y: 0, width: size.width, height: Math.min(size.height, TALLEST)}, captureBeyondViewport: true};
}

async function take(page, name, what, options = {}) {
    if (!pictures) return;
    const base = path.join(pictures, path.basename(path.dirname(name)) + '-' +
                                         path.basename(name, '.html') + '-' + what);
    if (what.startsWith('paper')) await page.pdf({path: base + '.pdf', timeout: 300000, ...options});
    else await page.screenshot({path: base + '.png', ...options});
}

async function look(browser, name) {
    const faults = [];
    const page = await open(browser, name, faults);
    await page.evaluate(axe);
    for (const scheme of ['light', 'dark']) {
        await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
        const found = await page.evaluate(
            () => axe.run(document, {resultTypes: ['violations']}));
        for (const v of found.violations)
            if (v.impact === 'serious' || v.impact === 'critical')
                faults.push(`axe, ${scheme}: ${v.id}: ${v.nodes.length} x ${v.nodes[0].html.slice(0, 160)}`);
            else console.log(`${name}: axe, ${v.impact}: ${v.id}: ${v.nodes.length} x ` +
                             v.nodes[0].html.slice(0, 100));
        await take(page, name, scheme, await whole(page));
    }
    await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: 'light'}]);
    for (const [what, width] of [['400', 400], ['zoom', 320]]) {
        await page.setViewport({width, height: 800});
        for (const e of await page.evaluate(wide)) faults.push(`wider than ${width} px: ${e}`);
        await take(page, name, what, await whole(page));
    }
    await page.setViewport({width: 1280, height: 900});
    await take(page, name, 'paper-a4', {format: 'A4'});
    await take(page, name, 'paper-letter', {format: 'Letter'});
    await page.close();
    for (const text of new Set(faults)) fault(name, text);
    const load = await measure(browser, name);
    console.log(`${name}: ${fs.statSync(name).size} bytes, load event after ${load.toFixed(0)} ms`);
}

(async () => {
    const browser = await puppeteer.launch({
        executablePath: process.env.CHROMIUM,
        headless: true,
        args: ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files'],
        protocolTimeout: 300000
    });
    for (const name of process.argv.slice(2)) await look(browser, path.resolve(name));
    await browser.close();
    console.log(n_faults === 0 ? 'nothing wrong' : `${n_faults} wrong`);
    process.exit(n_faults === 0 ? 0 : 1);
})();
