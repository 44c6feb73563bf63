import type { DomainProofMethod, FoundToken } from '@agent-trust/contracts';
import { OutboundError, readBytes, type SafeFetch } from '@agent-trust/safe-fetch';
import { domainProofLimits } from './limits.ts';
import type { NameServers } from './name-servers.ts';
import { namesOf, pageUrl, recordName } from './places.ts';
import { findLine } from './token.ts';

/**
 * What a look at one place has found. `absent`: it surely has no such token. `unknown`: it did not say. `detail` is for the organisation,
 * and reveals nothing of the network: no addresses.
 */
type Look = { method: DomainProofMethod; name: string; place: string } & (
  | { kind: 'found'; tokenHash: string }
  | { kind: 'absent' | 'unknown'; detail: string }
);

/** What all places have said. `goneFrom` are the methods by which the token surely is nowhere. */
export type TokenSearch = { found: FoundToken | null; goneFrom: DomainProofMethod[]; detail: string };

export type FindToken = (domain: string, tokenHashes: readonly string[]) => Promise<TokenSearch>;

/** Looks for tokens at a domain and its registrable domain, in both kinds of places, all at once. */
export function createFindToken(parts: { safeFetch: SafeFetch; nameServers: NameServers; port: number }): FindToken {
  return async (domain, tokenHashes) => {
    const looks = await Promise.all(
      namesOf(domain).flatMap((name) => [
        lookAtRecords(parts.nameServers, name, tokenHashes),
        lookAtPage(parts, name, tokenHashes),
      ]),
    );
    const hit = looks.find((look) => look.kind === 'found');
    return {
      found: hit === undefined ? null : { method: hit.method, foundAt: hit.name, tokenHash: hit.tokenHash },
      goneFrom: (['https', 'dns'] as const).filter((method) =>
        looks.every((look) => look.method !== method || look.kind === 'absent'),
      ),
      detail: looks.flatMap((look) => (look.kind === 'found' ? [] : [`${look.place}: ${look.detail}`])).join('; '),
    };
  };
}

const lookAtRecords = async (nameServers: NameServers, name: string, tokenHashes: readonly string[]): Promise<Look> => {
  const about = { method: 'dns', name, place: `TXT ${recordName(name)}` } as const;
  try {
    const texts = await nameServers.texts(recordName(name));
    if (texts === null) return { ...about, kind: 'absent', detail: 'no such record' };
    const tokenHash = findLine(texts.join('\n'), tokenHashes);
    if (tokenHash !== null) return { ...about, kind: 'found', tokenHash };
    return { ...about, kind: 'absent', detail: 'the token is not among its records' };
  } catch {
    // Whatever a name server sends is no reason to fail.
    return { ...about, kind: 'unknown', detail: 'the name servers did not answer' };
  }
};

const lookAtPage = async (
  { safeFetch, port }: { safeFetch: SafeFetch; port: number },
  name: string,
  tokenHashes: readonly string[],
): Promise<Look> => {
  const url = pageUrl(name, port);
  const about = { method: 'https', name, place: url } as const;
  try {
    const { status, body } = await safeFetch(url, {
      headers: { accept: 'text/plain', 'accept-encoding': 'identity' },
      responseBodyBytesMax: domainProofLimits.pageBytesMax,
      timeouts: { totalMs: domainProofLimits.placeTimeoutMs },
    });
    if (status !== 200) {
      body.cancel();
      // A redirect may lead anywhere, also to who is not the domain's owner.
      const detail =
        status >= 300 && status < 400 ? `status ${status}; redirects are not followed` : `status ${status}`;
      return { ...about, kind: status >= 500 || status === 429 ? 'unknown' : 'absent', detail };
    }
    const tokenHash = findLine(Buffer.from(await readBytes(body)).toString('utf8'), tokenHashes);
    if (tokenHash !== null) return { ...about, kind: 'found', tokenHash };
    return { ...about, kind: 'absent', detail: 'the page does not have the token' };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { ...about, ...failedLook(error) };
  }
};

const failedLook = ({ kind, reason }: OutboundError): { kind: 'absent' | 'unknown'; detail: string } => {
  if (kind === 'too_large')
    return { kind: 'absent', detail: `the page is larger than ${domainProofLimits.pageBytesMax} bytes` };
  if (kind === 'not_allowed') return { kind: 'absent', detail: 'the registry may not contact it' };
  if (reason === 'name_not_found' || reason === 'no_address') return { kind: 'absent', detail: 'it has no address' };
  if (reason === 'tls') return { kind: 'unknown', detail: 'its certificate is not trusted' };
  return { kind: 'unknown', detail: kind === 'timeout' ? 'no answer in time' : 'it could not be reached' };
};
