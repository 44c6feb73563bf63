import { type Stack, startStack } from '@agent-trust/dev-stack';
import { openEventLog } from '@agent-trust/event-log';
import pg from 'pg';
import { appendStreams } from '../support/history.ts';
import { makeMarket } from '../support/market.ts';
import { httpTo } from '../support/registry.ts';
import { startHelper } from './helper-process.ts';
import { benchRandomVerify, type ReadBench } from './reads.ts';
import { load, type LoadFigures, type LoadTarget } from './load.ts';
import { directRanking, readMarket } from './match-direct.ts';
import { marketPrefix, type MatchQuestion, matchQuestions } from './match-questions.ts';
import { untilProjected } from './until-projected.ts';

export const matchConnections = 16;
/** A small market, for comparison with the large one. */
const fewAgents = 1_000;
/** Seconds for each query alone. The mix of all queries runs as long as the other benchmarks. */
const questionSeconds = 3;
const answersComparedMax = 200;

export type MarketBench = {
  agents: number;
  /** Requests that send all queries in turn. */
  mix: LoadFigures;
  byQuestion: Readonly<Record<string, LoadFigures>>;
  /** Answers that differ from the formula, in words. */
  broken: string[];
};
export type MatchBench = {
  few: MarketBench;
  many: MarketBench;
  /** Null without `--large`. */
  million: MarketBench | null;
  ceiling: LoadFigures;
  /** POST /verify of a random agent of the large market. */
  randomVerify: ReadBench;
};

const target = (stack: Stack, ...questions: MatchQuestion[]): LoadTarget => ({
  url: `${stack.url}/match`,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  bodies: questions.map((question) => JSON.stringify(question)),
});

/** Its own stack, so that the market holds no other agents. */
const inMarket = async <Result>(agentCount: number, work: (stack: Stack) => Promise<Result>): Promise<Result> => {
  const stack = await startStack({ ephemeral: true, env: { ...process.env, REGISTRATIONS_PER_MINUTE: '0' } });
  try {
    const databaseUrl = stack.postgresUrl;
    if (databaseUrl === undefined) throw new Error('The benchmark needs the embedded database: unset DATABASE_URL.');
    const log = await openEventLog(databaseUrl);
    const { position } = await appendStreams(log, makeMarket({ seed: 1, agentCount, prefix: marketPrefix }));
    await log.close();
    await untilProjected(stack, position);
    return await work(stack);
  } finally {
    await stack.stop();
  }
};

const brokenAnswers = async (stack: Stack): Promise<string[]> => {
  const client = new pg.Client({ connectionString: stack.postgresUrl });
  await client.connect();
  try {
    const market = await readMarket(client);
    const broken: string[] = [];
    for (const [name, question] of Object.entries(matchQuestions)) {
      const query = { ...question, limit: answersComparedMax };
      const { body } = await httpTo(stack.url).post('/match', query);
      const answered = (body as unknown as { agent_id: string; match_score: number }[]).map(
        ({ agent_id: id, match_score: score }) => ({ id, score }),
      );
      const expected = directRanking(market, question).slice(0, answersComparedMax);
      if (JSON.stringify(answered) !== JSON.stringify(expected)) broken.push(`${name}: not the ranking of the formula`);
    }
    return broken;
  } finally {
    await client.end();
  }
};

const benchMarket = async (stack: Stack, agents: number, seconds: number): Promise<MarketBench> => {
  const byQuestion: Record<string, LoadFigures> = {};
  for (const [name, question] of Object.entries(matchQuestions)) {
    byQuestion[name] = await load(target(stack, question), matchConnections, questionSeconds);
  }
  const mix = await load(target(stack, ...Object.values(matchQuestions)), matchConnections, seconds);
  return { agents, mix, byQuestion, broken: await brokenAnswers(stack) };
};

/** POST /match in a market of a thousand agents and in a large one, compared with a bare fastify route that returns the same bytes. */
export async function benchMatch(
  manyAgents: number,
  seconds: number,
  millionAgents: number | null,
): Promise<MatchBench> {
  const few = await inMarket(fewAgents, (stack) => benchMarket(stack, fewAgents, seconds));
  const million =
    millionAgents === null
      ? null
      : await inMarket(millionAgents, (stack) => benchMarket(stack, millionAgents, seconds));
  return inMarket(manyAgents, async (stack) => {
    const many = await benchMarket(stack, manyAgents, seconds);
    const randomVerify = await benchRandomVerify(
      stack,
      { prefix: `${marketPrefix}-agent-`, agents: manyAgents },
      seconds,
    );
    const [question = {}] = Object.values(matchQuestions);
    const { body } = await httpTo(stack.url).post('/match', question);
    const bare = await startHelper('bare-fastify.ts', JSON.stringify(body));
    try {
      const ceiling = await load({ ...target(stack, question), url: bare.url }, matchConnections, questionSeconds);
      return { few, many, million, ceiling, randomVerify };
    } finally {
      await bare.stop();
    }
  });
}
