import type { Store } from './store.ts';

export type User = { password: string; fullName: string; groups: string[] };
/** Who makes a call: a user with the groups that it is in, or nobody. */
export type Caller = { name: string; groups: readonly string[] } | 'nobody';
export type Action = 'read' | 'write' | 'delete';

type Acl = Partial<Record<'$r' | '$w' | '$d' | '$mr' | '$mw', string | string[]>>;
type Right = keyof Acl;

const rightOf: Record<Action, Right> = { read: '$r', write: '$w', delete: '$d' };
const rightOnMetadata: Record<Action, Right | null> = { read: '$mr', write: '$mw', delete: null };
/** What holds where the stream `$settings` says nothing. */
const defaults: Record<'$userStreamAcl' | '$systemStreamAcl', Record<Right, string>> = {
  $userStreamAcl: { $r: '$all', $w: '$all', $d: '$all', $mr: '$all', $mw: '$all' },
  $systemStreamAcl: { $r: '$admins', $w: '$admins', $d: '$admins', $mr: '$admins', $mw: '$admins' },
};

/**
 * Users and access lists as the server has them: its documentation of access control lists, and its `LegacyStreamPermissionAssertion`. A
 * stream's own list (`$acl` in its metadata) comes before `$settings`, right by right; `$admins` may do everything, `$all` is everybody who has
 * a name. Nobody without a name may do anything, as `AllowAnonymousStreamAccess` is off by default since 23.10.
 */
export class Access {
  readonly #store: Store;
  readonly users = new Map<string, User>();
  readonly #isOn: boolean;

  /** @param adminPassword null: as without TLS, the server knows no users, and everybody may do everything */
  constructor(store: Store, adminPassword: string | null) {
    this.#store = store;
    this.#isOn = adminPassword !== null;
    if (adminPassword !== null) {
      this.users.set('admin', { password: adminPassword, fullName: 'Administrator', groups: ['$admins'] });
    }
  }

  /** Whoever gives these credentials (the header `authorization`); null if they are wrong. */
  callerOf(authorization: string | undefined): Caller | null {
    if (!this.#isOn || authorization === undefined) return 'nobody';
    const [, encoded = ''] = /^Basic (.+)$/u.exec(authorization) ?? [];
    const [, name = '', password] = /^([^:]*):(.*)$/u.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
    const user = this.users.get(name);
    return user === undefined || user.password !== password ? null : { name, groups: user.groups };
  }

  isAdmin(caller: Caller): boolean {
    if (!this.#isOn) return true;
    return caller !== 'nobody' && (caller.name === 'admin' || caller.groups.includes('$admins'));
  }

  may(caller: Caller, action: Action, stream: string): boolean {
    if (!this.#isOn) return true;
    if (caller === 'nobody') return false;
    if (stream === '$all' && action !== 'read') return false;
    const isMetadata = stream.startsWith('$$');
    const right = (isMetadata ? rightOnMetadata : rightOf)[action];
    if (right === null) return false;
    if (this.isAdmin(caller)) return true;
    const who = [this.#listOf(isMetadata ? stream.slice(2) : stream, right)].flat();
    return who.includes('$all') || who.includes(caller.name) || caller.groups.some((group) => who.includes(group));
  }

  #listOf(stream: string, right: Right): string | string[] {
    const kind = stream.startsWith('$') ? '$systemStreamAcl' : '$userStreamAcl';
    const own = (this.#last(`$$${stream}`)['$acl'] ?? {}) as Acl;
    const settings = (this.#last('$settings')[kind] ?? {}) as Acl;
    return own[right] ?? settings[right] ?? defaults[kind][right];
  }

  #last(stream: string): Record<string, unknown> {
    const event = this.#store.stream(stream).at(-1);
    return event === undefined ? {} : (JSON.parse(Buffer.from(event.data).toString('utf8')) as Record<string, unknown>);
  }
}
