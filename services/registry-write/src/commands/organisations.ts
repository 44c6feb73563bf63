import { createHash } from 'node:crypto';
import { organisationStream, type UniverseKind } from '@agent-trust/contracts';
import {
  type CreatedOrganisation,
  findNamedKey,
  type NamedKey,
  type OrganisationState,
  orgIdOfName,
} from '@agent-trust/domain';
import { type CommandDeps, type CommandHandlers, readState, runSingle } from '../run-command.ts';
import { organisationStreams } from '../stream-kinds.ts';

type Handlers = Pick<
  CommandHandlers,
  | 'createOrganisation'
  | 'issueSandboxKey'
  | 'revokeSandboxKey'
  | 'replaceProductionKey'
  | 'disableOrganisation'
  | 'enableOrganisation'
  | 'reissueOrganisationKeys'
  | 'createOrganisationKey'
  | 'replaceOrganisationKey'
  | 'revokeOrganisationKey'
  | 'setOrganisationLimits'
>;

const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Commands to an organisation's stream: exactly one of many concurrent ones succeeds. */
export function organisationCommands(deps: CommandDeps): Handlers {
  return {
    createOrganisation: async ({ actor, ...input }, context) => {
      // The id comes from the name, so the stream makes the name unique.
      const orgId = orgIdOfName(input.orgName, sha256Hex);
      const stream = organisationStream(orgId);
      const command = (now: string) => ({ ...input, type: 'CreateOrganisation', orgId, now }) as const;
      const { state, now, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      return { orgId, orgName: orgNameOf(state), createdAt: now, position };
    },
    issueSandboxKey: async ({ actor, orgId, ...input }, context) => {
      const stream = organisationStream(orgId);
      const command = (now: string) => ({ ...input, type: 'IssueSandboxKey', now }) as const;
      const { state, now, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      return { orgName: orgNameOf(state), createdAt: now, position };
    },
    revokeSandboxKey: async ({ actor, orgId, ...input }, context) => {
      const stream = organisationStream(orgId);
      const command = (now: string) => ({ ...input, type: 'RevokeSandboxKey', now }) as const;
      const { state, now, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      return { orgName: orgNameOf(state), revokedAt: now, position };
    },
    replaceProductionKey: async ({ actor, orgId, ...input }, context) => {
      const stream = organisationStream(orgId);
      const command = (now: string) => ({ ...input, type: 'ReplaceProductionKey', now }) as const;
      const { state, now, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      return { orgName: orgNameOf(state), replacedAt: now, position };
    },
    disableOrganisation: async ({ actor, ...input }, context) => {
      const stream = await streamOf(deps, input.organisation);
      const command = (now: string) => ({ ...input, type: 'DisableOrganisation', now }) as const;
      const { state, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      const { orgId, orgName, disabled } = created(state);
      if (disabled === null) throw new Error('an organisation is in service after a command disabled it');
      return { orgId, orgName, ...disabled, position };
    },
    enableOrganisation: async ({ actor, ...input }, context) => {
      const stream = await streamOf(deps, input.organisation);
      const command = (now: string) => ({ ...input, type: 'EnableOrganisation', now }) as const;
      const { state, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      const { orgId, orgName } = created(state);
      return { orgId, orgName, position };
    },
    reissueOrganisationKeys: async ({ actor, ...input }, context) => {
      const stream = await streamOf(deps, input.organisation);
      const command = (now: string) => ({ ...input, type: 'ReissueOrganisationKeys', now }) as const;
      const { state, now, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      const { orgId, orgName } = created(state);
      return { orgId, orgName, reissuedAt: now, position };
    },
    createOrganisationKey: async ({ actor, orgId, ...input }, context) => {
      const stream = organisationStream(orgId);
      const command = (now: string) => ({ ...input, type: 'CreateOrganisationKey', now }) as const;
      const { state, now, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      const { scopes, expiresAt } = namedKeyOf(state, input.universe, input.keyId);
      return { scopes: [...scopes], createdAt: now, expiresAt, position };
    },
    replaceOrganisationKey: async ({ actor, orgId, ...input }, context) => {
      const stream = organisationStream(orgId);
      const command = (now: string) => ({ ...input, type: 'ReplaceOrganisationKey', now }) as const;
      const written = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      const replaced = written.events.find(({ type }) => type === 'OrganisationKeyReplaced');
      if (replaced?.type !== 'OrganisationKeyReplaced')
        throw new Error('a key was not replaced by the command to do so');
      const { keyId, expiresAt, formerEndsAt } = replaced.data;
      const { name, scopes } = namedKeyOf(written.state, input.universe, keyId);
      const { now: replacedAt, position } = written;
      return { keyId, name, scopes: [...scopes], replacedAt, expiresAt, formerEndsAt, position };
    },
    revokeOrganisationKey: async ({ actor, orgId, ...input }, context) => {
      const stream = organisationStream(orgId);
      const command = (now: string) => ({ ...input, type: 'RevokeOrganisationKey', now }) as const;
      const { state, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      const { keyId, name, revokedAt } = namedKeyOf(state, input.universe, input.key);
      if (revokedAt === null) throw new Error("an organisation's key works after a command revoked it");
      return { keyId, name, revokedAt, position };
    },
    setOrganisationLimits: async ({ actor, ...input }, context) => {
      const stream = await streamOf(deps, input.organisation);
      const command = (now: string) => ({ ...input, type: 'SetOrganisationLimits', now }) as const;
      const { state, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      const { orgId, orgName } = created(state);
      return { orgId, orgName, position };
    },
  };
}

/** The stream of an organisation by its id, or else by its name. */
const streamOf = async (deps: CommandDeps, organisation: string): Promise<string> => {
  const byId = organisationStream(organisation);
  const state = await readState(deps.log, organisationStreams, byId);
  return state.kind === 'created' ? byId : organisationStream(orgIdOfName(organisation, sha256Hex));
};

const created = (organisation: OrganisationState): CreatedOrganisation => {
  if (organisation.kind === 'absent') throw new Error('an organisation does not exist after a command wrote to it');
  return organisation;
};

const namedKeyOf = (organisation: OrganisationState, universe: UniverseKind, key: string): NamedKey =>
  findNamedKey(created(organisation).namedKeys, universe, key);

const orgNameOf = (organisation: OrganisationState): string => created(organisation).orgName;
