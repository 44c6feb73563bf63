/** The part of a query that selects the page. */
export type PageQuery = { limit?: number; offset?: number };

/** Where the next page starts, or null after the last one. */
export type NextPage<Query> = Query | null;

/** The query of the next page, from a Link header (RFC 8288). Its address is ignored: pages are requested from the base URL only. */
export function nextPageOf<Query extends PageQuery>(query: Query, link: string | null): NextPage<Query> {
  const target = /<([^<>]*)>\s*;[^<>,]*\brel="?next"?/u.exec(link ?? '')?.[1];
  if (target === undefined || !URL.canParse(target, 'http://registry.invalid')) return null;
  const named = new URL(target, 'http://registry.invalid').searchParams;
  const limit = wholeNumber(named.get('limit'));
  const offset = wholeNumber(named.get('offset'));
  // A page that does not lie after this one would be requested forever.
  if (offset === null || offset <= (query.offset ?? 0)) return null;
  return { ...query, offset, ...(limit === null ? {} : { limit }) };
}

/** X-Total-Count, if the answer has it. */
export function totalOf(headers: Headers): number | null {
  return wholeNumber(headers.get('x-total-count'));
}

/** Every item of all pages, one page at a time: the next one is requested when it is needed. */
export async function* everyItem<Query extends PageQuery, Item>(
  query: Query,
  page: (query: Query) => Promise<{ items: readonly Item[]; next: NextPage<Query> }>,
): AsyncGenerator<Item, void, undefined> {
  for (let wanted: NextPage<Query> = query; wanted !== null; ) {
    const { items, next }: { items: readonly Item[]; next: NextPage<Query> } = await page(wanted);
    yield* items;
    wanted = next;
  }
}

const wholeNumber = (text: string | null): number | null =>
  text !== null && /^\d{1,15}$/u.test(text) ? Number(text) : null;
