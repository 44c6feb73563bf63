import { resolve } from 'node:path';
import { exitCodes } from '../exit-codes.ts';
import { listOr, showAgent } from '../output/agent-view.ts';
import { safeLine, safeLines } from '../output/safe-text.ts';
import { ask, command, orSandbox } from '../program/command.ts';
import { flag, given, text } from '../program/option.ts';
import { publicKeyText, readKeyFile } from '../settings/key-file.ts';
import { saveAgent } from '../settings/save.ts';
import { agentFieldOptions, agentFields, askToConfirm } from './agent-fields.ts';
import { prepareSave, redeem, showKey } from './keys.ts';

const register = command({
  path: ['register'],
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
  examples: {
    "As an organisation's agent, its key kept for the next commands": 'agent-trust register acme-helper --save',
    'Without an organisation, with an endpoint for calls':
      'agent-trust register street-stall --auth none --contact-email me@stall.test --capability quoting:2 --endpoint-url http://127.0.0.1:8080/health --http-method GET',
    'With a key of its own, and no e-mail; it signs from then on':
      'agent-trust keygen robot.pem && agent-trust register robot --auth none --key-file robot.pem',
    "In the organisation's sandbox": 'agent-trust register acme-draft --sandbox --capability quoting',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    const { out, global } = context;
    const settings = context.settings();
    prepareSave(context, options.save);
    const { keyFile } = global;
    const body = {
      ...(await agentFields(options, context.io)),
      ...(keyFile === undefined ? {} : { public_key: publicKeyText(readKeyFile(keyFile)) }),
      ...given({ clone_from_agent_id: options.cloneFrom }),
      agent_id: agentId,
    };
    const { client, options: asked } = await context.registry(orSandbox(context, 'org', 'none'), agentId);
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

const importAgent = command({
  path: ['import'],
  description: 'Nothing is stored.',
  arguments: [{ name: 'domain', description: 'a domain or address, like agents.example.com' }],
  examples: {
    'What does the card say, and what is missing?': 'agent-trust import agents.example.com',
    'Register what it says, with what is missing; the note of the preview tells whether it is --a2a-compliant':
      'agent-trust import agents.example.com --json | node -p "JSON.stringify(JSON.parse(fs.readFileSync(0)).preview)" | agent-trust register my-agent --a2a-compliant yes --fields -',
  },
  run: async ({ args: [domain = ''], context }) => {
    await ask(
      context,
      ['none'],
      (client, asked) => client.importAgent({ domain_url: domain }, asked),
      ({ preview, ...found }, out) => {
        out.fields([
          ['card', found.source_url],
          ['organisation', preview.org_name ?? 'none'],
          ['specialty', preview.specialty ?? 'none'],
          ['endpoint', preview.endpoint_url ?? 'none'],
          ['capabilities', listOr(preview.capabilities.map(({ name }) => String(name)))],
          ['missing', listOr(found.missing_fields, 'nothing')],
        ]);
        out.line();
        out.line(safeLines(found.note));
      },
    );
  },
});

export const commands = [register, importAgent];
