import { eventIdOfCommand } from '@agent-trust/event-log';

/**
 * The id of a call's exchange: random, or for a call that may be repeated the one that its command leads to, so that every proxy which is
 * given the command finds the same exchange. It tells nothing about the command's id.
 */
export function transactionIdOf(commandId: string | null, newId: () => string): string {
  return commandId === null ? newId() : eventIdOfCommand(commandId, 'exchange', 0);
}
