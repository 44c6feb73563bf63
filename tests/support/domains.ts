import { adminToken, type Answer, type HeaderMap, type Org, post, stack } from './ask.ts';
import { unique } from './registry.ts';

export function freshDomain(): string {
  return `${unique('d')}.proofs.test`.toLowerCase();
}

/** Publishes a text where proofs are looked for. */
export async function publishProof(kind: 'records' | 'pages', domain: string, content: unknown): Promise<void> {
  await fetch(`${stack.domainOwnersUrl}/${kind}/${domain}`, { method: 'PUT', body: String(content) });
}

/** From now on the domain does not exist. */
export async function dropDomain(domain: string): Promise<void> {
  await fetch(`${stack.domainOwnersUrl}/${domain}`, { method: 'DELETE' });
}

/** What the organisation is to publish for a domain. */
export async function tokenFor(domain: string, key: HeaderMap): Promise<string> {
  const { status, body, text } = await post('/org/domains', { domain }, key);
  if (status !== 200) throw new Error(`POST /org/domains returned ${status}: ${text}`);
  return String(body['token']);
}

export function verifyDomain(domain: string, key: HeaderMap): Promise<Answer> {
  return post(`/org/domains/${domain}/verify`, undefined, key);
}

/** Proves a domain by a record. */
export async function proveDomain(domain: string, key: HeaderMap): Promise<void> {
  await publishProof('records', domain, await tokenFor(domain, key));
  const { status, text } = await verifyDomain(domain, key);
  if (status !== 200) throw new Error(`verify returned ${status}: ${text}`);
}

export async function vouchFor(domain: string, { name }: Pick<Org, 'name'>): Promise<void> {
  const body = { org_name: name, reason: 'the tests know it' };
  const { status, text } = await post(`/ops/domains/${domain}/vouch`, body, adminToken);
  if (status !== 200) throw new Error(`vouch returned ${status}: ${text}`);
}
