import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type shared from '@eventstore/db-client/generated/shared_pb.js';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';

const states = gossip.MemberInfo.VNodeState;

export type Member = { port: number; state: 'leader' | 'follower' | 'unknown' | 'shutting down'; isAlive: boolean };

const stateOf: Record<Member['state'], gossip.MemberInfo.VNodeState> = {
  leader: states.LEADER,
  follower: states.FOLLOWER,
  unknown: states.UNKNOWN,
  'shutting down': states.SHUTTINGDOWN,
};

export function serveGossip(members: () => Member[]) {
  return (_: ServerUnaryCall<shared.Empty, gossip.ClusterInfo>, answer: sendUnaryData<gossip.ClusterInfo>): void => {
    const info = new gossip.ClusterInfo();
    for (const { port, state, isAlive } of members()) {
      const endpoint = new gossip.EndPoint();
      endpoint.setAddress('127.0.0.1');
      endpoint.setPort(port);
      const member = new gossip.MemberInfo();
      member.setHttpEndPoint(endpoint);
      member.setState(stateOf[state]);
      member.setIsAlive(isAlive);
      info.addMembers(member);
    }
    answer(null, info);
  };
}
