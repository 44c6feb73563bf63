import { lookup } from 'node:dns/promises';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { type ClientOptions, Metadata } from '@grpc/grpc-js';
import { channelOptions, nameOf } from './node.ts';
import type { Endpoint, ServerAddress } from './connection-string.ts';

/** What one node knows of its cluster: each member's endpoint, and whether it takes it for the leader. */
type View = { members: Endpoint[]; leader: string | null };

export type FoundLeader = {
  leader: Endpoint | null;
  /** Every member that any node named: to be asked the next time, because the nodes of the address may be gone by then. */
  members: Endpoint[];
};

/**
 * Asks nodes for the leader of their cluster, all at the same time.
 *
 * A node is the leader if it says so itself: after an election, others name the former one for a while, and that one answers no gossip or says
 * what it is now. If two say so (one was paused during the election, and does not know yet), the one with more votes of the others is. The answer
 * comes as soon as it is certain, at the latest after the timeout of one node.
 */
export async function findLeader(
  address: ServerAddress,
  known: readonly Endpoint[],
  closing: AbortSignal,
): Promise<FoundLeader> {
  const views = new Map<string, View>();
  const asked = new Map<string, Endpoint>();
  const members = new Map<string, Endpoint>();
  const isCertain = Promise.withResolvers<undefined>();
  const ask = async (endpoint: Endpoint, options: ClientOptions = {}): Promise<void> => {
    const name = nameOf(endpoint);
    if (asked.has(name)) return;
    asked.set(name, endpoint);
    const view = await askNode(address, endpoint, options, closing).catch(() => null);
    if (view === null) return;
    views.set(name, view);
    for (const member of view.members) members.set(nameOf(member), member);
    const leader = leaderIn(views);
    if (leader !== null && leader.votes * 2 > members.size) isCertain.resolve(undefined);
    await Promise.all(view.members.map((member) => ask(member)));
  };
  const all = Promise.all([
    ...known.map((endpoint) => ask(endpoint)),
    ...(await endpointsOf(address)).map(({ endpoint, options }) => ask(endpoint, options)),
  ]);
  await Promise.race([all, isCertain.promise]);
  const name = leaderIn(views)?.name;
  return { leader: (name === undefined ? undefined : members.get(name)) ?? null, members: [...members.values()] };
}

/** The node that calls itself the leader, with the number of nodes that call it so. */
const leaderIn = (views: ReadonlyMap<string, View>): { name: string; votes: number } | null => {
  let best: { name: string; votes: number } | null = null;
  for (const [name, { leader }] of views) {
    if (leader !== name) continue;
    const votes = [...views.values()].filter((view) => view.leader === name).length;
    if (best === null || votes > best.votes) best = { name, votes };
  }
  return best;
};

/** A name may stand for all nodes: each of its addresses is asked, because the first one may be that of a silent node. */
const endpointsOf = async (address: ServerAddress): Promise<{ endpoint: Endpoint; options?: ClientOptions }[]> => {
  if (address.kind !== 'name') return address.endpoints.map((endpoint) => ({ endpoint }));
  const found = await Promise.all(
    address.endpoints.map(async ({ address: name, port }) => {
      const addresses = await lookup(name, { all: true }).catch(() => []);
      // The certificate is for the name.
      const options = { 'grpc.ssl_target_name_override': name, 'grpc.default_authority': `${name}:${port}` };
      return addresses.map((one) => ({ endpoint: { address: one.address, port }, options }));
    }),
  );
  return found.flat();
};

const askNode = async (
  address: ServerAddress,
  endpoint: Endpoint,
  options: ClientOptions,
  closing: AbortSignal,
): Promise<View> => {
  const client = new GossipClient(nameOf(endpoint), address.channel, { ...channelOptions(address), ...options });
  const metadata = new Metadata();
  if (address.authorization !== null) metadata.set('authorization', address.authorization);
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + address.gossipTimeoutMs;
    const cancel = (): void => call.cancel();
    const call = client.read(new shared.Empty(), metadata, { deadline }, (error, info) => {
      closing.removeEventListener('abort', cancel);
      client.close();
      if (error === null) resolve(viewOf(info));
      else reject(error);
    });
    closing.addEventListener('abort', cancel, { once: true });
  });
};

const viewOf = (info: gossip.ClusterInfo): View => {
  const members: Endpoint[] = [];
  let leader: string | null = null;
  for (const member of info.getMembersList()) {
    const endpoint = member.getHttpEndPoint();
    if (endpoint === undefined || !member.getIsAlive()) continue;
    const one = { address: endpoint.getAddress(), port: endpoint.getPort() };
    members.push(one);
    if (member.getState() === gossip.MemberInfo.VNodeState.LEADER) leader = nameOf(one);
  }
  return { members, leader };
};
