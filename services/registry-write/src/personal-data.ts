import {
  agentStream,
  type ContactField,
  DomainError,
  type SealedContact,
  type SealedText,
} from '@agent-trust/contracts';
import { type KeyStore, openText, sealText } from '@agent-trust/personal-data';
import { type CommandDeps, type RunningCommand, runCommand } from './run-command.ts';
import { agentStreams } from './stream-kinds.ts';

/** The contact fields that a request names: undefined stays, null clears. */
export type NamedContact = { [Field in ContactField]?: string | null | undefined };

const fields: readonly ContactField[] = ['contactInfo', 'contactEmail'];

/**
 * Seals the named texts with the agent's key, which is created if there is none. Called after everything that can be refused, so that a
 * refused request leaves no key behind.
 */
export async function sealContact(
  keys: Pick<KeyStore, 'current'>,
  agentId: string,
  named: NamedContact,
): Promise<Partial<SealedContact>> {
  const sealed: Partial<SealedContact> = {};
  for (const field of fields) {
    const text = named[field];
    if (text === null) sealed[field] = null;
    else if (text !== undefined) sealed[field] = sealText(await keys.current(agentId), field, text);
  }
  return sealed;
}

/** A text of an agent's contact; null if there is none or its key was destroyed. */
export async function openContact(
  keys: Pick<KeyStore, 'find'>,
  field: ContactField,
  text: SealedText | null,
): Promise<string | null> {
  if (text === null) return null;
  const key = await keys.find(text.keyId);
  return key === null ? null : openText(key, field, text);
}

/** Attempts to seal a contact again after an erasure destroyed its key. */
const attemptsMax = 4;

/** The texts that a command was to write, and their sealed form in the log. */
type WrittenContact = { agentId: string; named: NamedContact; sealed: Partial<SealedContact> };

/**
 * Ensures that a contact can be opened before it is acknowledged. An erasure destroys the key first, so it may have come between sealing
 * and writing: then nobody can open the written text, and no event explains why. If the key exists after the write, any erasure comes
 * later and is meant. If it does not, either an event of the erasure follows the contact, or the contact is written again with another
 * key. Returns the log position of that, null if none was needed. Refuses with write_conflict after `attemptsMax` erasures.
 */
export async function keepContact(
  deps: CommandDeps,
  running: RunningCommand,
  written: WrittenContact,
): Promise<bigint | null> {
  const { agentId, named } = written;
  let { sealed } = written;
  let position: bigint | null = null;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const lost = await lostOf(deps, sealed);
    const fieldsLost = Object.keys(lost) as ContactField[];
    if (fieldsLost.length === 0) return position;
    const again = Object.fromEntries(fieldsLost.map((field) => [field, named[field]]));
    sealed = await sealContact(deps.contactKeys, agentId, again);
    const command = { type: 'ResealContact', agentId, lost, contact: sealed, now: running.now } as const;
    const resealed = await runCommand(deps, running, agentStreams, agentStream(agentId), command);
    if (resealed.events.length === 0) return position;
    position = resealed.position;
  }
  throw new DomainError(
    'write_conflict',
    'The contact was erased each time that it was written; nothing of it was kept. Try again.',
  );
}

/** The texts whose key is destroyed. */
const lostOf = async (
  { contactKeys }: Pick<CommandDeps, 'contactKeys'>,
  sealed: Partial<SealedContact>,
): Promise<Partial<SealedContact>> => {
  const texts = Object.entries(sealed).flatMap(([field, text]) => (text == null ? [] : [[field, text] as const]));
  if (texts.length === 0) return {};
  const standing = await contactKeys.standing([...new Set(texts.map(([, { keyId }]) => keyId))]);
  return Object.fromEntries(texts.filter(([, { keyId }]) => !standing.has(keyId)));
};
