import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { actionCell, showAgent } from '../output/agent-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { command } from '../program/command.ts';
import { flag, integer } from '../program/option.ts';
import { readAs } from './read-as.ts';

const exitOfAction: Record<string, ExitCode> = {
  proceed: exitCodes.ok,
  proceed_with_limits: exitCodes.withLimits,
  abort: exitCodes.abort,
  block: exitCodes.block,
};

export const verify = command({
  path: ['verify'],
  summary: 'How far an agent can be trusted.',
  description:
    'The recommended action is proceed from a trust score of 70, proceed with limits from 50, abort below, and block for an unregistered agent.\nWithout --gate and --min-score the exit code is 0 for every registered agent and 5 for an unregistered one.',
  arguments: [{ name: 'agent_id', description: 'the agent', values: 'agent' }],
  options: {
    minScore: integer('--min-score <score>', 'exit with 20 when the score is lower, 23 when unregistered', 0, 100),
    gate: flag('--gate', 'exit by the recommended action: 0 proceed, 21 with limits, 22 abort, 23 block'),
  },
  examples: [
    { says: 'Look before dealing with it', run: 'agent-trust verify corner-shop' },
    {
      says: 'In a script: go on only with a trusted agent',
      run: 'agent-trust verify acme-buyer --min-score 70 && echo "deal"',
    },
    {
      says: 'The verdict alone',
      run: 'agent-trust verify corner-shop --json | node -p "JSON.parse(fs.readFileSync(0)).recommended_action"',
    },
  ],
  run: async ({ args: [agentId = ''], options, context }) => {
    const { out } = context;
    const { client, options: asked } = await readAs(context);
    try {
      const agent = await client.verify({ agent_id: agentId }, asked);
      context.answer(agent, () => showAgent(agent, out));
      if (options.minScore !== undefined && agent.trust_score < options.minScore) return exitCodes.scoreTooLow;
      return options.gate === true ? exitOfAction[agent.recommended_action] : exitCodes.ok;
    } catch (error) {
      const { status, body } = error as { status?: number; body?: Record<string, unknown> };
      // The refusal is a verdict too, and scripts read it in the same place as the others.
      if (status !== 404 || body?.['recommended_action'] === undefined) throw error;
      context.answer(body, () => {
        const action = actionCell('block', out);
        out.line(
          `${out.paint('bold', safeLine(agentId))}  trust 0/100: ${(action.paint ?? String)(action.text)}; not registered`,
        );
      });
      return options.gate === true || options.minScore !== undefined ? exitCodes.block : exitCodes.notFound;
    }
  },
});
