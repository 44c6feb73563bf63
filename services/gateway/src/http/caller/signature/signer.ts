import { hash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type AgentIdentity, agentId, changedKeys, findSignatureKey } from '@agent-trust/contracts';
import {
  authorityOf,
  readSignature,
  type SignableRequest,
  type SignaturePolicy,
  type SignatureReading,
  publicKeyFault,
  type ReadSignature,
  type SignatureRefusalReason,
  verifySignature,
} from '@agent-trust/http-signature';
import { createBoundedMap } from '@agent-trust/limits';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../../bus/ask.ts';
import type { Identifying } from '../credentials.ts';
import { chooseKey } from '../key-directory/directory-keys.ts';
import { signatureEdgeLimits } from './nonce-store.ts';
import { type RefusalReason, signatureRefusal } from './refuse.ts';
import { signableRequest } from './signable-request.ts';

/** The signer of a request; `publicKey` is the agent's own key that verified it, or null for a key of its domain. */
export type Signer = { agent: AgentIdentity; publicKey: string | null };

/**
 * The agent that signed a request (RFC 9421), or null without a signature of the label `sig1`. Cheap checks come first and the nonce last:
 * only an otherwise valid signature uses one up, so that nobody can spend another's nonces or fill the store.
 * @throws DomainError invalid_credential, with one line in the log; unavailable, overloaded.
 */
export async function signerOf(gateway: Identifying, request: FastifyRequest): Promise<Signer | null> {
  const { headers } = request;
  if (headers['signature'] === undefined && headers['signature-input'] === undefined) return null;
  const rawBody = bodyOf(request);
  const signable = signableRequest(request, gateway.baseUrl);
  const reading = read(gateway, signable, rawBody);
  if (reading.kind === 'unsigned') return null;
  if (reading.kind === 'refused') {
    throw signatureRefusal(gateway, request, reading.reason, { subject: reading.subject });
  }
  const { signature } = reading;
  const { keyId, nonce, createdSeconds } = signature;
  // An invalid agent_id is no keyid, and may contain characters that the database refuses.
  if (!agentId.safeParse(keyId).success) throw signatureRefusal(gateway, request, 'keyid_invalid');
  if (gateway.settings.SIGNATURE_STRICT && !gateway.authorities.has(authorityOf(signable))) {
    throw signatureRefusal(gateway, request, 'authority_foreign');
  }
  const found = await findKey(gateway, request, keyId);
  if ('fault' in found) {
    const detail = found.detail === undefined ? {} : { detail: found.detail };
    throw signatureRefusal(gateway, request, found.fault, { keyId, ...detail });
  }
  const fault = await keyFault(signature, found.publicKey);
  if (fault !== null) throw signatureRefusal(gateway, request, fault, { keyId });
  const use = await gateway.nonces.use(keyId, nonce, createdSeconds);
  if (use !== 'new') throw signatureRefusal(gateway, request, use, { keyId });
  return { agent: found.identity, publicKey: found.ownKey };
}

const noBody = Buffer.alloc(0);

/** A request without a body, and one whose route ignores it, has no bytes: a digest of others is refused. */
const bodyOf = ({ rawBody, routeOptions }: FastifyRequest): Buffer => {
  if (routeOptions.config.keepsRawBody === true) return rawBody ?? noBody;
  throw new Error(`${routeOptions.url} takes signatures but does not keep its body`);
};

const read = ({ settings }: Identifying, signable: SignableRequest, rawBody: Buffer): SignatureReading =>
  readSignature(signable, {
    policy: policyOf(settings),
    nowSeconds: Math.floor(Date.now() / 1_000),
    bodySha256: hash('sha256', rawBody, 'buffer'),
  });

const policyOf = (settings: Identifying['settings']): SignaturePolicy => ({
  label: 'sig1',
  requiredComponents: [
    '@method',
    '@path',
    'content-digest',
    ...(settings.SIGNATURE_STRICT ? ['@authority', '@query'] : []),
  ],
  skewSeconds: settings.SIGNATURE_MAX_SKEW_SECONDS,
});

/** `ownKey` is the agent's `public_key`; null where `publicKey` comes from its domain. */
type FoundKey =
  | { identity: AgentIdentity; publicKey: string; ownKey: string | null }
  | { fault: RefusalReason; detail?: string };

/** The key of an agent's signatures: its own `public_key`, or else the one that its domain publishes for it. */
const findKey = async (gateway: Identifying, request: FastifyRequest, agentId: string): Promise<FoundKey> => {
  const signer = await gateway.replica.read(`signer:${agentId}`, async () => {
    const { signer: value } = await ask(gateway, request, findSignatureKey, { agentId });
    // Without a key of its own, how many agents share its domain counts, which no key of the agent announces.
    return { value, dependsOn: value === null || value.publicKey === null ? null : [changedKeys.agent(agentId)] };
  });
  if (signer === null) return { fault: 'agent_unknown' };
  const { identity, publicKey, orgDomain, domainVerified, agentsOfDomain } = signer;
  if (publicKey !== null) return { identity, publicKey, ownKey: publicKey };
  if (orgDomain === null) return { fault: 'key_absent' };
  // A directory at the domain itself shows that its owner means the agent; one elsewhere does not.
  if (gateway.keyDirectory.isElsewhere(orgDomain) && !domainVerified) return { fault: 'domain_unproved' };
  const answer = await gateway.keyDirectory.keysOf(orgDomain);
  if (!('keys' in answer)) return answer;
  const chosen = chooseKey(answer, agentId, agentsOfDomain);
  return 'fault' in chosen ? chosen : { identity, publicKey: chosen.publicKey, ownKey: null };
};

/** Keys by their text, null for an unsound one; that check costs more than to verify a signature. */
const knownKeys = createBoundedMap<string, { key: KeyObject | null }>({ countMax: signatureEdgeLimits.knownKeysMax });

const keyOf = (publicKey: string): KeyObject | null => {
  const known = knownKeys.get(publicKey);
  if (known !== undefined) return known.key;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey };
  const key = publicKeyFault(publicKey) === null ? createPublicKey({ key: jwk, format: 'jwk' }) : null;
  knownKeys.set(publicKey, { key });
  return key;
};

/**
 * Why a signature is not one of this key, or null if it is. OpenSSL checks first: it is fifteen times faster, so forgeries cost little. The
 * strict verifier decides, and only signatures that both accept are valid.
 */
async function keyFault(signature: ReadSignature, publicKey: string): Promise<SignatureRefusalReason | null> {
  const key = keyOf(publicKey);
  if (key === null) return 'unsound_key';
  const isPlausible = verify(null, Buffer.from(signature.base, 'latin1'), key, signature.signature);
  return isPlausible ? verifySignature(signature, publicKey) : 'signature_mismatch';
}
