import { createBoundedMap } from '@agent-trust/limits';
import {
  type AddressMatcher,
  createAddressMatcher,
  createRedaction,
  type PayAddress,
  type Redaction,
} from '@agent-trust/x402';
import { proxyLimits } from './limits.ts';

/** Compiling the patterns of an address takes longer than searching a short answer. */
const matchers = createBoundedMap<string, AddressMatcher>({ countMax: proxyLimits.addressMatchersKept });

/** Finds the address of an agent in texts. The same matcher each time, while it is kept; it remembers the short texts that recur in headers. */
export function addressMatcherOf(endpointUrl: string): AddressMatcher {
  const known = matchers.get(endpointUrl);
  if (known !== undefined) return known;
  const matcher = rememberingShortTexts(createAddressMatcher([endpointUrl]));
  matchers.set(endpointUrl, matcher);
  return matcher;
}

/** A redaction for one answer of the agent. */
export function redactionFor(endpointUrl: string, payAddress: PayAddress): Redaction {
  return createRedaction(endpointUrl, payAddress, addressMatcherOf(endpointUrl));
}

const rememberingShortTexts = (matcher: AddressMatcher): AddressMatcher => {
  const { textsRemembered, rememberedTextCharsMax } = proxyLimits;
  const results = createBoundedMap<string, boolean>({ countMax: textsRemembered });
  return {
    isIn: (text) => {
      if (text.length > rememberedTextCharsMax) return matcher.isIn(text);
      const known = results.get(text);
      if (known !== undefined) return known;
      const isIn = matcher.isIn(text);
      results.set(text, isIn);
      return isIn;
    },
  };
};
