/** What the gateway writes into the page for its script: addresses of other systems that the console links to. Nothing of it is secret. */
export type PageSettings = {
  /** Address of a trace, with `{trace_id}`; null where none is configured. */
  traceUrl: string | null;
  /** Addresses at the explorer of a chain, by each name of its network. */
  chainExplorers: Readonly<Record<string, ChainExplorer>>;
};

export type ChainExplorer = {
  /** With `{transaction}`. */
  transaction?: string;
  /** With `{address}`. */
  address?: string;
};

/** Name of the `<meta>` element that has them as JSON. A page without it links to nothing else. */
export const pageSettingsName = 'console-settings';
