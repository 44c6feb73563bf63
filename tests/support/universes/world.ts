import { randomInt } from 'node:crypto';
import {
  adminToken,
  type Body,
  call,
  createOrg,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
  review,
} from '../ask.ts';
import type { RecordingAgent } from '../recording-agent.ts';
import { textMessage } from '../registry.ts';

/** Where an agent lives: production, or the sandbox of one of two organisations. */
export type Place = 'production' | 'sandbox of A' | 'sandbox of B';
export type Owner = 'A' | 'B' | null;

/** An agent that any of its fields identifies. */
export type Resident = Member & {
  name: string;
  place: Place;
  owner: Owner;
  /** Appears in every field of the agent. */
  mark: string;
  /** Appears in the agent_id alone, which an owner or a rating may show although the rest is hidden. */
  idMark: string;
  capability: string;
  /** A name so similar to the capability that the registry asks which one is meant; it does not contain the capability's name. */
  closeName: string;
  orgDomain: string | null;
};

const letters = (count: number): string =>
  Array.from({ length: count }, () => String.fromCodePoint(97 + randomInt(26))).join('');

/** A fresh id of the same length as the residents' ids, so that answers about either have the same length. */
export function freshId(): string {
  return `${letters(14)}-agent`;
}

const world = { A: {} as Org, B: {} as Org, residents: {} as Record<string, Resident> };
export type World = typeof world;

/** The fields of a resident, with its mark in each one that an answer could show. */
const markedFields = (mark: string, endpoint: RecordingAgent): Body => ({
  endpoint_url: endpoint.url,
  specialty: `${mark} specialty`,
  contact_info: `${mark} contact`,
  protocol: `${mark}-protocol`,
  accepted_terms_format: `${mark} terms`,
  settlement_rail: ['x402', `${mark}-rail`],
  price_schedule: [{ task: `${mark} task`, price: 3 }],
  payment_network: `${mark}-net`,
  payment_pay_to: `${mark}-payee`,
  payment_asset: `${mark}-asset`,
  payload_schema: { currency: `${mark}-currency` },
  signup_help: `${mark} help`,
  auth_header_name: `x-${mark}`,
  accepted_content_types: ['text/plain', `text/${mark}`],
});

type Settled = { place: Place; owner: Owner; key: HeaderMap; fields?: Body };

const settle = async (name: string, endpoint: RecordingAgent, { place, owner, key, fields }: Settled) => {
  const [mark, idMark] = [letters(14), letters(14)];
  const capability = `${mark}_${letters(10)}`;
  // One letter in the middle of the mark differs, so the submitted name does not contain the mark.
  const closeName = capability.replace(mark, `${mark.slice(0, 7)}${mark[7] === 'q' ? 'z' : 'q'}${mark.slice(8)}`);
  // With the id, because a rating shows the domain of its reviewer.
  const orgDomain = owner === null ? null : `${idMark}.example`;
  const agentId = `${idMark}-agent`;
  const member = await join(key, {
    agent_id: agentId,
    ...markedFields(mark, endpoint),
    capabilities: [{ name: capability, weight: 3 }],
    ...(orgDomain === null ? {} : { org_domain: orgDomain }),
    ...fields,
  });
  world.residents[name] = { ...member, name, place, owner, mark, idMark, capability, closeName, orgDomain };
  return world.residents[name];
};

const exchange = async (from: Member, to: Member): Promise<void> => {
  const called = await call(from, to.agentId, textMessage('x'));
  const reviewed = await review(from, to.agentId, { score: 8 });
  if (called.status !== 200 || reviewed.status !== 200) throw new Error(`${called.text} ${reviewed.text}`);
};

const move = async (path: 'publish' | 'withdraw', resident: Resident, org: Org, place: Place): Promise<void> => {
  const moved = await post(`/sandbox/${path}`, { agent_id: resident.agentId }, org.sandboxKey);
  if (moved.status !== 200) throw new Error(`${path} returned ${moved.status}: ${moved.text}`);
  resident.place = place;
};

/**
 * Two organisations, their sandboxes and production, with agents of each kind: registered there, published, withdrawn, cloned; with ratings
 * given and received before and after a move, and with aliases learned in a sandbox.
 */
export async function buildWorld(endpoint: RecordingAgent): Promise<World> {
  const [A, B] = [await createOrg(), await createOrg()];
  Object.assign(world, { A, B });
  const at = {
    production: { place: 'production', owner: null, key: {} },
    'live of A': { place: 'production', owner: 'A', key: A.key },
    'live of B': { place: 'production', owner: 'B', key: B.key },
    'draft of A': { place: 'sandbox of A', owner: 'A', key: A.sandboxKey },
    'draft of B': { place: 'sandbox of B', owner: 'B', key: B.sandboxKey },
  } as const satisfies Record<string, Settled>;

  await settle('independent', endpoint, { ...at.production, fields: { contact_email: 'o@agent.example' } });
  await settle('vouched for by the admin', endpoint, { ...at.production, key: adminToken });
  const liveA = await settle('live of A', endpoint, at['live of A']);
  const liveB = await settle('live of B', endpoint, at['live of B']);
  const draftA = await settle('draft of A', endpoint, at['draft of A']);
  const callerA = await settle('caller of A', endpoint, at['draft of A']);
  await settle('draft of B', endpoint, at['draft of B']);
  await settle('unreachable draft of A', endpoint, { ...at['draft of A'], fields: { endpoint_url: null } });

  const paired = await settle('paired live of A', endpoint, at['live of A']);
  await settle('clone of A', endpoint, { ...at['draft of A'], fields: { clone_from_agent_id: paired.agentId } });

  const published = await settle('published by A', endpoint, at['draft of A']);
  const withdrawn = await settle('withdrawn by A', endpoint, at['live of A']);
  await exchange(callerA, draftA);
  await exchange(callerA, published);
  await exchange(liveB, withdrawn);
  await exchange(withdrawn, liveB);
  await exchange(liveB, liveA);
  await move('publish', published, A, 'production');
  await move('withdraw', withdrawn, A, 'sandbox of A');
  await exchange(callerA, withdrawn);
  return world;
}
