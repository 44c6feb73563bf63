import { faultAt } from '@agent-trust/contracts';

/**
 * A stranger must leave a way to prove later that the agent is theirs. Refuses with `contact_required`.
 * The public key has been found sound before.
 */
export function ensureContactOrPublicKey(hasContactEmail: boolean, publicKey: string | null): void {
  if (!hasContactEmail && publicKey === null) {
    throw faultAt(
      'contact_required',
      ['body', 'contact_email'],
      'contact_email or public_key is required without an organisation key or the admin credential',
    );
  }
}
