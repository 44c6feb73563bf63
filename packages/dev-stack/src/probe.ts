import { get } from 'node:http';
import { connect } from 'node:net';

const answerTimeoutMs = 3_000;

/** Whether a GET of `url` is answered 200. Never rejects. */
export function answersOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: answerTimeoutMs }, (response) => {
      response.resume();
      response.once('error', () => undefined);
      resolve(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
    request.once('close', () => resolve(false));
  });
}

/** Whether the health of a service at `url` says that it is starting. Never rejects. */
export async function saysStarting(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) });
    const { parts } = (await response.json()) as { parts?: { service?: { detail?: string } } };
    return parts?.service?.detail?.startsWith('starting') === true;
  } catch {
    return false;
  }
}

/** Why nothing can be reached at `host:port`, or `undefined` if something accepts connections there. */
export function whyUnreachable(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (reason: string | undefined): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(answerTimeoutMs, () => done(`no answer within ${answerTimeoutMs / 1000} s`));
    socket.once('error', (error) => done((error as NodeJS.ErrnoException).code ?? error.message));
    socket.once('connect', () => done(undefined));
  });
}
