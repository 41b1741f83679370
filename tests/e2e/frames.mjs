// Frames and memory of the built page with runs of many sizes, printed and never judged:
// node frames.mjs DIST [SECONDS…]. Memory is told where the system shows that of processes (/proc).

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { close, renderers, withPage } from './lib/chromium.mjs';
import { crowd } from './lib/scenarios.mjs';
import { serve } from './lib/server.mjs';

/** Simulated seconds: about 10,000, 100,000, 1 million and 10 million segments. */
const SECONDS = [0.6, 6, 60, 600];
/** Turns of the wheel, and steps of the hand, of each measurement. */
const STEPS = 120;
/** The longest that a run may take, in ms. */
const RUN_MS = 600_000;

const [dist, ...chosen] = process.argv.slice(2);
if (!dist) throw new Error('which folder? For example: node frames.mjs ../../dist');
const part = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * share)];

/** The largest memory that a process which shows pages has had, in MB; nothing where it is not told. */
async function memory() {
  const all = (await renderers()).map(async (id) => {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_000;
  });
  const known = (await Promise.all(all)).filter(Number.isFinite);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Notes when guests are first painted after a run has started, and when its last answer is there. */
function watch() {
  const started = performance.getEntriesByName('run-start').length;
  const ended = performance.getEntriesByName('run-end').length;
  window.seen = {};
  const painted = () => {
    const canvas = document.querySelector('[data-testid="timeline"]');
    const small = new OffscreenCanvas(64, 64).getContext('2d', { willReadFrequently: true });
    small.drawImage(canvas, 0, 0, 64, 64);
    const { data } = small.getImageData(0, 0, 64, 64);
    let coloured = 0;
    for (let at = 0; at < data.length; at += 4) if (Math.abs(data[at] - data[at + 2]) > 40) coloured += 1;
    return coloured > 400;
  };
  const look = () => {
    const running = performance.getEntriesByName('run-start').length > started;
    if (running && !window.seen.painted && painted()) window.seen.painted = performance.now();
    const over = performance.getEntriesByName('run-end').length > ended;
    if (over && !window.seen.ended) window.seen.ended = performance.now();
    if (!window.seen.painted || !window.seen.ended) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Opens a run from a file; gives ms until its first picture and until its end. */
async function opened(tickle, scenario) {
  const { page } = tickle;
  await page.evaluate(watch);
  const from = await page.evaluate(() => performance.now());
  const buffer = Buffer.from(JSON.stringify(scenario));
  await tickle.at('open-file').setInputFiles({ name: 'own.json', mimeType: 'application/json', buffer });
  await page.waitForFunction(() => window.seen.painted && window.seen.ended, undefined, { timeout: RUN_MS });
  await tickle.settled();
  const seen = await page.evaluate(() => window.seen);
  return [seen.painted - from, seen.ended - from];
}

/** Times between frames, in ms, while the body moves the mouse over the timeline. */
async function gaps(tickle, body) {
  await tickle.page.evaluate(() => {
    window.gaps = [];
    let last;
    const frame = (now) => {
      if (last !== undefined) window.gaps?.push(now - last);
      last = now;
      if (window.gaps) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await body();
  return tickle.page.evaluate(() => {
    const { gaps } = window;
    window.gaps = undefined;
    return gaps;
  });
}

async function zooming(tickle, x, y) {
  await tickle.page.mouse.move(x, y);
  for (let step = 0; step < STEPS; step += 1) await tickle.page.mouse.wheel(0, step < STEPS / 2 ? -100 : 100);
}

/** Pulls the timeline to and fro. */
async function panning(tickle, x, y) {
  await tickle.page.mouse.move(x, y);
  await tickle.page.mouse.down();
  for (let step = 0; step < STEPS; step += 1) {
    await tickle.page.mouse.move(x + 200 * Math.sin((step / STEPS) * 2 * Math.PI), y);
  }
  await tickle.page.mouse.up();
}

function told(name, all) {
  const figures = [0.5, 0.95, 1].map((share) => part(all, share).toFixed(1).padStart(6));
  return `${name} p50 ${figures[0]} p95 ${figures[1]} max ${figures[2]} ms`;
}

const server = await serve(resolve(dist));
for (const seconds of chosen.length > 0 ? chosen.map(Number) : SECONDS) {
  await withPage(server.address, { width: 1920, height: 1080 }, async (tickle) => {
    const [painted, ended] = await opened(tickle, crowd(seconds * 1_000));
    await tickle.page.keyboard.press('0');
    await tickle.settled();
    await tickle.pixels();
    const box = await tickle.at('timeline').boundingBox();
    const [x, y] = [box.x + box.width * 0.6, box.y + box.height / 2];
    const zooms = await gaps(tickle, () => zooming(tickle, x, y));
    for (let step = 0; step < 10; step += 1) await tickle.page.mouse.wheel(0, -100);
    await tickle.settled();
    const pans = await gaps(tickle, () => panning(tickle, x, y));
    const lines = Number((await tickle.text('lines')).replace(/\D/g, ''));
    const most = await memory();
    console.log(
      `${seconds} s, ${lines} log lines: first picture ${painted.toFixed(0)} ms, run ended ${ended.toFixed(0)} ms` +
        `${most === undefined ? '' : `, memory ${most.toFixed(0)} MB`}\n` +
        `  ${told('zoom', zooms)}\n  ${told('pan ', pans)}`,
    );
  });
  // A fresh browser each time, so that no run counts another's memory.
  await close();
}
server.close();
