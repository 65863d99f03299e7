// browser.js - Chromium without a screen. A page is opened from disk, as a reader opens it, and
// whatever the page does that no page may do is an error: a message on the console, an exception, a
// request to anything but a file.
'use strict';
const fs = require('fs'), path = require('path'), url = require('url');
const assert = require('assert');
const puppeteer = require('puppeteer-core');

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

exports.launch = () => {
    const asRoot = process.getuid && process.getuid() === 0; // then Chromium has no sandbox
    return puppeteer.launch({
        executablePath: process.env.CHROMIUM,
        headless: true,
        args: ['--disable-gpu', '--force-color-profile=srgb'].concat(asRoot ? '--no-sandbox' : []),
        protocolTimeout: 120000
    });
};

// What a page did that no page may do, one sentence each, is appended to `faults`.
async function watch(page, faults) {
    page.on('console', m => {
        if (m.type() !== 'debug') faults.push(`message on the console: ${m.text()}`);
    });
    page.on('pageerror', e => faults.push(`exception: ${e.message}`));
    page.on('dialog', d => {
        faults.push(`dialog: ${d.message()}`);
        d.dismiss();
    });
    await page.setRequestInterception(true);
    page.on('request', request => {
        if (/^(file|data|blob|about):/.test(request.url())) return request.continue();
        faults.push(`request: ${request.url()}`);
        return request.abort();
    });
    page.on('requestfailed', request => {
        if (request.failure().errorText !== 'net::ERR_ABORTED')
            faults.push(`${request.failure().errorText}: ${path.basename(request.url())}`);
    });
}

// How a page is opened: size in pixels, `light` or `dark`, `screen` or `print`, with its scripts
// or without.
const usual = {
    width: 1400, height: 900, scheme: 'light', media: 'screen', scripts: true, hash: ''
};

async function prepare(page, how) {
    await page.setViewport({width: how.width, height: how.height});
    const session = await page.createCDPSession(); // of puppeteer's two calls, the later one wins
    await session.send('Emulation.setEmulatedMedia', {
        media: how.media,
        features: [
            {name: 'prefers-color-scheme', value: how.scheme},
            {name: 'prefers-reduced-motion', value: 'reduce'} // scrolling takes no time
        ]
    });
    await session.send('Emulation.setFocusEmulationEnabled', {enabled: true}); // for the keyboard
    await page.setJavaScriptEnabled(how.scripts);
}

// Changes how an open page is shown.
exports.change = (page, how) => prepare(page, Object.assign({}, usual, how));

// Looks at a page until `look` throws nothing, and returns what it returns; after a minute, throws
// what it threw last. Chromium reports a click or a key as done before the page shows its effect,
// and a page that a link leads to opens later still.
exports.eventually = async look => {
    for (const end = Date.now() + 60000;;) {
        try {
            return await look();
        } catch (error) {
            if (Date.now() > end) throw error;
        }
        await new Promise(done => setTimeout(done, 20));
    }
};

// Waits until the address of a page matches.
exports.atAddress = (page, pattern) => exports.eventually(async () =>
    assert.match(await page.evaluate(() => location.href), pattern));

// Waits until the page has run what it had to run at this moment. For a key that may also change
// nothing.
exports.settled = page => page.evaluate(() => new Promise(
    done => setTimeout(() => setTimeout(done, 0), 0)));

// Opens a page, hands it to `look`, closes it; fails when the page did what no page may do.
// Returns what `look` returns.
exports.visit = async (browser, file, how, look) => {
    how = Object.assign({}, usual, how);
    const context = await browser.createBrowserContext(); // nothing is stored from page to page
    const faults = [];
    try {
        const page = await context.newPage();
        await watch(page, faults);
        await prepare(page, how);
        await page.goto(url.pathToFileURL(file).href + how.hash, {waitUntil: 'load'});
        const result = await look(page);
        if (faults.length) throw new Error([...new Set(faults)].join('\n'));
        return result;
    } finally {
        await context.close();
    }
};

// The faults of accessibility that axe-core finds, one sentence each; also those in frames, unless
// these are of another origin, to which it cannot speak.
exports.axeFaults = async (page, iframes = true) => {
    await page.evaluate(axe);
    return page.evaluate(async hasFrames => {
        const found = await window.axe.run(
            document, {resultTypes: ['violations'], preload: false, iframes: hasFrames,
                rules: {'target-size': {enabled: true}}});
        return found.violations.map(v => `axe: ${v.id} (${v.help}), ${v.nodes.length} times: ` +
                                         v.nodes[0].html.slice(0, 200));
    }, iframes);
};
