import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { createWalletClient, http, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { baseSepolia } from 'viem/chains';
import { wrapFetchWithPayment } from 'x402-fetch';
import { networks } from './facilitator.ts';

export type Seen = { request: { url: string; headers: Headers }; status: number; headers: Headers; text: string };
export type Buyer = {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** Every answer of the registry, including payment demands. */
  seen: Seen[];
};

/** A fetch that records answers before the buyer's own code sees them. */
const recordingFetch = (seen: Seen[], send: typeof fetch): typeof fetch =>
  (async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const kept = { url: request.url, headers: new Headers(request.headers) };
    const response = await send(request);
    const text = await response.clone().text();
    seen.push({ request: kept, status: response.status, headers: response.headers, text });
    return response;
  }) as typeof fetch;

/** A buyer of x402 v1 with its own wallet and no access to a chain. Its requests go out through `send`. */
export function createFirstBuyer(send: typeof fetch = fetch): Buyer {
  const seen: Seen[] = [];
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = createWalletClient({ account, chain: baseSepolia, transport: http('http://127.0.0.1:9') }).extend(
    publicActions,
  );
  const paying = wrapFetchWithPayment(recordingFetch(seen, send), wallet as never);
  return { fetch: (url, init) => paying(url, init), seen };
}

/** A buyer of x402 v2. */
export function createSecondBuyer(send: typeof fetch = fetch): Buyer {
  const seen: Seen[] = [];
  const client = new ExactEvmScheme(privateKeyToAccount(generatePrivateKey()));
  const paying = wrapFetchWithPaymentFromConfig(recordingFetch(seen, send), {
    schemes: [{ network: networks[2], client }],
  });
  return { fetch: (url, init) => paying(url, init), seen };
}
