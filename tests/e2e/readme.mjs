// Takes the README's pictures of the built page: node readme.mjs DIST FOLDER

import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { close, withPage } from './lib/chromium.mjs';
import { serve } from './lib/server.mjs';

const [dist, folder] = process.argv.slice(2).map((path) => resolve(path));
if (!folder) throw new Error('from where to where? For example: node readme.mjs ../../dist ../../docs/pictures');
/** The most that a picture may weigh, in bytes. */
const BYTES_MAX = 200_000;

/** What is pictured: a name, and how one gets there from the page just opened. */
const SCENES = [
  ['stage', (tickle) => tickle.press('.')],
  ['ab', partingOfTwo],
];

/** Two runs beside each other, at the record where they part. */
async function partingOfTwo(tickle) {
  await tickle.page.keyboard.press('a');
  await tickle.at('go-parting').waitFor();
  await tickle.settled();
  await tickle.steps(() => tickle.page.keyboard.press('d'));
}

await mkdir(folder, { recursive: true });
const server = await serve(dist);
try {
  for (const [scene, act] of SCENES) {
    await withPage(server.address, { width: 1200, height: 780 }, async (tickle) => {
      await act(tickle);
      await tickle.pixels();
      const path = join(folder, `${scene}.png`);
      await tickle.page.screenshot({ path });
      const { size } = await stat(path);
      if (size > BYTES_MAX) throw new Error(`${path} has ${size} bytes, at most ${BYTES_MAX}`);
      console.log(`${path}: ${size} bytes`);
    });
  }
} finally {
  await close();
  server.close();
}
