import type { Answer } from './ask.ts';

/**
 * Every page of a list. Begins anew if the list got shorter meanwhile, which would have moved agents to pages that are read already: other
 * tests use the registry, too.
 */
export async function pagesOf(get: (path: string) => Promise<Answer>, path: string, limit: number): Promise<Answer[]> {
  let pages: Answer[] = [];
  let totalBefore = 0;
  for (;;) {
    const page = await get(`${path}?limit=${limit}&offset=${pages.length * limit}`);
    const total = Number(page.headers.get('x-total-count') ?? 0);
    if (total < totalBefore) pages = [];
    else pages.push(page);
    totalBefore = total;
    if (pages.length * limit >= total) return pages;
  }
}
