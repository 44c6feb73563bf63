import type { FastifyReply } from 'fastify';

export type Page = { limit: number; offset: number };

/** RFC 8288 links to the next and previous page of a listing, as the Link header takes them; empty on a single page. */
export function pageLinks(address: string, page: Page & Record<string, number | string>, total: number): string {
  const { limit, offset } = page;
  const link = (to: number, relation: string): string => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...page, offset: to })) query.set(name, String(value));
    return `<${address}?${query.toString()}>; rel="${relation}"`;
  };
  return [
    ...(offset + limit < total ? [link(offset + limit, 'next')] : []),
    ...(offset > 0 ? [link(Math.max(0, Math.min(offset, total) - limit), 'prev')] : []),
  ].join(', ');
}

/** Tells how many entries a listing has in all, and, of one that comes in pages, where the next and the previous page are. */
export function setPageHeaders(
  reply: FastifyReply,
  address: string,
  page: (Page & Record<string, number | string>) | null,
  total: number,
): void {
  reply.header('x-total-count', String(total));
  const links = page === null ? '' : pageLinks(address, page, total);
  if (links !== '') reply.header('link', links);
}
