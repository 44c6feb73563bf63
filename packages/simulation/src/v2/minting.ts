import { registerAttackers, registerHonestDomains } from '../market.ts';
import { SimulatedRegistry } from '../simulated-registry.ts';
import { atMost, type AttackV2, below50, type CaseV2, played, promise, type PromiseV2, trusted } from './attack-v2.ts';
import {
  agentsPerOrganisation,
  cheat,
  customersMax,
  organisation,
  reviewInRounds,
  serve,
  trustedFrom,
} from './moves.ts';

const fresh = 40;
/** Unaffiliated customers, each raised by as many good services to honest organisations. */
const nobodies = { count: 40, services: 5 };

/** An organisation burns forty fresh agents. The control 'no record' knows it by its name. */
const mintingCase = (
  label: string,
  victims: PromiseV2,
  {
    wanted = trustedFrom,
    isEstablished = true,
    goodReviews = 0,
    colluders = 0,
    byNobodies = false,
  }: {
    wanted?: number;
    isEstablished?: boolean;
    goodReviews?: number;
    colluders?: number;
    byNobodies?: boolean;
  } = {},
): CaseV2 => ({
  label,
  figures: { 'victims of 40 fresh agents': victims },
  play: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random, 8, isEstablished);
    const ring = registerAttackers(registry, colluders, agentsPerOrganisation);
    const customers = byNobodies
      ? Array.from({ length: nobodies.count }, (_, index) => {
          const customer = registry.register(`nobody-${index}`);
          serve(registry, honest.nextReviewer, customer, nobodies.services);
          return customer;
        })
      : [];
    let met = 0;
    const nextCustomer = byNobodies ? () => customers[met++ % customers.length] ?? '' : honest.nextReviewer;
    const mint = (name: string): string => registry.register(`minted.test/${name}`, organisation('minted.test'));
    const mintedBefore = goodReviews === 0 ? [] : Array.from({ length: fresh }, (_, index) => mint(`${index}`));
    if (goodReviews > 0) serve(registry, honest.nextReviewer, mint('good'), goodReviews);
    const scores: (number | null)[] = [];
    let victims = 0;
    for (let number = 0; number < fresh; number += 1) {
      const agent = mintedBefore[number] ?? mint(`${number}`);
      victims += cheat(registry, nextCustomer, agent, { wanted, count: customersMax, scores });
      scores.push(null);
      if (colluders > 0) reviewInRounds(registry, ring, agent, { rounds: 1 });
    }
    return played({ 'victims of 40 fresh agents': victims }, scores);
  },
});

const minting: AttackV2 = {
  name: 'minting',
  title: 'An organisation burns 40 fresh agents',
  steps: 'customers of one agent after the other',
  marks: [trusted, below50],
  cases: [
    mintingCase('customers want 70', promise(atMost(3), 'no record')),
    mintingCase('all minted beforehand, after 100 good reviews', promise(atMost(10), 'no record'), {
      goodReviews: 100,
    }),
    mintingCase('customers want 50, nobody established', promise(atMost(8), 'no record'), {
      wanted: 50,
      isEstablished: false,
    }),
    mintingCase('3 colluders praise in between', promise(atMost(5), 'no record'), { colluders: 3 }),
    mintingCase('all customers are unaffiliated', null, { byNobodies: true }),
  ],
};

const frauds = 60;

/** Each fraud by a fresh agent of one organisation comes after honest services of other fresh ones. */
const dilutedCase = (services: number, found: PromiseV2): CaseV2 => ({
  label: `${services} good ${services === 1 ? 'service' : 'services'} each`,
  figures: { '% of frauds that find a victim': found },
  play: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const scores: (number | null)[] = [];
    let victims = 0;
    for (let number = 0; number < frauds; number += 1) {
      for (let service = 0; service < services; service += 1) {
        const good = registry.register(`minted.test/good-${number}-${service}`, organisation('minted.test'));
        serve(registry, honest.nextReviewer, good, 1);
      }
      const fraud = registry.register(`minted.test/${number}`, organisation('minted.test'));
      scores.push(registry.score(fraud));
      victims += cheat(registry, honest.nextReviewer, fraud, { count: 1 });
    }
    return played({ '% of frauds that find a victim': (100 * victims) / frauds }, scores);
  },
});

const dilutedMinting: AttackV2 = {
  name: 'diluted-minting',
  title: 'For each fraud by a fresh agent of one organisation, others of it serve well',
  steps: 'frauds, with the score that each begins at',
  marks: [trusted],
  cases: [dilutedCase(1, promise(atMost(50), 'no record')), dilutedCase(3, null), dilutedCase(9, null)],
};

/** One organisation's agents are thrown away. */
export const mintingRows: readonly AttackV2[] = [minting, dilutedMinting];
