// Sizes and times of the built page, printed and never judged: node figures.mjs DIST

import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { close, withPage } from './lib/chromium.mjs';
import { small } from './lib/scenarios.mjs';
import { serve } from './lib/server.mjs';

const ROUNDS = 5;
const [dist] = process.argv.slice(2).map((path) => resolve(path));
if (!dist) throw new Error('which folder? For example: node figures.mjs ../../dist');
const say = (what, value) => console.log(`${what.padEnd(44)} ${value}`);
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const part = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];

async function sizes() {
  let [raw, gzip] = [0, 0];
  for (const name of (await readdir(dist)).sort()) {
    const bytes = await readFile(join(dist, name));
    const packed = gzipSync(bytes, { level: 9 }).length;
    [raw, gzip] = [raw + bytes.length, gzip + packed];
    if (name.endsWith('.wasm')) say(name.replace(/-[0-9a-f]{16}/, ''), `${bytes.length} B, ${packed} B gzipped`);
  }
  say('all files', `${raw} B, ${gzip} B gzipped`);
}

/** Time from the start of loading until the timeline shows something, and until its run has ended. */
async function firstPicture(address) {
  return withPage(address, { open: false }, async (tickle) => {
    await tickle.page.addInitScript(() => {
      const look = () => {
        const canvas = document.querySelector('[data-testid="timeline"]');
        const digest = document.querySelector('[data-testid="digest"]');
        if (digest && !window.endedAt) window.endedAt = performance.now();
        if (canvas?.width > 0 && document.querySelector('[data-testid="twin"] tbody tr') && !window.drawnAt) {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          if (new Set(new Uint32Array(data.buffer)).size > 8) window.drawnAt = performance.now();
        }
        if (!window.endedAt || !window.drawnAt) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await tickle.open('');
    await tickle.page.waitForFunction(() => window.drawnAt !== undefined);
    return tickle.page.evaluate(() => [window.drawnAt, window.endedAt]);
  });
}

const runEnds = (tickle) =>
  tickle.page.evaluate(() => performance.getEntriesByName('run-end').length);

/** Log lines a second in the worker, for one run. */
async function speed(address, open) {
  return withPage(address, {}, async (tickle) => {
    const before = await runEnds(tickle);
    await open(tickle);
    await tickle.page.waitForFunction(
      (before) => performance.getEntriesByName('run-end').length > before,
      before,
    );
    await tickle.settled();
    const lines = Number((await tickle.text('lines')).replace(/\D/g, ''));
    const ms = await tickle.page.evaluate(() => {
      const last = (name) => performance.getEntriesByName(name).at(-1).startTime;
      return last('run-end') - last('run-start');
    });
    return { lines, ms };
  });
}

const file = (scenario) => ({
  name: 'own.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(scenario)),
});

const server = await serve(dist);
await sizes();
const firsts = [];
for (let round = 0; round < ROUNDS; round += 1) firsts.push(await firstPicture(server.address));
for (const [index, what] of ['first picture', 'run of the default ended'].entries()) {
  const times = firsts.map((times) => times[index]);
  say(`${what}, median of ${ROUNDS}`, `${part(times, 0.5).toFixed(0)} ms (worst ${Math.max(...times).toFixed(0)})`);
}
const seed = await speed(server.address, (tickle) => tickle.at('scenario').selectOption('5'));
const large = small({ pcpus: 64, vcpus: 256, ms: 2_000 });
const wide = await speed(server.address, (tickle) => tickle.at('open-file').setInputFiles(file(large)));
for (const [what, { lines, ms }] of [
  ['16 pCPUs, 10 VMs, recorded in the worker', seed],
  ['64 pCPUs, 256 vCPUs, recorded in the worker', wide],
]) {
  say(what, `${lines} log lines in ${ms.toFixed(0)} ms: ${Math.round((lines * 1000) / ms)} a second`);
}
await close();
server.close();
