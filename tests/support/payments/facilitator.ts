import { listen, type RunningAgent } from '@agent-trust/dev-stack/demo-agents';
import { type Address, type Hex, keccak256, recoverTypedDataAddress } from 'viem';

/** EIP-3009 `transferWithAuthorization`, the typed data that an x402 payment of scheme `exact` signs (EIP-712). */
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

const chainId = 84_532;
export const networks = { 1: 'base-sepolia', 2: `eip155:${chainId}` } as const;

type Authorization = { from: Address; to: Address; value: string; validAfter: string; validBefore: string; nonce: Hex };
type FacilitatorRequest = {
  paymentPayload: { payload: { signature: Hex; authorization: Authorization } };
  paymentRequirements: {
    network: string;
    asset: Address;
    payTo: Address;
    maxAmountRequired?: string;
    amount?: string;
    extra: { name: string; version: string };
  };
};

export type Facilitator = RunningAgent & {
  /** The made-up transactions, in order. */
  settled: string[];
  /** The reason for which the next settlements fail; null: they succeed. */
  failWith: string | null;
};

/**
 * A facilitator without a chain: recovers the signer of each authorization, checks payee, amount, time and nonce against the requirement,
 * and makes up the transaction that would have moved the money.
 */
export async function startFacilitator(): Promise<Facilitator> {
  const used = new Set<string>();
  const settled: string[] = [];

  const faultIn = async ({ paymentPayload, paymentRequirements }: FacilitatorRequest): Promise<string | null> => {
    const { signature, authorization } = paymentPayload.payload;
    const { asset, extra, payTo, amount, maxAmountRequired } = paymentRequirements;
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const signer = await recoverTypedDataAddress({
      domain: { name: extra.name, version: extra.version, chainId, verifyingContract: asset },
      types,
      primaryType: 'TransferWithAuthorization',
      message: {
        from,
        to,
        value: BigInt(value),
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
        nonce,
      },
      signature,
    });
    const now = Math.floor(Date.now() / 1_000);
    if (signer.toLowerCase() !== from.toLowerCase()) return 'invalid_exact_evm_payload_signature';
    if (to.toLowerCase() !== payTo.toLowerCase()) return 'invalid_exact_evm_payload_recipient_mismatch';
    if (BigInt(value) < BigInt(amount ?? maxAmountRequired ?? -1))
      return 'invalid_exact_evm_payload_authorization_value';
    if (Number(validAfter) > now || Number(validBefore) <= now)
      return 'invalid_exact_evm_payload_authorization_valid_before';
    return used.has(nonce) ? 'invalid_transaction_state' : null;
  };

  const answer = async (path: string, request: FacilitatorRequest): Promise<unknown> => {
    if (path === '/supported') {
      const kinds = ([1, 2] as const).map((x402Version) => ({
        x402Version,
        scheme: 'exact',
        network: networks[x402Version],
      }));
      return { kinds, extensions: [], signers: {} };
    }
    if (path !== '/verify' && path !== '/settle') throw new Error(`unexpected request for the facilitator: ${path}`);
    const { authorization, signature } = request.paymentPayload.payload;
    const { network } = request.paymentRequirements;
    const fault = await faultIn(request);
    const payer = authorization.from;
    if (path === '/verify')
      return fault === null ? { isValid: true, payer } : { isValid: false, invalidReason: fault, payer };
    const errorReason = fault ?? facilitator.failWith;
    if (errorReason !== null) return { success: false, errorReason, transaction: '', network, payer };
    used.add(authorization.nonce);
    const transaction = keccak256(signature);
    settled.push(transaction);
    return { success: true, transaction, network, payer };
  };

  const server = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      answer(request.url ?? '', (body === '' ? {} : JSON.parse(body)) as FacilitatorRequest).then(
        (result) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
  });
  const facilitator: Facilitator = { ...server, url: server.url.replace(/\/$/u, ''), settled, failWith: null };
  return facilitator;
}
