// Takes pictures of the built page: node shots.mjs DIST FOLDER

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { close, withPage } from './lib/chromium.mjs';
import { serve } from './lib/server.mjs';

const [dist, folder] = process.argv.slice(2).map((path) => resolve(path));
if (!folder) throw new Error('from where to where? For example: node shots.mjs ../../dist ../../shots');

/** What is pictured, one after the other: a name, and how one gets there from the one before. */
const SCENES = [
  ['opening', async () => {}],
  ['step', (tickle) => tickle.press('.')],
  ['flipped', (tickle) => tickle.flip('tickle_prefer_idlers')],
  [
    'seed-step',
    async (tickle) => {
      await tickle.preset(5);
      await tickle.press('.');
    },
  ],
  ['seed-whole', (tickle) => tickle.zooms(() => tickle.page.keyboard.press('0'))],
];
const SIZES = [
  [1440, 900],
  [1280, 720],
  [390, 844],
];

await mkdir(folder, { recursive: true });
const server = await serve(dist);
for (const scheme of ['light', 'dark']) {
  for (const [width, height] of SIZES) {
    await withPage(server.address, { scheme, width, height }, async (tickle) => {
      for (const [scene, act] of SCENES) {
        await act(tickle);
        await tickle.pixels();
        const path = join(folder, `${width}x${height}-${scheme}-${scene}.png`);
        await tickle.page.screenshot({ path });
        console.log(path);
      }
    });
  }
}
await close();
server.close();
