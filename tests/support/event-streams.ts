import type { Body, HeaderMap } from './ask.ts';

export type FollowedEvent = { id: string; event: Body };

/** A client of server-sent events, like an EventSource: keeps the received events and the last id. */
export type Follower = {
  readonly status: number;
  readonly events: FollowedEvent[];
  /** Events with a name, such as `end`, as `<name> <data>`. */
  readonly named: string[];
  readonly comments: string[];
  readonly lastId: () => string;
  /** Resolves when the stream ends: `clean` if the server closed it, else `broken`. */
  readonly over: Promise<'clean' | 'broken'>;
  close(): void;
};

/** Opens a stream of server-sent events and reads it until it ends or `close` is called. */
export async function follow(url: string, headers: HeaderMap): Promise<Follower> {
  const closing = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: closing.signal });
  const events: FollowedEvent[] = [];
  const named: string[] = [];
  const comments: string[] = [];
  const read = async (): Promise<'clean' | 'broken'> => {
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        rest += decoder.decode(chunk as Uint8Array, { stream: true });
        const blocks = rest.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const lines = block.split('\n');
          const field = (name: string): string | undefined =>
            lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
          const [data, id, event] = [field('data'), field('id'), field('event')];
          if (block.startsWith(':')) comments.push(block.slice(2));
          else if (event !== undefined) named.push(`${event} ${data ?? ''}`);
          else if (data !== undefined) events.push({ id: id ?? '', event: JSON.parse(data) as Body });
        }
      }
      return 'clean';
    } catch {
      return 'broken';
    }
  };
  return {
    status: response.status,
    events,
    named,
    comments,
    lastId: () => events.at(-1)?.id ?? '',
    over: read(),
    close: () => closing.abort(),
  };
}

/** The events of an export, and its closing line if the export is complete. */
export function linesOf(text: string): { events: Body[]; end: Body | null } {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Body);
  const last = lines.at(-1)?.['end_of_export'];
  return last === undefined ? { events: lines, end: null } : { events: lines.slice(0, -1), end: last as Body };
}
