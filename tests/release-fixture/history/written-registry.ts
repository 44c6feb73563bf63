import type { Stack } from '@agent-trust/dev-stack';
import { type Answer, bearer, type Body, type HeaderMap, orgKey, sendTo } from '../../support/registry.ts';

/** The credentials that the registry has handed out, by a name of their own, as headers. */
export type Credentials = Record<string, HeaderMap>;
/** What holds of a fixture besides its data: who may do what with it, and what is in it. */
export type Known = {
  credentials: Credentials;
  /** Paths of claim links that nobody has redeemed. */
  unclaimed: Record<string, string>;
  /** Texts that are stored encrypted, by agent. */
  contacts: Record<string, string>;
  organisations: string[];
  agents: Record<string, { readableBy: string }>;
  /** Exchanges with a review, and the one that is `unreviewed`. */
  exchanges: Record<string, { transactionId: string; agentId: string; readableBy: string }>;
  webhooks: Record<string, { webhookId: string; secret: string; url: string }>;
  domains: Record<string, string>;
};

export const anybody = 'anybody';
export const operator = 'operator';
/** The exchange whose caller has not reviewed it yet. */
export const unreviewed = 'unreviewed';
export const keyOf = (org: string): string => `production key of ${org}`;
export const sandboxKeyOf = (org: string): string => `sandbox key of ${org}`;
export const agentKeyOf = (agentId: string): string => `key of ${agentId}`;

/** A running registry whose data become a fixture. Requests that do not end as they should end the making. */
export type WrittenRegistry = ReturnType<typeof writtenRegistry>;

export function writtenRegistry(stack: Pick<Stack, 'url' | 'adminKey' | 'adminToken'>) {
  const known: Known = {
    credentials: { [anybody]: {}, [operator]: bearer(stack.adminToken) },
    unclaimed: {},
    contacts: {},
    organisations: [],
    agents: {},
    exchanges: {},
    webhooks: {},
    domains: {},
  };
  const headersOf = (by: string): HeaderMap => {
    const headers = known.credentials[by];
    if (headers === undefined) throw new Error(`no credential is called ${by}`);
    return headers;
  };
  const send = (by: string, method: string, path: string, body?: unknown, headers: HeaderMap = {}): Promise<Answer> =>
    sendTo(stack.url, method, path, { body, headers: { ...headersOf(by), ...headers } });
  /** The body of a success. */
  const must = async (...request: Parameters<typeof send>): Promise<Body> => {
    const answer = await send(...request);
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${request[1]} ${request[2]} by ${request[0]} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const post = (by: string, path: string, body: unknown): Promise<Body> => must(by, 'POST', path, body);

  const keepKeys = (org: string, body: Body): void => {
    const { api_key: production, sandbox_api_key: sandbox } = body;
    if (typeof production === 'string') known.credentials[keyOf(org)] = orgKey(production);
    if (typeof sandbox === 'string') known.credentials[sandboxKeyOf(org)] = orgKey(sandbox);
  };
  return {
    known,
    send,
    must,
    post,
    keepKeys,
    createOrganisation: async (org: string): Promise<void> => {
      const request = { org_name: org, contact_email: `ops@${org}.example` };
      const body = await must(anybody, 'POST', '/org/create-key', request, { 'x-admin-key': stack.adminKey });
      known.organisations.push(org);
      keepKeys(org, body);
    },
    /** Registers an agent and redeems its claim link, unless it is to stay `unclaimed`. */
    register: async (by: string, agentId: string, fields: Body = {}, { claims = true } = {}): Promise<void> => {
      const body = await post(by, '/register', { agent_id: agentId, ...fields });
      known.agents[agentId] = { readableBy: by };
      const contact = fields['contact_info'];
      if (typeof contact === 'string') known.contacts[agentId] = contact;
      const { pathname, search } = new URL(String(body['claim_link']));
      if (!claims) {
        known.unclaimed[agentId] = `${pathname}${search}`;
        return;
      }
      const claimed = await must(anybody, 'GET', `${pathname}${search}`);
      known.credentials[agentKeyOf(agentId)] = bearer(String(claimed['agent_key']));
    },
  };
}
