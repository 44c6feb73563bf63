import type { Requirement } from './requirement.ts';

/** Network names of x402 v1 and their CAIP-2 ids of v2 (x402 1.2.0, `EvmNetworkToChainId`; the genesis hashes of Solana as in `@x402/svm`). */
const idOfName: ReadonlyMap<string, string> = new Map([
  ['abstract', 'eip155:2741'],
  ['abstract-testnet', 'eip155:11124'],
  ['avalanche', 'eip155:43114'],
  ['avalanche-fuji', 'eip155:43113'],
  ['base', 'eip155:8453'],
  ['base-sepolia', 'eip155:84532'],
  ['educhain', 'eip155:41923'],
  ['iotex', 'eip155:4689'],
  ['peaq', 'eip155:3338'],
  ['polygon', 'eip155:137'],
  ['polygon-amoy', 'eip155:80002'],
  ['sei', 'eip155:1329'],
  ['sei-testnet', 'eip155:1328'],
  ['skale-base-sepolia', 'eip155:324705682'],
  ['solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['solana-devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
  ['story', 'eip155:1514'],
]);

/** The CAIP-2 id for a network name of v1; any other name is its own id. */
export function networkId(network: string): string {
  return idOfName.get(network) ?? network;
}

/** Every name of a network, whichever of them is given: its id, and what v1 calls it. */
export function networkNames(network: string): string[] {
  const id = networkId(network);
  return [id, ...[...idOfName].flatMap(([name, named]) => (named === id ? [name] : []))];
}

/** The unit of an amount: its symbol if known, else the asset's address; decimals null if unknown. */
export type Currency = { currency: string | null; decimals: number | null };

const usdc = { currency: 'USDC', decimals: 6 };

/** Addresses of USDC, Circle's own or bridged, by network (x402 1.2.0 `config`, @x402/evm 2.27.0 `DEFAULT_ASSETS`); all have six decimals. */
const usdcOf: ReadonlyMap<string, string> = new Map([
  ['eip155:1', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
  ['eip155:50', '0xfa2958cb79b0491cc627c1557f441ef849ca8eb1'],
  ['eip155:51', '0xb5ab69f7bbada22b28e79c8ffaece55ef1c771d4'],
  ['eip155:137', '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
  ['eip155:143', '0x754704bc059f8c67012fed69bc8a327a5aafb603'],
  ['eip155:1328', '0x4fcf1784b31630811181f670aea7a7bef803eaed'],
  ['eip155:1329', '0xe15fc38f6d8c56af07bbcbe3baf5708a2bf42392'],
  ['eip155:1514', '0xf1815bd50389c46847f0bda824ec8da914045d14'],
  ['eip155:2741', '0x84a71ccd554cc1b02749b35d22f684cc8ec987e1'],
  ['eip155:3338', '0xbba60da06c2c5424f03f7434542280fcad453d10'],
  ['eip155:4689', '0xcdf79194c6c285077a58da47641d4dbe51f63542'],
  ['eip155:8453', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
  ['eip155:11124', '0xe4c7fbb0a626ed208021ccaba6be1566905e2dfc'],
  ['eip155:38833', '0xa5b8bf902b2844da17d4506cc827f7f1681735e7'],
  ['eip155:41923', '0x12a272a581fee5577a5dfa371afeb4b2f3a8c2f8'],
  ['eip155:42161', '0xaf88d065e77c8cc2239327c5edb3a432268e5831'],
  ['eip155:42220', '0xceba9300f2b948710d2653dd7b07f33a8b32118c'],
  ['eip155:43113', '0x5425890298aed601595a70ab815c96711a31bc65'],
  ['eip155:43114', '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e'],
  ['eip155:80002', '0x41e94eb019c0762f9bfcf9fb1e58725bfb0e7582'],
  ['eip155:84532', '0x036cbd53842c5426634e7929541ec2318f3dcf7e'],
  ['eip155:421614', '0x75faf114eafb1bdbe2f0316df893fd58ce46aa4d'],
  ['eip155:11142220', '0x01c5c0122039549ad1493b8220cabedd739bc44e'],
  ['eip155:324705682', '0x2e08028e3c4c2356572e096d8ef835cd5c6030bd'],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'],
]);

/** EVM addresses are compared without the capitals of their checksum; those of other chains exactly. */
const comparable = (asset: string): string => (/^0x/iu.test(asset) ? asset.toLowerCase() : asset);

/**
 * The currency of a requirement. Only the built-in table gives a symbol: an agent could name its own token USDC. Other decimals are the
 * requirement's.
 */
export function currencyOf(requirement: Pick<Requirement, 'network' | 'asset' | 'decimals'>): Currency {
  const { network, asset, decimals } = requirement;
  if (network !== null && asset !== null && usdcOf.get(networkId(network)) === comparable(asset)) return usdc;
  return { currency: asset, decimals };
}

/** Atomic units (decimal digits) in whole units, as exact text: `unitsOf('1234567', 6)` is `1.234567`. No float is involved. */
export function unitsOf(atomic: string, decimals: number): string {
  const digits = atomic.replace(/^0+(?=\d)/u, '').padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/u, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
