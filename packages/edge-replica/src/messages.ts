/** A position in the log. A leader without any events is at -1. */
export type Position = bigint;

/** What a change alters: entities that answers depend on, or answers themselves, by their keys; or everything. */
export type Changed = { readonly keys: readonly string[]; readonly everything: boolean };

/**
 * Which changes a membership covers. Some keys change with every request, and few answers depend on them: a member that holds no such answer
 * covers the `rare` changes alone. It is neither told of the frequent ones nor waited for.
 */
export type Scope = 'rare' | 'all';

/** Whether a key is of those that change frequently. The leader and its members must agree. */
export type IsFrequent = (key: string) => boolean;

/** A part of a batch of changes. Only after the last part has a member applied the position (rule 2). */
export type ChangeMessage = Changed & {
  readonly kind: 'change';
  readonly scope: Scope;
  readonly epoch: number;
  readonly seq: number;
  readonly position: Position;
  readonly isLast: boolean;
};

/**
 * From the leader to the members of a scope, in order. `seq` counts the changes of an epoch that belong to the scope. A watermark is for all.
 */
export type FeedMessage =
  | ChangeMessage
  /** Everything up to this position is visible. */
  | { readonly kind: 'watermark'; readonly epoch: number; readonly position: Position }
  | {
      readonly kind: 'heartbeat';
      readonly scope: Scope;
      readonly epoch: number;
      readonly seq: number;
      readonly watermark: Position;
    }
  /** The leader stops: members empty themselves and say that they have left. */
  | { readonly kind: 'leave'; readonly epoch: number };

/** From a member to its leader. An incarnation is one sending of a join. */
export type MemberMessage =
  | { readonly kind: 'join'; readonly incarnation: string; readonly scope: Scope }
  | {
      readonly kind: 'renew';
      readonly epoch: number;
      readonly incarnation: string;
      readonly request: number;
      readonly applied: Position;
    }
  | { readonly kind: 'applied'; readonly epoch: number; readonly incarnation: string; readonly position: Position }
  | { readonly kind: 'left'; readonly incarnation: string };

/** The leader's answers to `join` and `renew`. */
export type LeaderReply =
  | {
      readonly kind: 'granted';
      readonly epoch: number;
      readonly incarnation: string;
      /** Of the scope that was asked for. */
      readonly seq: number;
      /** The last position that was announced; not everything up to it may be visible yet. */
      readonly announced: Position;
      readonly watermark: Position;
    }
  | { readonly kind: 'renewed'; readonly epoch: number; readonly incarnation: string; readonly request: number }
  /** The leader does not know the member. */
  | { readonly kind: 'refused'; readonly epoch: number; readonly incarnation: string };
