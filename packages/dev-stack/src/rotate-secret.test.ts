import { describe, expect, it } from 'vitest';
import { endOverlap, nextSteps, rotateSecret } from './rotate-secret.ts';

const now = new Date('2026-01-15T10:00:00.000Z');
const secrets = { PERSONAL_DATA_KEY: 'p'.repeat(43), ADMIN_TOKEN: 't'.repeat(43), NATS_GATEWAY_PASSWORD: 'pwx' };

describe('a rotated secret', () => {
  it('has a new value, and its present one becomes the previous one', () => {
    const rotated = rotateSecret(secrets, 'PERSONAL_DATA_KEY');
    expect(rotated).toEqual({
      ...secrets,
      PERSONAL_DATA_KEY: expect.stringMatching(/^[\w-]{43}$/u) as unknown,
      PERSONAL_DATA_KEY_PREVIOUS: secrets.PERSONAL_DATA_KEY,
    });
    expect(rotated['PERSONAL_DATA_KEY']).not.toBe(secrets.PERSONAL_DATA_KEY);
    expect(endOverlap(rotateSecret({ WEBHOOK_SECRET: 'w' }, 'WEBHOOK_SECRET'), 'WEBHOOK_SECRET', now)).toEqual({
      WEBHOOK_SECRET: expect.stringMatching(/^[\w-]{43}$/u) as unknown,
    });
  });

  // Bug: whoever ends the overlap before every key is re-wrapped, or restores an older backup later, has lost every contact for good.
  it('of personal data stays in the file when its overlap ends', () => {
    const rotated = rotateSecret(secrets, 'PERSONAL_DATA_KEY');
    const ended = endOverlap(rotated, 'PERSONAL_DATA_KEY', now);
    expect(ended).toEqual({
      ...secrets,
      PERSONAL_DATA_KEY: rotated['PERSONAL_DATA_KEY'],
      'PERSONAL_DATA_KEY_ENDED_2026-01-15T10:00:00.000Z': secrets.PERSONAL_DATA_KEY,
    });
    const again = endOverlap(
      rotateSecret(ended, 'PERSONAL_DATA_KEY'),
      'PERSONAL_DATA_KEY',
      new Date(now.getTime() + 1),
    );
    expect(Object.values(again)).toEqual(
      expect.arrayContaining([secrets.PERSONAL_DATA_KEY, rotated['PERSONAL_DATA_KEY']]),
    );
  });

  // Bug: a second rotation drops the value that everything stored still needs.
  it('is not rotated again before its previous value was removed', () => {
    const rotated = rotateSecret(secrets, 'PERSONAL_DATA_KEY');
    expect(() => rotateSecret(rotated, 'PERSONAL_DATA_KEY')).toThrow('--end');
  });

  it('that may have one value only is replaced', () => {
    for (const name of ['ADMIN_TOKEN', 'NATS_GATEWAY_PASSWORD']) {
      const rotated = rotateSecret(secrets, name);
      expect(Object.keys(rotated)).toEqual(Object.keys(secrets));
      expect(rotated).not.toMatchObject({ [name]: secrets[name as keyof typeof secrets] });
      expect(() => endOverlap(rotated, name, now)).toThrow('no previous value');
    }
    expect(rotateSecret(secrets, 'NATS_GATEWAY_PASSWORD')['NATS_GATEWAY_PASSWORD']).toMatch(/^pw/u);
  });

  it.each(['PERSONAL_DATA_KEYS', 'PERSONAL_DATA_KEY_PREVIOUS', '__proto__', ''])('is known: %j is refused', (name) => {
    expect(() => rotateSecret(secrets, name)).toThrow('there are ADMIN_KEY');
    expect(() => endOverlap(secrets, name, now)).toThrow('there are ADMIN_KEY');
  });

  it('was made before: one without a value is refused', () => {
    expect(() => rotateSecret(secrets, 'WEBHOOK_SECRET')).toThrow('npm start');
  });

  it('comes with the next steps', () => {
    expect(nextSteps('PERSONAL_DATA_KEY').join('\n')).toContain('secrets:rewrap');
    expect(nextSteps('NATS_GATEWAY_PASSWORD').join('\n')).toContain('Restart');
  });
});
