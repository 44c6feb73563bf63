import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useClient } from '../../session/use-session.ts';
import { ErrorNote } from '../../ui/states.tsx';
import type { EventSource } from './use-events.ts';

/** What a tab can hold; for more there is the command line. */
const exportedEventsMax = 100_000;

/** Saves the events that the filters find as JSON Lines. */
export function ExportButton({ source }: { source: EventSource }): ReactElement {
  const client = useClient();
  const [count, setCount] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const stop = useRef<AbortController>(undefined);
  // An export ends with its page, and with the credential that it was begun with.
  useEffect(() => () => stop.current?.abort(), [client]);
  const save = async (): Promise<void> => {
    const { signal } = (stop.current = new AbortController());
    setError(null);
    setCount(0);
    try {
      const lines: string[] = [];
      for await (const event of source.all(client, source.query, signal)) {
        if (lines.length === exportedEventsMax)
          throw new Error(
            `more than ${exportedEventsMax.toLocaleString('en')} events: narrow the filters, or use agent-trust events --export`,
          );
        lines.push(`${JSON.stringify(event)}\n`);
        if (lines.length % 1_000 === 0) setCount(lines.length);
      }
      download(new Blob(lines, { type: 'application/x-ndjson' }), 'events.jsonl');
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    } finally {
      setCount(null);
    }
  };
  return (
    <>
      <button type="button" disabled={count !== null} onClick={() => void save()}>
        {count === null ? 'Export as shown' : `Exporting… ${count}`}
      </button>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}

const download = (file: Blob, name: string): void => {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};
