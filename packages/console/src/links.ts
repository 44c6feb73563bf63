import type { PageSettings } from './page-settings.ts';

/** W3C Trace Context: version, trace id, id of the span, flags. */
const traceparentForm = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]([0-9a-f])/u;

/** The address of an event's trace; null if none is configured, or if the trace was not recorded, so that nobody has it. */
export function traceLink({ traceUrl }: PageSettings, traceparent: unknown): string | null {
  const [, traceId = '', flags = '0'] = traceparentForm.exec(typeof traceparent === 'string' ? traceparent : '') ?? [];
  const isRecorded = Number.parseInt(flags, 16) % 2 === 1;
  return traceUrl === null || !isRecorded ? null : traceUrl.replaceAll('{trace_id}', traceId);
}

/** Agents report what they like: a path of dots would lead elsewhere at the explorer. */
const referenceForm = /^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,199}$/u;

/** The address of a transaction or an account at its chain's explorer; null if none is configured, or if it is no reference. */
export function chainLink(
  { chainExplorers }: PageSettings,
  kind: 'transaction' | 'address',
  { network, reference }: { network: string | null; reference: string | null },
): string | null {
  if (network === null || reference === null || !referenceForm.test(reference)) return null;
  const template = Object.hasOwn(chainExplorers, network) ? chainExplorers[network]?.[kind] : undefined;
  return template?.replaceAll(`{${kind}}`, encodeURIComponent(reference)) ?? null;
}
