import { UnexpectedAnswerError } from '../errors.ts';
import { answerInfo } from '../http/read-json.ts';
import type { Operation, Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import { everyItem, type NextPage, nextPageOf, type PageQuery, totalOf } from '../pages.ts';
import { get } from './ask.ts';

/** One page of a list; the list's items have a name of their own. */
export type PageOf<Name extends string, Query, Item> = { [Own in Name]: Item[] } & {
  /** Number of items in all pages. */
  total: number | null;
  /** The query of the next page; null after the last one. */
  next: NextPage<Query>;
};

/** An answer that has a page of a list among its fields, with what its headers say of the pages. */
export async function getWithPage<Body extends object, Query extends PageQuery>(
  transport: Transport,
  operation: Pick<Operation, 'path' | 'name' | 'credentials'>,
  query: Query,
  options: RequestOptions,
): Promise<{ body: Body; total: number | null; next: NextPage<Query> }> {
  const body = await get<Body>(transport, { ...operation, query }, options);
  const headers = answerInfo(body)?.headers ?? new Headers();
  return { body, total: totalOf(headers), next: nextPageOf(query, headers.get('link')) };
}

/** A list that can be read one page at a time, or page by page to its end. */
export type Listing<Name extends string, Query, Item> = {
  page: (query?: Query, options?: RequestOptions) => Promise<PageOf<Name, Query, Item>>;
  each: (query?: Query, options?: RequestOptions) => AsyncGenerator<Item, void, undefined>;
};

/** @param name what the items of a page are called. */
export function listing<Name extends string, Query extends PageQuery, Item>(
  transport: Transport,
  name: Name,
  operation: Pick<Operation, 'path' | 'name' | 'credentials'>,
): Listing<Name, Query, Item> {
  const ask = async (query: Query, options: RequestOptions) => {
    const items = await get<Item[]>(transport, { ...operation, query }, options);
    const info = answerInfo(items);
    if (!Array.isArray(items) && info !== undefined)
      throw new UnexpectedAnswerError(info.operation, 'answered with no list', info);
    const headers = info?.headers ?? new Headers();
    return { items, total: totalOf(headers), next: nextPageOf(query, headers.get('link')) };
  };
  return {
    page: async (query = {} as Query, options = {}) => {
      const { items, total, next } = await ask(query, options);
      return { [name]: items, total, next } as PageOf<Name, Query, Item>;
    },
    each: (query = {} as Query, options = {}) => everyItem(query, (wanted) => ask(wanted, options)),
  };
}
