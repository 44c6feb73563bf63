import type { AnyTable, ColumnType } from '../table.ts';

type Row = Readonly<Record<string, unknown>>;

/** A chunk costs more than a row. */
const chunkBytes = 64 * 1024;
const bytesPerCodeUnitMax = 3;
/** More than any value without a text has. */
const valueBytesMax = 64;

/** Without flags and without an extension. */
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const trailer = Buffer.from([0xff, 0xff]);

const nullLength = -1;
const textOid = 25;
const jsonbVersion = 1;
/** Timestamps count microseconds from here. */
const epochMs = Date.UTC(2000, 0, 1);

/**
 * Rows of one table as the input of a COPY, outside the heap of V8: as objects or as text they would live there just long enough to be copied by
 * several collections of young objects. The binary format costs the database, and this process, less than text.
 *
 * @see https://www.postgresql.org/docs/current/sql-copy.html "Binary Format"
 */
export class CopiedRows {
  readonly #columns: readonly { property: string; type: ColumnType }[];
  #full: Buffer[] = [];
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #at = 0;

  constructor(table: AnyTable) {
    this.#columns = Object.entries(table.columns).map(([property, type]) => ({ property, type }));
  }

  /** @throws RangeError for a number or time that its column cannot have */
  add(row: Row): void {
    this.#reserve(valueBytesMax);
    this.#view.setInt16(this.#at, this.#columns.length);
    this.#at += 2;
    for (const { property, type } of this.#columns) {
      const value = row[property];
      if (value === null || value === undefined) {
        this.#reserve(valueBytesMax);
        this.#int32(nullLength);
      } else this.#add(type, value);
    }
  }

  /** The rows that were added since the last call, in chunks: the input of one COPY, if there are any. */
  take(): Buffer[] {
    this.#endChunk();
    const full = this.#full;
    this.#full = [];
    return full.length === 0 ? [] : [header, ...full, trailer];
  }

  #add(type: ColumnType, value: unknown): void {
    switch (type) {
      case 'text':
        this.#text(value as string);
        return;
      case 'jsonb':
        this.#text(JSON.stringify(value), jsonbVersion);
        return;
      case 'text[]':
        this.#texts(value as readonly (string | null)[]);
        return;
      default:
        this.#reserve(valueBytesMax);
        this.#fixed(type, value);
    }
  }

  #fixed(type: Exclude<ColumnType, 'text' | 'jsonb' | 'text[]'>, value: unknown): void {
    switch (type) {
      case 'integer':
        if (value !== ((value as number) | 0)) throw new RangeError(`${String(value)} is not an integer of 32 bits`);
        this.#int32(4);
        this.#int32(value);
        return;
      case 'double precision':
        this.#int32(8);
        this.#view.setFloat64(this.#at, value as number);
        this.#at += 8;
        return;
      case 'boolean':
        this.#int32(1);
        this.#view.setInt8(this.#at, value === true ? 1 : 0);
        this.#at += 1;
        return;
      case 'bigint':
        this.#int64(BigInt(value as bigint));
        return;
      case 'timestamptz':
        this.#int64(microsOf(value as Date));
        return;
      default:
        return type satisfies never;
    }
  }

  #int32(value: number): void {
    this.#view.setInt32(this.#at, value);
    this.#at += 4;
  }

  #int64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${value} has more than 64 bits`);
    this.#int32(8);
    this.#view.setBigInt64(this.#at, value);
    this.#at += 8;
  }

  /** @param version a byte in front of the text */
  #text(text: string, version: number | null = null): void {
    const bytesMax = text.length * bytesPerCodeUnitMax;
    if (bytesMax > chunkBytes) {
      this.#longText(Buffer.from(text), version);
      return;
    }
    this.#reserve(valueBytesMax + bytesMax);
    const lengthAt = this.#at;
    this.#at += 4;
    if (version !== null) {
      this.#view.setInt8(this.#at, version);
      this.#at += 1;
    }
    this.#at += this.#bytes.write(text, this.#at);
    this.#view.setInt32(lengthAt, this.#at - lengthAt - 4);
  }

  /** A chunk of its own: room for the most bytes that it might have would be three times too large. */
  #longText(bytes: Buffer, version: number | null): void {
    this.#reserve(valueBytesMax);
    this.#int32(bytes.length + (version === null ? 0 : 1));
    if (version !== null) {
      this.#view.setInt8(this.#at, version);
      this.#at += 1;
    }
    this.#endChunk();
    this.#full.push(bytes);
  }

  #texts(items: readonly (string | null)[]): void {
    const unitCount = items.reduce((sum, item) => sum + (item?.length ?? 0), 0);
    this.#reserve(valueBytesMax + items.length * 4 + unitCount * bytesPerCodeUnitMax);
    const lengthAt = this.#at;
    this.#at += 4;
    const dimensionCount = items.length === 0 ? 0 : 1;
    for (const number of [dimensionCount, items.includes(null) ? 1 : 0, textOid]) this.#int32(number);
    if (dimensionCount > 0) for (const number of [items.length, 1]) this.#int32(number);
    for (const item of items) {
      const itemAt = this.#at;
      this.#at += 4;
      if (item !== null) this.#at += this.#bytes.write(item, this.#at);
      this.#view.setInt32(itemAt, item === null ? nullLength : this.#at - itemAt - 4);
    }
    this.#view.setInt32(lengthAt, this.#at - lengthAt - 4);
  }

  /** Makes room for a value; the parts of a row may be in different chunks. */
  #reserve(bytesMax: number): void {
    if (bytesMax <= this.#bytes.length - this.#at) return;
    this.#endChunk();
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(chunkBytes, bytesMax));
    this.#view = viewOf(this.#bytes);
  }

  #endChunk(): void {
    if (this.#at === 0) return;
    this.#full.push(this.#bytes.subarray(0, this.#at));
    this.#bytes = this.#bytes.subarray(this.#at);
    this.#view = viewOf(this.#bytes);
    this.#at = 0;
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

const microsOf = (time: Date): bigint => {
  const ms = time.getTime();
  if (Number.isNaN(ms)) throw new RangeError('a time is invalid');
  return BigInt(ms - epochMs) * 1_000n;
};
