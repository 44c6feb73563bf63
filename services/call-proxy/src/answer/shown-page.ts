import { x402Limits } from '@agent-trust/x402';
import { hiddenAddress, hideAddress } from '../address/hide-address.ts';
import { namesAddress } from '../address/names-address.ts';

/** Longer pages are not searched, and so not shown: the same as that of a demand, which is searched in the same way. */
export const pageBytesMax = x402Limits.bodyBytesMax;

/** Stand in place of pages that are not shown. */
export const withheldPage = {
  telling: "The agent's answer is not shown: it tells where the agent lives.",
  long: `The agent's answer is not shown: it is longer than the ${pageBytesMax / 1024} KiB that are searched for where the agent lives.`,
} as const;

/**
 * What may be shown of a page for an error or a redirect: where the endpoint's host and port stand in clear, another name stands there;
 * a page that tells them in any other writing is not shown.
 *
 * @returns the page, and whether it is the registry's own words in place of the agent's: plain text that says why.
 */
export function shownPage(body: Uint8Array, endpointUrl: string): { body: Uint8Array; isWithheld: boolean } {
  const withheld = (why: string): { body: Uint8Array; isWithheld: boolean } => ({
    body: new TextEncoder().encode(why),
    isWithheld: true,
  });
  if (body.byteLength > pageBytesMax) return withheld(withheldPage.long);
  const page = hideAddress(body, endpointUrl);
  // The name that stands there now may begin with the host's own: `agent`.
  const text = new TextDecoder().decode(page).replaceAll(hiddenAddress, ' ');
  return namesAddress(text, endpointUrl) ? withheld(withheldPage.telling) : { body: page, isWithheld: false };
}
