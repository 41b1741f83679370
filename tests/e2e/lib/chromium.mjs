// Chromium, driven from outside. Every page that is opened here is watched: an error in its console, an
// exception, or a request to another place than the server fails the test that opened it.

import { chromium } from 'playwright-core';
import { Tickle } from './tickle.mjs';

const EXECUTABLE = process.env.TICKLE_CHROMIUM ?? '/usr/bin/chromium';
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How long anything on a page may take; far more than it does, for machines that are busy. */
const WAIT_MS = 60_000;

let browser;

/** The browser, started when it is first wanted. */
async function started() {
  browser ??= await chromium.launch({ executablePath: EXECUTABLE, args: QUIET });
  return browser;
}

/** Numbers of the processes that show pages and run their workers. */
export async function renderers() {
  const session = await (await started()).newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** Ends the browser. */
export async function close() {
  await browser?.close();
  browser = undefined;
}

function watch(context, page, address, faults) {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      faults.push(`console: ${message.text()} (${message.location().url})`);
    }
  });
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  // The context's requests are those of its workers as well.
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith('data:') && !url.startsWith('blob:')) {
      faults.push(`request to ${url}`);
    }
  });
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} for ${response.url()}`);
  });
}

/** Runs `body` with a fresh page of the server at `address`, opened at `link` (after `#`). Faults that
 * `expected` matches are what the test is about; `media` are further wishes of the system, as
 * `forcedColors`. */
export async function withPage(address, options, body) {
  const { link = '', width = 1440, height = 900, scheme = 'light', touch = false, expected, media = {} } = options;
  const context = await (await started()).newContext({
    viewport: { width, height },
    colorScheme: scheme,
    hasTouch: touch,
    ...media,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const all = [];
  const faults = { push: (fault) => expected?.test(fault) || all.push(fault) };
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  watch(context, page, address, faults);
  try {
    const tickle = new Tickle(page, address);
    if (options.open !== false) await tickle.open(link);
    const result = await body(tickle);
    if (all.length > 0) throw new Error(all.join('; '));
    return result;
  } catch (error) {
    // A fault of the page is likely the reason of whatever was missed.
    if (all.length > 0 && !error.message.includes(all[0])) error.message += ` [${all.join('; ')}]`;
    throw error;
  } finally {
    await context.close();
  }
}
