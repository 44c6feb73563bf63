import { resolve } from 'node:path';
import { exitCodes } from '../exit-codes.ts';
import { showAgent } from '../output/agent-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { command } from '../program/command.ts';
import { flag, given, text } from '../program/option.ts';
import { publicKeyText, readKeyFile } from '../settings/key-file.ts';
import { saveAgent } from '../settings/save.ts';
import { agentFieldOptions, agentFields } from './agent-fields.ts';
import { askToConfirm } from './confirmation.ts';
import { prepareSave, redeem, showKey } from './redeem.ts';

export const register = command({
  path: ['register'],
  summary: 'Register an agent.',
  description: [
    "With an organisation's key it belongs to the organisation and starts trusted (75); --sandbox registers it in the sandbox.",
    'Without one (--auth none) it starts at 40 and needs --contact-email or a public key, that of --key-file.',
    'The answer has a claim link, which "agent-trust claim" redeems for the bearer key; --claim and --save do so at once.',
  ].join('\n'),
  arguments: [{ name: 'agent_id', description: 'its id, 1 to 128 characters' }],
  options: {
    claim: flag('--claim', 'redeem the claim link at once and show the bearer key (with --json: that answer)'),
    save: flag('--save', 'redeem the claim link at once and keep the bearer key for the next commands'),
    ...agentFieldOptions,
    cloneFrom: text(
      '--clone-from <agent_id>',
      'copy a live agent of the organisation into the sandbox, paired with it',
      'agent',
    ),
  },
  examples: [
    {
      says: "As an organisation's agent, its key kept for the next commands",
      run: 'agent-trust register acme-helper --save',
    },
    {
      says: 'Without an organisation, with an endpoint to be called at',
      run: 'agent-trust register street-stall --auth none --contact-email me@stall.test --capability quoting:2 --endpoint-url http://127.0.0.1:8080/health --http-method GET',
    },
    {
      says: 'With a key of its own, and no e-mail; it signs from then on',
      run: 'agent-trust keygen robot.pem && agent-trust register robot --auth none --key-file robot.pem',
    },
    { says: "In the organisation's sandbox", run: 'agent-trust register acme-draft --sandbox --capability quoting' },
  ],
  run: async ({ args: [agentId = ''], options, context }) => {
    const { out, global } = context;
    const settings = context.settings();
    prepareSave(context, options.save);
    const { keyFile } = global;
    const publicKey = keyFile === undefined ? {} : { public_key: publicKeyText(readKeyFile(keyFile)) };
    const body = {
      ...(await agentFields(options, context.io)),
      ...publicKey,
      ...given({ clone_from_agent_id: options.cloneFrom }),
      agent_id: agentId,
    };
    const { client, options: asked } = await context.registry(
      global.sandbox === true ? ['sandbox'] : ['org', 'none'],
      agentId,
    );
    const registered = await client.register(body, asked);
    if (registered.status === 'capability_confirmation_required') return askToConfirm(registered, context);
    if (options.save === true && keyFile !== undefined) saveAgent(settings, agentId, { key_file: resolve(keyFile) });
    if (options.claim === true || options.save === true) {
      out.note(`${agentId} is registered.`);
      showKey(context, await redeem(context, registered.claim_link), options.save, true);
      return exitCodes.ok;
    }
    context.answer(registered, () => {
      showAgent(registered, out);
      out.line();
      out.line(`claim link  ${out.paint('bold', safeLine(registered.claim_link))}`);
      out.note('It is good for one bearer key: agent-trust claim <link> --save');
    });
    return exitCodes.ok;
  },
});
