import { agentId as agentIdSchema, DomainError, redeemClaim as redeem, redeemClaimRoute } from '@agent-trust/contracts';
import { RpcRefusedError } from '@agent-trust/nats-rpc';
import { command } from '../../bus/ask.ts';
import { issuedAnyway } from '../../bus/may-have-happened.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { agentIdOfClaimToken } from '../../credentials/claim-token.ts';
import { sha256Hex, mintKey } from '../../credentials/keys.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const redeemClaim: Endpoint = endpoint(redeemClaimRoute, async ({ query, request }, gateway) => {
  const agentId = agentIdOfClaimToken(query.token);
  // A forged token can name what no agent may be called, U+0000 included.
  if (agentId === null || !agentIdSchema.safeParse(agentId).success) throw invalidToken();
  const agentKey = mintKey('agent');
  const { position } = await command(gateway, request, redeem, {
    agentId,
    claimTokenHash: sha256Hex(query.token),
    newKeyHash: sha256Hex(agentKey),
    actor: { kind: 'anonymous', id: null, credentials: ['claim_token'] },
  })
    .catch((error: unknown) => {
      const isInvalid = error instanceof RpcRefusedError && error.code === 'invalid_claim_token';
      throw isInvalid ? invalidToken() : error;
    })
    .catch(
      issuedAnyway(
        { agent_key: agentKey },
        "it is not known whether this is the agent's key now: if not, the link still works",
      ),
    );
  const rotated = { agent_id: agentId, status: 'rotated', agent_key: agentKey, claim_link: null };
  // Until then some gateway may still accept the old key.
  await untilReadable(gateway, request, position, rotated);
  return rotated;
});

/** One text for malformed, unknown, used and expired tokens: which it is would help nobody but a guesser. */
const invalidToken = (): DomainError =>
  new DomainError('invalid_claim_token', 'the claim token is invalid or was used already');
