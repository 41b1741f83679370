// Drives the built page from outside, in real browsers: node run.mjs DIST [GROUP…]
// Ends with `N passed, N failed`.

import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { close } from './lib/chromium.mjs';
import { serve } from './lib/server.mjs';
import { run } from './lib/suite.mjs';

const [folder, ...groups] = process.argv.slice(2);
if (!folder) throw new Error('which folder? For example: node run.mjs ../../dist');
const server = await serve(resolve(folder));
const CASES = [
  'opening',
  'stepping',
  'history',
  'links',
  'presets',
  'files',
  'editor',
  'keys',
  'timeline',
  'pointer',
  'rows',
  'magnifier',
  'phone',
  'ab',
  'talk',
  'access',
  'failures',
  'policy',
  'offline',
  'pictures',
  'charts',
  'lanes',
  'firefox',
];
const there = (await readdir(new URL('cases/', import.meta.url))).map((file) => file.replace('.mjs', ''));
const forgotten = there.filter((name) => !CASES.includes(name));
if (forgotten.length > 0) throw new Error(`nobody runs ${forgotten.join(', ')}`);
for (const name of CASES) {
  const { tests } = await import(`./cases/${name}.mjs`);
  tests(server.address, resolve(folder));
}
const failed = await run(groups);
await close();
server.close();
process.exitCode = failed === 0 ? 0 : 1;
