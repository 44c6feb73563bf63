import { describe, expect, it } from 'vitest';
import { createSessionStore, kindOf } from './session.ts';

const held = (who: string) => ({ key: `key of ${who}`, who, organisation: null, rights: null, grants: [] });

describe('a session', () => {
  it('holds several credentials at once, and tells of every change', () => {
    const store = createSessionStore();
    const epochs: number[] = [];
    const leave = store.subscribe(() => epochs.push(store.get().epoch));
    store.signIn('organisation', held('Globex'));
    store.signIn('operator', held('ann'));
    store.signOut('organisation');
    leave();
    store.signOut('operator');
    expect(epochs).toEqual([1, 2, 3]);
    expect([store.get().organisation, store.get().operator]).toEqual([null, null]);
  });

  it('looks at the sandbox only while its key is held', () => {
    const store = createSessionStore();
    store.look('sandbox');
    expect(store.get().universe).toBe('production');
    store.signIn('sandbox', held('Globex'));
    store.look('sandbox');
    expect(store.get().universe).toBe('sandbox');
    store.signOut('sandbox');
    expect(store.get().universe).toBe('production');
  });
});

describe('a pasted key', () => {
  it.each([
    ['registry-agent-sk-x', 'agent'],
    ['registry-org-sk-x', 'organisation'],
    ['registry-org-sandbox-sk-x', 'sandbox'],
    ['registry-operator-sk-x', 'operator'],
    ['something else', null],
  ])('%s is of kind %s', (key, kind) => {
    expect(kindOf(key)).toBe(kind);
  });
});
