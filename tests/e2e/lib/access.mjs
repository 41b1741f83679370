// What keeps people from a page: findings of axe, small texts, scrolling sideways.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The serious findings of axe in a page or frame. */
export async function findings({ page }) {
  await page.evaluate(await readFile(AXE, 'utf8'));
  const { violations } = await page.evaluate(() => axe.run());
  return violations
    .filter((one) => ['serious', 'critical'].includes(one.impact))
    .map((one) => `${one.id} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 160)}`);
}

/** The first texts that are smaller than `least` pixels. */
export const smaller = (tickle, least) =>
  tickle.page.evaluate((least) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent.trim();
      const size = parseFloat(getComputedStyle(parent).fontSize);
      if (text !== '' && parent.checkVisibility() && size < least) found.push(`${text} (${size} px)`);
    }
    return found.slice(0, 5);
  }, least);

/** Whether nothing is wider than the screen. */
export const fits = (tickle) =>
  tickle.page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth <= clientWidth;
  });
