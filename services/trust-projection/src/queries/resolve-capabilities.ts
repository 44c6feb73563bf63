/** A canonical capability that a required name stands for. */
export type ResolvedCapability = {
  required: string;
  canonical: string;
  /** 1 for the same capability, less for a close one. */
  similarity: number;
  how: 'exact' | 'alias' | 'close';
};

/** Which canonical names each required name may be met by. A name means itself; required twice it counts once. */
export const resolveCapabilities = (required: readonly string[]): ResolvedCapability[] =>
  Array.from(new Set(required), (name) => ({ required: name, canonical: name, similarity: 1, how: 'exact' }));
