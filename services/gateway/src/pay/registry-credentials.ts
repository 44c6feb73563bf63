/** Any key that the registry has ever minted, wherever it stands. */
const registryKey = /registry-(?:agent|org|org-sandbox)-sk-/iu;

const basicCredentials = (value: string): string => {
  const encoded = /^\s*Basic\s+(\S+)/iu.exec(value)?.[1];
  return encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('latin1');
};

const percentDecoded = (value: string): string =>
  value.replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Whether a header's value or a query holds a key of the registry, percent-encoded or as Basic credentials too. */
export const holdsRegistryKey = (value: string): boolean =>
  [value, percentDecoded(value), basicCredentials(value)].some((text) => registryKey.test(text));
