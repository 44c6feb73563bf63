import { type Bytes, randomText, toBase64, utf8 } from '../bytes.ts';
import type { Signer } from './signer.ts';

export type SignedHeaders = { 'content-digest': string; 'signature-input': string; signature: string };

export type RequestToSign = {
  method: string;
  /** The whole address. If a proxy serves the registry below a path, the registry sees only the rest of the path: then `path` says what is signed. */
  url: string;
  path?: string;
  /** As sent, byte for byte. */
  body?: string | Uint8Array;
  /** Seconds since the epoch; default now. */
  createdSeconds?: number;
  /** New for every request; default random. */
  nonce?: string;
};

/**
 * The headers of a signed request (RFC 9421): label `sig1` over `@method`, `@path` and `content-digest` (RFC 9530), and with
 * `signer.strict` also over `@authority` and `@query`.
 */
export async function signRequest(request: RequestToSign, signer: Signer): Promise<SignedHeaders> {
  const { method, body = '', createdSeconds = Math.floor(Date.now() / 1_000), nonce = randomText() } = request;
  const url = new URL(request.url);
  const sent: Bytes = typeof body === 'string' ? utf8(body) : Uint8Array.from(body);
  const digest = `sha-256=:${toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', sent)))}:`;
  const components: [string, string][] = [
    ['@method', method],
    ['@path', request.path ?? url.pathname],
    ['content-digest', digest],
    ...(signer.strict === true
      ? ([
          ['@authority', url.host],
          ['@query', url.search === '' ? '?' : url.search],
        ] as [string, string][])
      : []),
  ];
  const names = components.map(([name]) => `"${name}"`).join(' ');
  const parameters =
    `(${names});created=${createdSeconds};keyid=${keyIdText(signer.agentId)}` +
    `;alg="ed25519";nonce=${stringText(nonce)}`;
  const base = [...components.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${parameters}`].join(
    '\n',
  );
  const signature = await sign(signer, utf8(base));
  return {
    'content-digest': digest,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${toBase64(signature)}:`,
  };
}

const sign = async ({ privateKey }: Signer, base: Bytes): Promise<Uint8Array> => {
  if (typeof privateKey !== 'function')
    return new Uint8Array(await crypto.subtle.sign({ name: 'Ed25519' }, privateKey, base));
  const signature = await privateKey(base);
  if (!(signature instanceof Uint8Array) || signature.byteLength !== 64)
    throw new TypeError('a signer answers the 64 bytes of an Ed25519 signature');
  return signature;
};

/** RFC 9651 §3.3.3: printable ASCII in quotes. */
const stringText = (text: string): string => {
  if (!isPrintableAscii(text)) throw new TypeError('a nonce is printable ASCII');
  return `"${text.replaceAll(/["\\]/gu, '\\$&')}"`;
};

/** An agent_id beyond ASCII is a display string (RFC 9651 §3.3.8), so that each id has exactly one spelling. */
const keyIdText = (agentId: string): string => {
  if (isPrintableAscii(agentId)) return stringText(agentId);
  if (!isWellFormed(agentId)) throw new TypeError('the agent_id is no well-formed text');
  const octets = Array.from(utf8(agentId), (octet) =>
    octet === 0x25 || octet === 0x22 || octet < 0x20 || octet > 0x7e
      ? `%${octet.toString(16).padStart(2, '0')}`
      : String.fromCharCode(octet),
  );
  return `%"${octets.join('')}"`;
};

const isPrintableAscii = (text: string): boolean => /^[\x20-\x7e]*$/u.test(text);

/** UTF-8 has no lone surrogates: the encoder would replace them by U+FFFD, and another id would sign. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
