import { DomainError } from '@agent-trust/contracts';
import { signatureRefusals, type SignatureRefusalReason } from '@agent-trust/http-signature';
import type { FastifyRequest } from 'fastify';
import { sha256Hex } from '../../../credentials/keys.ts';
import type { DirectoryFault } from '../key-directory/key-directory.ts';
import type { KeyChoice } from '../key-directory/directory-keys.ts';
import type { Identifying } from '../credentials.ts';

/** Reasons that only the gateway can find: no key fits the keyid, or the request is for another server. */
type EdgeReason =
  | 'agent_unknown'
  | 'key_absent'
  | 'domain_unproved'
  | 'authority_foreign'
  | 'nonce_reused'
  | 'nonce_unknown'
  | 'credentials_disagree'
  | DirectoryFault
  | Extract<KeyChoice, { fault: string }>['fault'];
export type RefusalReason = SignatureRefusalReason | EdgeReason;

/** Reasons that clients get; every other one is `unverified`. */
const tellable: Partial<Record<EdgeReason, string>> = {
  authority_foreign: 'the Host of the request is none of this registry',
  nonce_reused: 'the nonce was used before: make a new one for every request',
  nonce_unknown:
    'it was created before the registry was restarted, which cannot tell any more whether it was used: sign the request again',
  credentials_disagree: 'the signature and the bearer key are those of different agents',
};

/** One text for all faults of keys, so that nobody can find out which agents have a key, and where it is. */
const unverified = 'no key that the registry knows for its keyid verifies it over the request as it arrived';
const aboutKeys: ReadonlySet<RefusalReason> = new Set<RefusalReason>(['signature_mismatch', 'unsound_key']);

/** Logs why a signature was refused, and makes the refusal. The client gets only what it can see in its own request. */
export function signatureRefusal(
  { logger }: Pick<Identifying, 'logger'>,
  request: FastifyRequest,
  reason: RefusalReason,
  about: { keyId?: string; subject?: string | null; detail?: string } = {},
): DomainError {
  logger.warn(
    {
      reason,
      route: request.routeOptions.url,
      request_id: request.id,
      ...keyIdForLog(reason, about.keyId),
      ...subjectForLog(about.subject),
      ...(about.detail === undefined ? {} : { detail: about.detail }),
    },
    'signature refused',
  );
  return new DomainError('invalid_credential', `the signature is not valid: ${sentenceFor(reason)}`);
}

/** An unknown keyid may be anything, even a misplaced secret: the log gets its hash. */
const keyIdForLog = (reason: RefusalReason, keyId: string | undefined): Record<string, string> => {
  if (keyId === undefined) return {};
  return reason === 'agent_unknown' ? { keyid_sha256: sha256Hex(keyId) } : { keyid: keyId };
};

/** The name of a component or label if it looks like one; clients can send any text. */
const subjectForLog = (subject: string | null | undefined): Record<string, string> => {
  const name = /^"?([@a-z0-9-]{1,64})(?:"|$)/u.exec(subject ?? '')?.[1];
  return name === undefined ? {} : { subject: name };
};

const sentenceFor = (reason: RefusalReason): string => {
  if (aboutKeys.has(reason)) return unverified;
  if (Object.hasOwn(signatureRefusals, reason)) return signatureRefusals[reason as SignatureRefusalReason];
  return tellable[reason as EdgeReason] ?? unverified;
};
