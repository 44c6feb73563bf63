import type { CallStream } from '@agent-trust/client';
import type { Output } from '../output/output.ts';
import { safeLines } from '../output/safe-text.ts';

/** The text of an event, if it has any: an A2A message or update, or a chunk of plain text. */
export function wordsOf(json: unknown): string | undefined {
  const event = json as {
    result?: { parts?: unknown; status?: { message?: { parts?: unknown } }; artifact?: { parts?: unknown } };
  } | null;
  const parts = event?.result?.parts ?? event?.result?.artifact?.parts ?? event?.result?.status?.message?.parts;
  if (!Array.isArray(parts)) return undefined;
  const words = parts.map((part: { text?: unknown } | null) => part?.text).filter((text) => typeof text === 'string');
  return words.length === 0 ? undefined : words.join(' ');
}

/**
 * Shows the events of a call as they arrive, with --json one line each. The next event is read after the last one is written, so a slow reader slows
 * the agent down. Returns the agent's status.
 */
export async function showStream(stream: CallStream, out: Output): Promise<number> {
  for await (const { id, event, data, json } of stream.events) {
    if (out.json) out.document(JSON.stringify({ id, event, data: json === undefined ? data : json }));
    else out.line(safeLines(wordsOf(json) ?? data));
  }
  out.note(`${stream.statusCode}; transaction ${stream.transactionId ?? 'unknown'}`);
  if (stream.payVia !== null) out.note(`pay via ${stream.payVia}`);
  return stream.statusCode;
}
