import { hasPassed, type Reading } from '../clock.ts';
import { Leader } from '../leader/leader.ts';
import { Leadership } from '../leader/leadership.ts';
import { Members } from '../leader/members.ts';
import { replicaLimits } from '../limits.ts';
import { Lease } from '../member/lease.ts';
import type { Held } from '../member/held-objects.ts';
import { type Lookup, Member, type Question } from '../member/member.ts';
import { RecentChanges } from '../member/recent-changes.ts';
import type { Changed, ChangeMessage, LeaderReply, Position, Scope } from '../messages.ts';
import { type Code, realCode } from './world.ts';

/** The code with one rule broken each. Each is caught in the world that the test names for it. */
export const mutants = {
  'serves after its lease': member(
    class extends Member<number> {
      protected override leaseHolds(): boolean {
        return true;
      }
    },
  ),
  'lengthens its lease without an answer': member(
    class extends Member<number> {
      protected override renew(...[joined, now]: Parameters<Member<number>['renew']>): void {
        super.renew(joined, now);
        joined.lease = new Lease(now);
      }
    },
  ),
  'counts its lease from the grant': member(
    class extends Member<number> {
      protected override join(...[joining, grant, now]: Parameters<Member<number>['join']>): void {
        super.join({ ...joining, sentAt: now }, grant, now);
      }
    },
  ),
  'revives its lease, and is taken back': {
    ...realCode,
    Member: class extends Member<number> {
      override takeReply(reply: LeaderReply, now: Reading): void {
        super.takeReply(reply, now);
        if (reply.kind === 'renewed' && this.state.kind === 'joined') this.state.lease = new Lease(now);
      }
    },
    Members: class extends Members {
      override renew(...[incarnation, applied, now, overdue]: Parameters<Members['renew']>): boolean {
        this.admit(incarnation, '', 'all', applied, now);
        return super.renew(incarnation, applied, now, overdue);
      }
    },
  },
  'stays a member without hearing its feed': member(
    class extends Member<number> {
      protected override isSilent(): boolean {
        return false;
      }
    },
  ),
  'renews the lease of one that applies nothing': {
    ...realCode,
    Leader: class extends Leader {
      protected override overdue(): null {
        return null;
      }
    },
  },
  'overlooks a gap': member(
    class extends Member<number> {
      protected override isNext(): boolean {
        return true;
      }
    },
  ),
  'says that it has applied what it will apply': member(
    class extends Member<number> {
      protected override dropAnswers(): void {}
    },
  ),
  'drops only the object itself': member(
    class extends Member<number> {
      protected override dropAnswers({ keys }: ChangeMessage): void {
        if (keys.includes('a')) this.held.clear();
      }
    },
  ),
  'keeps an answer that a change has overtaken': member(
    class extends Member<number> {
      protected override mayKeep(...[joined, question, answer]: Parameters<Member<number>['mayKeep']>): boolean {
        const { watermark } = joined;
        return super.mayKeep(
          joined,
          { ...question, asked: question.asked && { ...question.asked, watermark } },
          answer,
        );
      }
    },
  ),
  'keeps an answer that lacks an announced change': member(
    class extends Member<number> {
      override lookup(key: string, now: Reading): Lookup<number> {
        const found = super.lookup(key, now);
        if (found.kind === 'held' || found.question.asked === null || this.state.kind !== 'joined') return found;
        const question = { ...found.question, asked: { ...found.question.asked, watermark: this.state.applied } };
        return { ...found, question };
      }
    },
  ),
  'keeps an answer whose own key has changed': member(
    class extends Member<number> {
      protected override mayKeep(...[joined, question, answer]: Parameters<Member<number>['mayKeep']>): boolean {
        return super.mayKeep(joined, { ...question, key: 'none' }, answer);
      }
    },
  ),
  'keeps an answer whatever it depends on': member(
    class extends Member<number> {
      protected override mayKeep(...[joined, question, answer]: Parameters<Member<number>['mayKeep']>): boolean {
        return super.mayKeep(joined, question, { ...answer, dependsOn: [] });
      }
    },
  ),
  'forgets what was announced': member(
    class extends Member<number> {
      protected override reach(...[joined, watermark]: Parameters<Member<number>['reach']>): void {
        super.reach(joined, watermark);
        if (watermark >= joined.applied) joined.recent = new RecentChanges(-1n);
      }
    },
  ),
  'takes what was announced before the grant for visible': member(
    class extends Member<number> {
      protected override join(...[joining, grant, now]: Parameters<Member<number>['join']>): void {
        super.join(joining, { ...grant, watermark: grant.announced }, now);
      }
    },
  ),
  'keeps what it asked before the grant': member(
    class extends Member<number> {
      protected override mayKeep(...[joined, question, answer]: Parameters<Member<number>['mayKeep']>): boolean {
        const { incarnation, watermark } = joined;
        return super.mayKeep(joined, { ...question, asked: question.asked ?? { incarnation, watermark } }, answer);
      }
    },
  ),
  'keeps what it asked under another lease': member(
    class extends Member<number> {
      protected override mayKeep(...[joined, question, answer]: Parameters<Member<number>['mayKeep']>): boolean {
        const { incarnation, watermark } = joined;
        return super.mayKeep(joined, { ...question, asked: question.asked && { incarnation, watermark } }, answer);
      }
    },
  ),
  'shares a question whose answer a change has overtaken': member(
    class extends Member<number> {
      protected override mayShare(): boolean {
        return true;
      }
    },
  ),
  'shares a question until a change of its own key': member(
    class extends Member<number> {
      protected override mayShare(...[joined, { key, asked }]: Parameters<Member<number>['mayShare']>): boolean {
        return asked !== null && !joined.recent.anyOfAfter([key], asked.watermark);
      }
    },
  ),
  'shares a question that was asked while a change was announced': member(
    class extends Member<number> {
      protected readonly announcedThen = new Map<string, Position>();
      override lookup(key: string, now: Reading): Lookup<number> {
        const found = super.lookup(key, now);
        if (found.kind === 'ask' && this.state.kind === 'joined') this.announcedThen.set(key, this.state.applied);
        return found;
      }
      protected override mayShare(...[joined, { key }]: Parameters<Member<number>['mayShare']>): boolean {
        return !joined.recent.anyAfter(this.announcedThen.get(key) ?? -1n);
      }
    },
  ),
  'shares a question without a lease': member(
    class extends Member<number> {
      protected readonly asked = new Map<string, Question>();
      override lookup(key: string, now: Reading): Lookup<number> {
        const shared = this.asked.get(key);
        if (this.state.kind !== 'joined' && shared !== undefined) return { kind: 'share', question: shared };
        const found = super.lookup(key, now);
        if (found.kind === 'ask') this.asked.set(key, found.question);
        return found;
      }
      override answered(question: Question, answer: Held<number> | null, now: Reading): void {
        this.asked.delete(question.key);
        super.answered(question, answer, now);
      }
    },
  ),
  'says that it left, and goes on': member(
    class extends Member<number> {
      override giveUp(now: Reading): void {
        const { state } = this;
        const objects = this.held.get('a');
        super.giveUp(now);
        this.state = state;
        if (objects !== undefined) this.held.set('a', objects);
      }
    },
  ),
  'a second join moves the book': {
    ...realCode,
    Members: class extends Members {
      override admit(...[incarnation, from, scope, applied, now]: Parameters<Members['admit']>): boolean {
        this.remove(incarnation);
        return super.admit(incarnation, from, scope, applied, now);
      }
    },
  },
  'forgets too early': {
    ...realCode,
    Members: class extends Members {
      protected override forgetAfterMs(): number {
        return replicaLimits.leaseMs / 3;
      }
    },
  },
  'shows before all have applied': {
    ...realCode,
    Members: class extends Members {
      override haveApplied(): boolean {
        return true;
      }
    },
  },
  'keeps an answer whose changes it does not hear of': member(
    class extends Member<number> {
      protected override coversFrequent(): boolean {
        return true;
      }
      protected override mayShare(): boolean {
        return false;
      }
    },
  ),
  'shares a question whose changes it does not hear of': member(
    class extends Member<number> {
      protected override mayShare(...[joined, question]: Parameters<Member<number>['mayShare']>): boolean {
        return super.mayShare({ ...joined, scope: 'all' }, question);
      }
    },
  ),
  'does not wait for those that cover frequent changes': {
    ...realCode,
    Leader: class extends Leader {
      protected override isApplied(scope: Scope, position: Position): boolean {
        return scope === 'all' || super.isApplied(scope, position);
      }
    },
  },
  'takes a batch with a frequent change for a frequent change': {
    ...realCode,
    Leader: class extends Leader {
      protected override announceTo(scope: Scope, position: Position, changed: Changed, now: Reading): void {
        if (scope === 'all' || !changed.keys.includes('d')) super.announceTo(scope, position, changed, now);
      }
    },
  },
  'answers what was announced': { ...realCode, answersWhatWasAnnounced: true },
  'goes on leading': leadership(
    class extends Leadership {
      override leads(): boolean {
        return true;
      }
    },
  ),
  'opens before it has caught up': leadership(
    class extends Leadership {
      override mayOpen(_: Position, now: Reading): boolean {
        return super.mayOpen(10n ** 9n, now);
      }
    },
  ),
  'reads the end of the log while the other leads': leadership(
    class extends Leadership {
      override headWasRead(head: Position): void {
        this.head ??= head;
      }
    },
  ),
  'does not wait for old leases': leadership(
    class extends Leadership {
      override oldLeasesAreOver(): boolean {
        return true;
      }
    },
  ),
  'counts old leases from the lock': leadership(
    class extends Leadership {
      override oldLeasesAreOver(now: Reading): boolean {
        const leaseMs = replicaLimits.leaseMs * replicaLimits.marginFactor;
        return this.predecessorIsGone || hasPassed(leaseMs, this.tookLockAt, now);
      }
    },
  ),
  'hands over while it has members': {
    ...realCode,
    Leader: class extends Leader {
      override hasHandedOver(): boolean {
        return this.isHandingOver;
      }
    },
  },
} satisfies Record<string, Code>;

function member(made: Code['Member']): Code {
  return { ...realCode, Member: made };
}

function leadership(made: Code['Leadership']): Code {
  return { ...realCode, Leadership: made };
}
