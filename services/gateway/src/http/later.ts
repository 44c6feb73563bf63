import { DomainError } from '@agent-trust/contracts';

/** A route of the interface that answers 501 until it is built. */
export type LaterRoute = { method: 'GET' | 'POST' | 'DELETE'; path: string; what: string };

export const notImplemented = ({ what }: Pick<LaterRoute, 'what'>): DomainError =>
  new DomainError('not_implemented', `${what} is not implemented in this version of the service; nothing was done`);
