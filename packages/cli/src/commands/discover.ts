import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { UsageError } from '../errors.ts';
import { actionCell, showAgent, showAgents, showCapabilities, showMatches } from '../output/agent-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { showSignedVerdict } from '../output/log-view.ts';
import { agentArgument, ask, type Context, command, orSandbox } from '../program/command.ts';
import { choice, flag, given, integer, limit, noteNext, offset, text, texts } from '../program/option.ts';
import { keyOption, logKeyOf } from '../settings/log-key.ts';

const exitOfAction: Record<string, ExitCode> = {
  proceed: exitCodes.ok,
  proceed_with_limits: exitCodes.withLimits,
  abort: exitCodes.abort,
  block: exitCodes.block,
};

type Verdict = { trust_score: number; flags: readonly string[]; recommended_action: string };

/** The exit code of `verify`: the worst of the agents decides. */
const exitOf = (
  verdicts: readonly Verdict[],
  { minScore, gate }: { minScore?: number | undefined; gate?: boolean | undefined },
): ExitCode | undefined => {
  if (verdicts.some(({ flags }) => flags.includes('unregistered')))
    return gate === true || minScore !== undefined ? exitCodes.block : exitCodes.notFound;
  const worst = verdicts.toSorted((one, other) => one.trust_score - other.trust_score)[0];
  if (worst === undefined) return exitCodes.ok;
  if (minScore !== undefined && worst.trust_score < minScore) return exitCodes.scoreTooLow;
  return gate === true ? exitOfAction[worst.recommended_action] : exitCodes.ok;
};

/** Longest age of a verdict that was asked for now: an older one was kept by somebody in between. */
const verdictAgeSecondsMax = 300;

/**
 * The verdict on an agent whose signature holds. What people are shown, and what decides, is what was signed: the rest of the answer, such as the name of
 * an organisation or an address for payments, is the word of whoever sent it.
 * @throws LogProofError if the signature does not hold, it is on another agent or universe, or the answer says something else
 */
const signedVerdict = async (agentId: string, key: string | undefined, context: Context): Promise<Verdict> => {
  const { client, options } = await context.registry(orSandbox(context, 'none'));
  const { logKey } = await logKeyOf(context, key, client, options);
  const shown = await client.verifySigned({ agent_id: agentId }, options);
  const { LogProofError, verifySignedVerdict } = await import('@agent-trust/client/log');
  const signed = await verifySignedVerdict(
    shown.signed_verdict,
    { logKey },
    { agentId, universe: looksInSandbox(context) ? 'sandbox' : 'production', maxAgeSeconds: verdictAgeSecondsMax },
  );
  const isAsSigned = (['agent_id', 'trust_score', 'trust_policy', 'recommended_action'] as const).every(
    (field) => shown[field] === signed[field],
  );
  if (!isAsSigned)
    throw new LogProofError('malformed_verdict', 'the answer says something else than the verdict that it has signed');
  context.answer(shown, () => showSignedVerdict(signed, logKey, context.out));
  // An unregistered agent has no signed verdict.
  return { ...signed, flags: [] };
};

const looksInSandbox = ({ global }: Context): boolean =>
  global.sandbox === true || global.auth?.split(',').includes('sandbox') === true;

const verify = command({
  path: ['verify'],
  description:
    'The recommended action is proceed from a trust score of 70, proceed with limits from 50, abort below, and block for an unregistered agent.\nWithout --gate and --min-score the exit code is 0 for every registered agent and 5 for an unregistered one. Of several agents, at most 100, the worst decides.',
  arguments: [{ ...agentArgument, repeats: true }],
  options: {
    minScore: integer('--min-score <score>', 'exit with 20 when the score is lower, 23 when unregistered', 0, 100),
    signed: flag(
      '--signed',
      "have the verdict signed by the key of the registry's log, and check the signature; shows what is signed",
    ),
    key: keyOption,
    gate: flag('--gate', 'exit by the recommended action: 0 proceed, 21 with limits, 22 abort, 23 block'),
  },
  examples: {
    'Look before dealing with it': 'agent-trust verify corner-shop',
    'In a script: go on only with a trusted agent': 'agent-trust verify acme-buyer --min-score 70 && echo "deal"',
    'With a signature that is checked': 'agent-trust verify corner-shop --signed',
    'Several at once': 'agent-trust verify corner-shop acme-buyer',
    'The verdict alone':
      'agent-trust verify corner-shop --json | node -p "JSON.parse(fs.readFileSync(0)).recommended_action"',
  },
  run: async ({ args, options, context }) => {
    const [agentId = ''] = args;
    if (options.signed === true) {
      if (args.length > 1) throw new UsageError('--signed takes one agent');
    } else if (options.key !== undefined) throw new UsageError('--key goes together with --signed');
    if (args.length > 1) {
      const verdicts = await ask(
        context,
        orSandbox(context, 'none'),
        (client, asked) => client.verifyBatch({ agent_ids: [...args] }, asked),
        showAgents,
      );
      return exitOf(verdicts, options);
    }
    try {
      if (options.signed === true) return exitOf([await signedVerdict(agentId, options.key, context)], options);
      const verified = await ask(
        context,
        orSandbox(context, 'none'),
        (client, asked) => client.verify({ agent_id: agentId }, asked),
        showAgent,
      );
      return exitOf([verified], options);
    } catch (error) {
      const { status, body } = error as { status?: number; body?: Record<string, unknown> };
      // The refusal is a verdict too, and scripts read it in the same place as the others.
      if (status !== 404 || body?.['recommended_action'] === undefined) throw error;
      const { out } = context;
      context.answer(body, () => {
        const action = actionCell('block', out);
        out.line(
          `${out.paint('bold', safeLine(agentId))}  trust 0/100: ${(action.paint ?? String)(action.text)}; not registered`,
        );
      });
      return exitOf([body as Verdict], options);
    }
  },
});

