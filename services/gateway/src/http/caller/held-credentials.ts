import type { CredentialKind } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';

const held = new WeakMap<FastifyRequest, Set<CredentialKind>>();

/** Remembers that a request carried a credential of this kind, which was checked and is good. */
export function noteCredential(request: FastifyRequest, kind: CredentialKind): void {
  const kinds = held.get(request) ?? new Set();
  held.set(request, kinds.add(kind));
}

/** The kinds of good credentials that a request carried, as they go into the metadata of the events that it causes. */
export function heldCredentials(request: FastifyRequest): CredentialKind[] {
  return [...(held.get(request) ?? [])];
}
