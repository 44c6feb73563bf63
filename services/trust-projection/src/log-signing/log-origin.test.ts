import { describe, expect, it } from 'vitest';
import { chooseOrigin } from './log-origin.ts';

const choose = (recorded: string | null, configured: string | undefined, byAddress = 'registry.test/log') => {
  const lines: string[] = [];
  const logger = { info: (_: object, text: string) => void lines.push(text) } as Parameters<typeof chooseOrigin>[2];
  return { origin: chooseOrigin(recorded, { configured, byAddress }, logger), lines };
};

describe("the log's name", () => {
  it('comes from LOG_ORIGIN, else from the address, until it is recorded', () => {
    expect(choose(null, 'named.test/log').origin).toBe('named.test/log');
    expect(choose(null, undefined).origin).toBe('registry.test/log');
  });

  // Bug: the registry moves to another host or port, and its log silently becomes another one.
  it('stays the recorded one when the address changes, and a line says so', () => {
    expect(choose('registry.test/log', undefined, 'moved.test:9090/log')).toEqual({
      origin: 'registry.test/log',
      lines: ['the log keeps its recorded name registry.test/log, although BASE_URL would make it moved.test:9090/log'],
    });
  });

  it('is not worth a line where nothing differs', () => {
    expect(choose('registry.test/log', undefined).lines).toEqual([]);
    expect(choose('named.test/log', 'named.test/log')).toEqual({ origin: 'named.test/log', lines: [] });
  });

  it('cannot be changed by LOG_ORIGIN, and the refusal says what to do', () => {
    expect(() => choose('registry.test/log', 'named.test/log')).toThrow(
      /LOG_ORIGIN is named\.test\/log, but .* signed as registry\.test\/log.* set LOG_ORIGIN=registry\.test\/log, or leave it unset/u,
    );
  });
});