const match = command({
  path: ['match'],
  description:
    'Best first. At least one condition is needed, and an agent must meet all of them; of several capabilities one is enough. Names of capabilities are resolved by meaning.',
  arguments: [{ name: 'capability', description: 'what the agent should be able to do', optional: true }],
  options: {
    capability: texts('-c, --capability <name>', 'a further capability'),
    rail: texts('--settlement-rail <rail>', 'accepts this rail', ['x402', 'stripe', 'manual']),
    orgName: text('--org-name <name>', 'belongs to this organisation'),
    messageProtocol: choice('--message-protocol <protocol>', 'speaks', ['a2a', 'mcp', 'raw']),
    live: flag('--live', 'answered at least half of its last calls, and one of the newest three'),
    limit: limit(200),
  },
  examples: {
    'Who quotes prices?': 'agent-trust match "price quote"',
    'Who translates over MCP and takes x402?':
      'agent-trust match translation --message-protocol mcp --settlement-rail x402',
    'Who quotes prices, and answers?': 'agent-trust match "price quote" --live',
    'All of one organisation': 'agent-trust match --org-name Acme --limit 10',
  },
  run: async ({ args: [capability = ''], options, context }) => {
    const required = [...(capability === '' ? [] : [capability]), ...(options.capability ?? [])];
    const body = given({
      required_capabilities: required.length === 0 ? undefined : required,
      settlement_rail: options.rail,
      org_name: options.orgName,
      message_protocol: options.messageProtocol,
      live: options.live,
    });
    if (Object.keys(body).length === 0)
      throw new UsageError('name a capability, --settlement-rail, --org-name, --message-protocol or --live');
    await ask(
      context,
      orSandbox(context, 'none'),
      (client, asked) => client.match({ ...body, ...given({ limit: options.limit }) }, asked),
      showMatches,
    );
  },
});

const registry = command({
  path: ['registry'],
  options: {
    limit: limit(200),
    offset: offset(),
    minScore: integer('--min-score <score>', 'only agents with this trust score or more', 0, 100),
    idPrefix: text('--id-prefix <text>', 'only agents whose id begins with this text, in any case'),
  },
  examples: {
    'The ten most trusted': 'agent-trust registry --limit 10',
    'What is the one called that begins with corner?': 'agent-trust registry --id-prefix corner',
    'Trusted ones only, their ids':
      'agent-trust registry --min-score 70 --json | node -p "JSON.parse(fs.readFileSync(0)).map(a => a.agent_id).join()"',
  },
  run: async ({ options, context }) => {
    const query = given({
      limit: options.limit,
      offset: options.offset,
      min_trust_score: options.minScore,
      agent_id_prefix: options.idPrefix,
    });
    await ask(
      context,
      orSandbox(context, 'none'),
      (client, asked) => client.listRegistry(query, asked),
      (page, out) => {
        showAgents(page.agents, out);
        noteNext(page, '', out);
      },
    );
  },
});

const capabilities = command({
  path: ['capabilities'],
  description: 'Those of the registry by category, then the names that agents brought.',
  arguments: [{ name: 'text', description: 'part of a name or alias, at least three characters', optional: true }],
  options: {
    category: text('--category <name>', 'only of this category'),
    limit: limit(1_000),
    offset: offset(),
  },
  examples: {
    'What translation is called here': 'agent-trust capabilities translat',
    'All of a category': 'agent-trust capabilities --category language',
  },
  run: async ({ args: [part = ''], options, context }) => {
    const { category, limit: count, offset: from } = options;
    const query = given({ text: part === '' ? undefined : part, category, limit: count, offset: from });
    await ask(
      context,
      orSandbox(context, 'none'),
      (client, asked) => client.capabilities(query, asked),
      (page, out) => {
        showCapabilities(page.capabilities, out);
        noteNext(page, '', out);
      },
    );
  },
});

const show = command({
  path: ['show'],
  arguments: [agentArgument],
  examples: {
    'Who rated it, and how': 'agent-trust show corner-shop',
    'One of your sandbox': 'agent-trust show acme-draft --sandbox',
  },
  run: async ({ args: [agentId = ''], context }) => {
    await ask(context, orSandbox(context, 'none'), (client, asked) => client.getAgent(agentId, asked), showAgent);
  },
});

const health = command({
  path: ['health'],
  description: 'Exits with 10 when the registry is down.',
  examples: { 'Is it there?': 'agent-trust health' },
  run: async ({ context }) => {
    const { status } = await ask(
      context,
      ['none'],
      (client, asked) => client.health(asked),
      (state, out) => {
        const style = { ok: 'green', degraded: 'yellow', down: 'red' } as const;
        const cell = (part: { status: keyof typeof style; detail?: string | undefined }) => ({
          text: part.detail === undefined ? part.status : `${part.status}: ${part.detail}`,
          paint: (plain: string) => out.paint(style[part.status], plain),
        });
        const { lag } = state.projection;
        const behind = lag === null || lag === 0 ? {} : { detail: `${lag} events behind` };
        out.fields([
          ['registry', cell({ status: state.status })],
          ['address', context.settings().url],
          ['database', cell(state.database)],
          ['event log', cell(state.event_log)],
          ['message bus', cell(state.message_bus)],
          ['jetstream', cell(state.jetstream)],
          ['commands', cell(state.registry_write)],
          ['projection', cell({ ...state.projection, ...behind })],
        ]);
      },
    );
    return status === 'down' ? exitCodes.registryFailed : exitCodes.ok;
  },
});

export const commands = [verify, match, registry, capabilities, show, health];
