import { exitCodes } from '../exit-codes.ts';
import { command } from '../program/command.ts';

export const health = command({
  path: ['health'],
  summary: 'State of the registry and of what it depends on. Exits with 10 when it is down.',
  arguments: [],
  options: {},
  examples: [{ says: 'Is it there?', run: 'agent-trust health' }],
  run: async ({ context }) => {
    const { out } = context;
    const { client, options } = await context.registry(['none']);
    const state = await client.health(options);
    context.answer(state, () => {
      const style = { ok: 'green', degraded: 'yellow', down: 'red' } as const;
      const cell = (status: keyof typeof style, detail?: string) => ({
        text: detail === undefined ? status : `${status}: ${detail}`,
        paint: (text: string) => out.paint(style[status], text),
      });
      const { lag } = state.projection;
      out.fields([
        ['registry', cell(state.status)],
        ['address', context.settings().url],
        ['database', cell(state.database.status, state.database.detail)],
        ['event log', cell(state.event_log.status, state.event_log.detail)],
        ['message bus', cell(state.message_bus.status, state.message_bus.detail)],
        [
          'projection',
          cell(state.projection.status, lag === null || lag === 0 ? state.projection.detail : `${lag} events behind`),
        ],
      ]);
    });
    return state.status === 'down' ? exitCodes.registryFailed : exitCodes.ok;
  },
});
