import { agentStream, type ContactField, DomainError, type SealedContact } from '@agent-trust/contracts';
import type { CommandDeps } from '../command-deps.ts';
import { type RunningCommand, runCommand } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';
import { type NamedContact, sealContact } from './seal-contact.ts';

/** Times that a contact is sealed anew because an erasure destroyed its key under it. */
const attemptsMax = 4;

/** What a command wrote, or found to stand already, and the texts that it was to write. */
export type WrittenContact = { agentId: string; named: NamedContact; sealed: Partial<SealedContact> };

/**
 * Sees to it that a contact which is about to be acknowledged can be opened. An erasure destroys the key first, so it may have come between
 * sealing and writing: what was written then opens for nobody, and no event says why. Where the key is there after the write, any erasure
 * comes later and is meant. Where it is not, either an event of the erasure stands behind the contact, or the contact is written once more,
 * with another key. Answers the log position of that, or null where all was well. Refuses with write_conflict when erasures do not end.
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

/** The texts whose key is gone. */
const lostOf = async (
  { contactKeys }: Pick<CommandDeps, 'contactKeys'>,
  sealed: Partial<SealedContact>,
): Promise<Partial<SealedContact>> => {
  const texts = Object.entries(sealed).flatMap(([field, text]) => (text == null ? [] : [[field, text] as const]));
  if (texts.length === 0) return {};
  const standing = await contactKeys.standing([...new Set(texts.map(([, { keyId }]) => keyId))]);
  return Object.fromEntries(texts.filter(([, { keyId }]) => !standing.has(keyId)));
};
