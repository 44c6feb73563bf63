import { DomainError } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import type { Gateway } from '../../gateway.ts';

/**
 * Refuses a request of a web page of another origin. Browsers name the origin of every POST, and pages cannot change it (Fetch standard, "Origin"
 * header; Fetch Metadata, Sec-Fetch-Site). Programs name none.
 * @throws DomainError browser_request_refused
 */
export function ensureOwnPage(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { authorities }: Pick<Gateway, 'authorities'>,
): void {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined || isOf(origin, host.toLowerCase(), authorities);
  if (isOwn && (site === undefined || site === 'same-origin')) return;
  throw new DomainError('browser_request_refused', "a sign-in code is redeemed by the registry's own console alone");
}

/** A reverse proxy may have replaced Host: then the origin is the one of BASE_URL. */
const isOf = (origin: string, asked: string, authorities: ReadonlySet<string>): boolean => {
  const authority = /^https?:\/\/(.+)$/u.exec(origin)?.[1];
  return authority !== undefined && (authority === asked || authorities.has(authority));
};
