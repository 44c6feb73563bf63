import type { CredentialKind } from '@agent-trust/client';
import { CredentialError } from './errors.ts';
import type { Io } from './io.ts';
import type { AuthOrder, RegistryAccess } from './program/command.ts';
import { type Chosen, chooseCredentials } from './settings/choose-credentials.ts';
import type { GlobalOptions } from './program/global-options.ts';
import type { Settings } from './settings/settings.ts';

/** The text of the last complete JSON answer, as received. */
export type LastAnswer = { text: string | undefined };

const isLoopback = (hostname: string): boolean =>
  /^(127\.\d+\.\d+\.\d+|localhost|.*\.localhost|\[::1\])$/u.test(hostname);

/** Whether a secret would be sent unencrypted. */
const isReadableOnTheWay = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
};

/** Keeps the text of JSON answers while the client reads them: numbers beyond JavaScript's precision stay unchanged. */
const keepingAnswers =
  (last: LastAnswer): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null || response.headers.get('content-type')?.startsWith('application/json') !== true)
      return response;
    const decoder = new TextDecoder();
    let text = '';
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        text += decoder.decode(chunk, { stream: true });
        controller.enqueue(chunk);
      },
      flush() {
        last.text = text + decoder.decode();
      },
    });
    return new Response(response.body.pipeThrough(watch), response);
  };

const kindOf: Record<keyof Chosen, CredentialKind> = {
  agentKey: 'agent',
  signer: 'signature',
  orgKey: 'organisation',
  adminToken: 'admin',
  adminKey: 'admin_key',
};

/** A client that sends exactly the credentials chosen for this command. */
export async function openRegistry(
  io: Pick<Io, 'stopSignal'>,
  settings: Settings,
  global: GlobalOptions,
  order: AuthOrder,
  last: LastAnswer,
  warn: (text: string) => void,
  agentId?: string,
): Promise<RegistryAccess> {
  const chosen =
    order === 'admin_key'
      ? await operatorKey(settings)
      : await chooseCredentials(settings, global.auth, order, agentId);
  const { createRegistryClient } = await import('@agent-trust/client');
  const kinds = (Object.keys(chosen) as (keyof Chosen)[]).map((name) => kindOf[name]);
  if (kinds.some((kind) => kind !== 'signature') && isReadableOnTheWay(settings.url))
    warn(`${settings.url} is no https address: others on the way can read the key that is sent`);
  const { signer, ...secrets } = chosen;
  const client = createRegistryClient({
    baseUrl: settings.url,
    timeoutMs: settings.timeoutMs,
    callTimeoutMs: settings.timeoutMs,
    fetch: keepingAnswers(last),
    ...secrets,
    ...(signer === undefined
      ? {}
      : { signer: { agentId: signer.agentId, privateKey: await signWith(signer.keyFile) } }),
  });
  return { client, options: { signal: io.stopSignal(), as: kinds.length === 0 ? 'nobody' : kinds } };
}

const operatorKey = async ({ secrets }: Settings): Promise<Chosen> => {
  const adminKey = await secrets.adminKey();
  if (adminKey !== undefined) return { adminKey };
  const adminToken = await secrets.operatorKey();
  if (adminToken !== undefined) return { adminToken };
  throw new CredentialError(
    "this needs the key of the installation, --admin-key-file or AGENT_TRUST_ADMIN_KEY, or an operator's of the role admin, --operator-key-file or AGENT_TRUST_OPERATOR_KEY. npm start keeps it in .data/secrets.json and names the file at its start",
  );
};

const signWith = async (keyFile: string): Promise<(bytes: Uint8Array) => Uint8Array> => {
  const [{ readKeyFile }, { sign }] = await Promise.all([import('./settings/key-file.ts'), import('node:crypto')]);
  const key = readKeyFile(keyFile);
  return (bytes) => sign(null, bytes, key);
};
