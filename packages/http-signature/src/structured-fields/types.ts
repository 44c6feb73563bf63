/** Structured field values (RFC 9651). Each type has its own tag: `1` and `1.0` must be written back as they were read into a signature base. */
export type BareItem =
  | { readonly type: 'integer'; readonly value: number }
  /** In thousandths, the full precision of a decimal. */
  | { readonly type: 'decimal'; readonly thousandths: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'token'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'boolean'; readonly value: boolean }
  /** Seconds since the epoch. */
  | { readonly type: 'date'; readonly seconds: number }
  /** Any Unicode; the only type for text beyond ASCII. */
  | { readonly type: 'display'; readonly value: string };

/** In order; no name twice. */
export type Parameters = ReadonlyMap<string, BareItem>;
export type Item = { readonly kind: 'item'; readonly value: BareItem; readonly parameters: Parameters };
export type InnerList = {
  readonly kind: 'inner_list';
  readonly items: readonly Item[];
  readonly parameters: Parameters;
};
export type Member = Item | InnerList;
export type List = readonly Member[];
/** In order; no key twice. */
export type Dictionary = ReadonlyMap<string, Member>;

export type FieldFault = 'malformed' | 'duplicate_key' | 'duplicate_parameter' | 'too_large';

/** The text is not a structured field, or it repeats a key or a parameter. */
export class StructuredFieldError extends Error {
  override readonly name = 'StructuredFieldError';
  readonly fault: FieldFault;

  /** `at` counts characters from the start of the text. */
  constructor(fault: FieldFault, at: number, problem: string) {
    super(`${problem} at character ${at}`);
    this.fault = fault;
  }
}

export const noParameters: Parameters = new Map();
export function item(value: BareItem, parameters: Parameters = noParameters): Item {
  return { kind: 'item', value, parameters };
}
export function string(value: string): BareItem {
  return { type: 'string', value };
}
export function integer(value: number): BareItem {
  return { type: 'integer', value };
}
export function bytes(value: Uint8Array): BareItem {
  return { type: 'bytes', value };
}
