import type { Answer } from './ask.ts';

/**
 * Every page of a list. Starts again if the list got shorter meanwhile, which may have moved agents to pages already read: other tests use
 * the registry at the same time.
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
