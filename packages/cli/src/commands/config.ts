import { readConfig } from '../settings/config-file.ts';
import { saveAgent, saveProfile } from '../settings/save.ts';
import { safeLine } from '../output/safe-text.ts';
import { agentArgument, type Argument, command, type Context } from '../program/command.ts';
import type { Settings } from '../settings/settings.ts';
import { UsageError } from '../errors.ts';

const show = command({
  path: ['config', 'show'],
  summary: 'What is saved, without showing a key.',
  examples: { 'Which registry, which agents, which keys?': 'agent-trust config show' },
  run: async ({ context }) => {
    const { configFile, profileName, url, agentId } = context.settings();
    const profiles = Object.entries(readConfig(configFile).profiles).map(([name, profile]) => ({
      name,
      url: profile.url ?? null,
      org_name: profile.org_name ?? null,
      has_org_key: profile.org_key !== undefined,
      has_sandbox_key: profile.sandbox_key !== undefined,
      agent_id: profile.agent_id ?? null,
      log_key: profile.log_key ?? null,
      agents: Object.entries(profile.agents ?? {}).map(([agent_id, agent]) => ({
        agent_id,
        has_agent_key: agent.agent_key !== undefined,
        key_file: agent.key_file ?? null,
      })),
    }));
    context.answer({ config_file: configFile, url, profile: profileName, agent_id: agentId ?? null, profiles }, () => {
      const { out } = context;
      const yes = (is: boolean): string => (is ? 'saved' : 'none');
      out.fields([
        ['config file', configFile],
        ['registry', url],
        ['profile', profileName],
        ['acting agent', agentId ?? 'none'],
      ]);
      for (const profile of profiles) {
        out.line();
        out.line(out.paint('bold', safeLine(profile.name)));
        out.fields([
          ['registry', profile.url ?? ''],
          ['organisation', profile.org_name ?? 'none'],
          ['production key', yes(profile.has_org_key)],
          ['sandbox key', yes(profile.has_sandbox_key)],
          ['key of the log', profile.log_key ?? 'none'],
          ...profile.agents.map(({ agent_id: id, has_agent_key: has, key_file: file }) => {
            const signs = file === null ? '' : `, signs with ${file}`;
            return ['agent', `${id}${id === profile.agent_id ? ' (acts)' : ''}: key ${yes(has)}${signs}`] as const;
          }),
        ]);
      }
    });
  },
});

const savedAgent: Argument = { ...agentArgument, description: 'a saved agent' };

const ensureSaved = (agentId: string, context: Context): Settings => {
  const settings = context.settings();
  if (Object.hasOwn(settings.profile.agents ?? {}, agentId)) return settings;
  throw new UsageError(
    `${agentId} is not saved in profile ${settings.profileName}: "agent-trust config show" lists those that are`,
  );
};

const use = command({
  path: ['config', 'use'],
  summary: 'Choose which of the saved agents acts from now on.',
  arguments: [savedAgent],
  examples: { 'acme-buyer calls and reviews': 'agent-trust config use acme-buyer' },
  run: async ({ args: [agentId = ''], context }) => {
    saveAgent(ensureSaved(agentId, context), agentId, {}, true);
    context.answer({ agent_id: agentId }, () => context.out.line(`${safeLine(agentId)} acts from now on.`));
  },
});

const forget = command({
  path: ['config', 'forget'],
  summary: 'Remove what is saved of an agent. Nothing is sent to the registry.',
  arguments: [savedAgent],
  run: async ({ args: [agentId = ''], context }) => {
    saveProfile(ensureSaved(agentId, context), (profile) => {
      profile.agents = Object.fromEntries(Object.entries(profile.agents ?? {}).filter(([id]) => id !== agentId));
      if (profile.agent_id === agentId) delete profile.agent_id;
    });
    context.answer({ agent_id: agentId }, () => context.out.line(`${safeLine(agentId)} is forgotten here.`));
  },
});

export const commands = [show, use, forget];
