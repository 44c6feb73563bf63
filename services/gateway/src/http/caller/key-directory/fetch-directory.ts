import { OutboundError, readBytes, type SafeFetch } from '@agent-trust/safe-fetch';
import { type DirectoryKeys, readDirectory } from './directory-keys.ts';
import { keyDirectoryLimits } from './limits.ts';

/** What a domain says, or in one word why it says nothing. `detail` is for the log. */
export type DirectoryAnswer = DirectoryKeys | { fault: DirectoryFault; detail: string };
export type DirectoryFault = 'directory_unreachable' | 'directory_refused' | 'directory_malformed';

/** draft-meunier-http-message-signatures-directory §5. */
const wellKnownPath = '/.well-known/http-message-signatures-directory';

/** Asks one directory, through the safe outbound client. Never rejects: a domain that cannot be asked is an answer. */
export async function fetchDirectory(safeFetch: SafeFetch, baseUrl: string): Promise<DirectoryAnswer> {
  try {
    const response = await safeFetch(`${baseUrl}${wellKnownPath}`, {
      headers: {
        accept: 'application/http-message-signatures-directory+json, application/jwk-set+json, application/json',
      },
      responseBodyBytesMax: keyDirectoryLimits.bodyBytesMax,
      timeouts: { totalMs: keyDirectoryLimits.fetchTimeoutMs },
    });
    if (response.status !== 200) {
      response.body.cancel();
      return { fault: 'directory_refused', detail: `status ${response.status}` };
    }
    const directory = readDirectory(Buffer.from(await readBytes(response.body)).toString('utf8'));
    return directory === null ? { fault: 'directory_malformed', detail: 'not a JWK set' } : directory;
  } catch (error) {
    if (error instanceof OutboundError)
      return { fault: 'directory_unreachable', detail: `${error.kind} ${error.reason}` };
    throw error;
  }
}
