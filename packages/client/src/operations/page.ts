import { UnexpectedAnswerError } from '../errors.ts';
import { answerInfo } from '../http/read-json.ts';
import type { Operation, Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import { type NextPage, nextPageOf, type PageQuery, totalOf } from '../pages.ts';
import { ask } from './ask.ts';

export type Page<Query, Item> = { items: Item[]; total: number | null; next: NextPage<Query> };

/** Asks for one page of a listing. */
export async function askPage<Query extends PageQuery, Item>(
  transport: Transport,
  operation: Pick<Operation, 'path' | 'credentials'>,
  query: Query,
  options: RequestOptions,
): Promise<Page<Query, Item>> {
  const items = await ask<Item[]>(transport, { ...operation, method: 'GET', query, repeat: 'always' }, options);
  const info = answerInfo(items);
  if (!Array.isArray(items) && info !== undefined)
    throw new UnexpectedAnswerError(info.operation, 'answered with no list', info);
  const headers = info?.headers ?? new Headers();
  return { items, total: totalOf(headers), next: nextPageOf(query, headers.get('link')) };
}
