import { tableShape } from '../../projector/read-models/capability-taxonomy/word-table-format.ts';

export type TableRow = { stem: string; vector: Float64Array; domain: number; weight: number };

const byteMax = 127;

/** Lays rows out as `decodeTable` reads them. Vectors are brought to a length of 127, domains cut off at what a byte can hold. */
export function encodeTable(rows: readonly TableRow[]): Uint8Array {
  const { dimensions, domainScale, weightScale } = tableShape;
  const bytes = rows.flatMap(({ vector, domain, weight }) => {
    const length = Math.hypot(...vector) || 1;
    const values = Array.from({ length: dimensions }, (_, at) => Math.round(((vector[at] ?? 0) / length) * byteMax));
    return [...values, within(Math.round(domain * domainScale)), Math.round(weight * weightScale)];
  });
  const stems = new TextEncoder().encode(`${rows.map(({ stem }) => stem).join(' ')}\n`);
  return Buffer.concat([stems, Uint8Array.from(bytes, (value) => value & 0xff)]);
}

const within = (value: number): number => Math.max(-byteMax, Math.min(byteMax, value));
