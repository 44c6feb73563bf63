/** Wire types of Protocol Buffers that the server uses: a number, and bytes with their length. */
const varint = 0;
const lengthDelimited = 2;

/** Reads one message in place, field by field. */
export class MessageReader {
  /** Number of the field that `next` has found. */
  field = 0;
  /** Where the bytes of that field begin and end; of a number, the number itself. */
  start = 0;
  end = 0;
  readonly bytes: Buffer;
  #at: number;
  readonly #limit: number;

  constructor(bytes: Buffer, start = 0, limit = bytes.length) {
    this.bytes = bytes;
    this.#at = start;
    this.#limit = limit;
  }

  /** Goes to the next field; false at the end. @throws RangeError for a message that is not whole */
  next(): boolean {
    if (this.#at >= this.#limit) return false;
    const tag = this.#number();
    this.field = tag >> 3;
    const wireType = tag & 7;
    this.start = this.#at;
    if (wireType === varint) {
      while ((this.#byte() & 0x80) !== 0);
    } else if (wireType === lengthDelimited) {
      const length = this.#number();
      this.start = this.#at;
      this.#at += length;
    } else throw new RangeError(`a field of wire type ${wireType} in a message of EventStoreDB`);
    this.end = this.#at;
    if (this.end > this.#limit) throw new RangeError('a message of EventStoreDB ends within a field');
    return true;
  }

  /** The bytes that are left of this message. */
  get range(): { start: number; end: number } {
    return { start: this.#at, end: this.#limit };
  }

  message(): MessageReader {
    return new MessageReader(this.bytes, this.start, this.end);
  }

  text(): string {
    return this.bytes.toString('utf8', this.start, this.end);
  }

  /** An unsigned number of 64 bits. */
  bigint(): bigint {
    let value = 0;
    for (let at = this.start, unit = 1; at < this.end; at += 1, unit *= 128) {
      value += ((this.bytes[at] ?? 0) & 0x7f) * unit;
    }
    // Seven groups of seven bits are exact in a number.
    if (this.end - this.start <= 7) return BigInt(value);
    let exact = 0n;
    for (let at = this.end - 1; at >= this.start; at -= 1) exact = (exact << 7n) | BigInt((this.bytes[at] ?? 0) & 0x7f);
    return exact;
  }

  #byte(): number {
    const byte = this.bytes[this.#at];
    if (byte === undefined) throw new RangeError('a message of EventStoreDB ends within a field');
    this.#at += 1;
    return byte;
  }

  /** A tag or a length: less than 32 bits. */
  #number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
      if (shift > 21) throw new RangeError('a length in a message of EventStoreDB is too large');
    }
  }
}

/** Writes messages from their end to their beginning, so that each length is known when it is written. */
export class MessageWriter {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytesMax: number) {
    this.#bytes = Buffer.allocUnsafe(bytesMax);
    this.#at = bytesMax;
  }

  /** The end of a message whose fields are written next; give it to `finish`. */
  get mark(): number {
    return this.#at;
  }

  /** Makes a field of everything written since `mark`. */
  finish(field: number, mark: number): void {
    this.#length(mark - this.#at);
    this.#at -= 1;
    this.#bytes[this.#at] = (field << 3) | lengthDelimited;
  }

  text(field: number, text: string, bytes = Buffer.byteLength(text)): void {
    const mark = this.#at;
    this.#at -= bytes;
    this.#bytes.write(text, this.#at, bytes, 'utf8');
    this.finish(field, mark);
  }

  number(field: number, value: bigint): void {
    this.#varint(value);
    this.#at -= 1;
    this.#bytes[this.#at] = (field << 3) | varint;
  }

  result(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  #length(value: number): void {
    let groups = 1;
    for (let rest = value; rest >= 0x80; rest >>>= 7) groups += 1;
    this.#at -= groups;
    for (let at = this.#at, rest = value; groups > 0; groups -= 1, at += 1, rest >>>= 7) {
      this.#bytes[at] = groups > 1 ? (rest & 0x7f) | 0x80 : rest;
    }
  }

  #varint(value: bigint): void {
    if (value < 0x80n) return this.#length(Number(value));
    const groups: number[] = [];
    for (let rest = value; rest > 0n; rest >>= 7n) groups.push(Number(rest & 0x7fn));
    this.#at -= groups.length;
    for (const [index, group] of groups.entries()) {
      this.#bytes[this.#at + index] = index < groups.length - 1 ? group | 0x80 : group;
    }
  }
}
