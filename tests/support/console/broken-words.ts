import type { Page } from 'playwright-core';

/** Words in the heads of tables that are broken into pieces, as by a column that is narrower than a word; empty if there are none. */
export async function brokenWords(page: Page): Promise<string[]> {
  return (await page.evaluate(`[...document.querySelectorAll('th[scope="col"]')].flatMap((head) => {
    const text = head.firstChild;
    if (text === null || text.nodeType !== Node.TEXT_NODE) return [];
    return [...text.data.matchAll(/\\S+/gu)].flatMap(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [word] : [];
    });
  })`)) as string[];
}
