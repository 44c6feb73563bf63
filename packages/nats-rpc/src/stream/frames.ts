/**
 * The messages of a stream. Each is one byte of kind, four bytes of sequence number (big endian), then a payload. Either direction counts its own
 * frames from 0, all kinds together, so that a lost, duplicated or reordered one is detected.
 *
 * opener → server:  open · data* · end, and credit, alive, cancel at any time server → opener:  (accept · head · data* · end) or whole, and credit,
 * alive, error at any time
 */
export const frameKinds = {
  open: 1,
  accept: 2,
  head: 3,
  data: 4,
  end: 5,
  /** Head, body and trailer in one frame: the common small answer. */
  whole: 6,
  error: 7,
  credit: 8,
  alive: 9,
  cancel: 10,
} as const;

export type FrameKind = keyof typeof frameKinds;
export type Frame = { kind: FrameKind; sequence: number; payload: Uint8Array };

const kindOf = new Map<number, FrameKind>(Object.entries(frameKinds).map(([name, byte]) => [byte, name as FrameKind]));
const headerBytes = 5;

/** One message; the parts are copied after the header. */
export function encodeFrame(kind: FrameKind, sequence: number, parts: readonly Uint8Array[] = []): Uint8Array {
  const frame = Buffer.allocUnsafe(headerBytes + parts.reduce((sum, part) => sum + part.length, 0));
  frame.writeUInt8(frameKinds[kind], 0);
  frame.writeUInt32BE(sequence >>> 0, 1);
  let at = headerBytes;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}

/** The frame in a message, or null if it is malformed. The payload is a view, not a copy. */
export function decodeFrame(message: Uint8Array): Frame | null {
  if (message.length < headerBytes) return null;
  const kind = kindOf.get(message[0] ?? 0);
  if (kind === undefined) return null;
  return { kind, sequence: view(message).getUint32(1), payload: message.subarray(headerBytes) };
}

/** Payload of a credit frame: bytes granted beyond those granted before. */
export function encodeCredit(bytes: number): Uint8Array {
  return uint32(bytes);
}

export function decodeCredit(payload: Uint8Array): number | null {
  return payload.length === 4 ? view(payload).getUint32(0) : null;
}

/** Payload of `open`: the opener's window, whether the request body ends here, the input's JSON, and body bytes. */
export type OpenPayload = { windowBytes: number; bodyComplete: boolean; input: Uint8Array; body: Uint8Array };

export function encodeOpen({ windowBytes, bodyComplete, input, body }: OpenPayload): Uint8Array[] {
  return [uint32(windowBytes), Uint8Array.of(bodyComplete ? 1 : 0), uint32(input.length), input, body];
}

export function decodeOpen(payload: Uint8Array): OpenPayload | null {
  if (payload.length < 9) return null;
  const fields = view(payload);
  const bodyAt = 9 + fields.getUint32(5);
  if (bodyAt > payload.length) return null;
  return {
    windowBytes: fields.getUint32(0),
    bodyComplete: payload[4] === 1,
    input: payload.subarray(9, bodyAt),
    body: payload.subarray(bodyAt),
  };
}

/** Payload of `accept`: the server's window for the request body, and its control subject for this stream. */
type AcceptPayload = { windowBytes: number; control: string };

export function encodeAccept({ windowBytes, control }: AcceptPayload): Uint8Array[] {
  return [uint32(windowBytes), Buffer.from(control, 'latin1')];
}

export function decodeAccept(payload: Uint8Array): AcceptPayload | null {
  return payload.length < 4
    ? null
    : { windowBytes: view(payload).getUint32(0), control: Buffer.from(payload.subarray(4)).toString('latin1') };
}

/** Payload of `whole`: JSON of head and trailer, and the body. */
type WholePayload = { head: Uint8Array; trailer: Uint8Array; body: Uint8Array };

export function encodeWhole({ head, trailer, body }: WholePayload): Uint8Array[] {
  return [uint32(head.length), uint32(trailer.length), head, trailer, body];
}

export function decodeWhole(payload: Uint8Array): WholePayload | null {
  if (payload.length < 8) return null;
  const fields = view(payload);
  const trailerAt = 8 + fields.getUint32(0);
  const bodyAt = trailerAt + fields.getUint32(4);
  if (bodyAt > payload.length) return null;
  return {
    head: payload.subarray(8, trailerAt),
    trailer: payload.subarray(trailerAt, bodyAt),
    body: payload.subarray(bodyAt),
  };
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const uint32 = (value: number): Uint8Array => {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
