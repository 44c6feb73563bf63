import { type RegistryClient, RegistryError } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import type { Held } from '../../session/session.ts';
import { sessionStore, useSession } from '../../session/use-session.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { Empty } from '../../ui/states.tsx';
import { KeyStep, type KeyStepProps } from './key-step.tsx';

type Step = 'replace production' | 'create sandbox' | 'replace sandbox' | 'revoke sandbox';

const titles: Readonly<Record<Step, string>> = {
  'replace production': 'Replace the production key?',
  'create sandbox': 'Create a sandbox key?',
  'replace sandbox': 'Replace the sandbox key?',
  'revoke sandbox': 'Revoke the sandbox key?',
};

const keys: readonly { name: string; opens: string; steps: readonly { step: Step; word: string }[] }[] = [
  { name: 'Production', opens: 'everything in production', steps: [{ step: 'replace production', word: 'Replace' }] },
  {
    name: 'Sandbox',
    opens: 'everything in the sandbox',
    steps: [
      { step: 'create sandbox', word: 'Create' },
      { step: 'replace sandbox', word: 'Replace' },
      { step: 'revoke sandbox', word: 'Revoke' },
    ],
  },
];

/** The two keys of the organisation itself, which its production key changes. */
export function OwnKeys(): ReactElement {
  const { organisation } = useSession();
  const [step, setStep] = useState<Step | null>(null);
  return (
    <Section title="The organisation's own two keys">
      {organisation === null || organisation.rights !== null ? (
        <Empty>Sign in with the production key itself, no named key, to change the two.</Empty>
      ) : (
        <>
          <DataTable
            caption="Production and sandbox key"
            hidesCaption
            columns={[
              { head: 'Key', cell: ({ name }) => name },
              { head: 'Opens', cell: ({ opens }) => opens },
              {
                head: 'Change',
                cell: ({ name, steps }) => (
                  <span className="row">
                    {steps.map(({ step: one, word }) => (
                      <button
                        key={one}
                        type="button"
                        className={word === 'Revoke' ? 'small danger' : 'small'}
                        onClick={() => setStep(one)}
                      >
                        {word}
                        <span className="visually-hidden"> the {name.toLowerCase()} key</span>
                      </button>
                    ))}
                  </span>
                ),
              },
            ]}
            rows={keys}
            keyOf={({ name }) => name}
          />
          {step !== null && (
            <Dialog title={titles[step]} isOpen onClose={() => setStep(null)}>
              <KeyStep {...stepOf(step, organisation)} />
            </Dialog>
          )}
        </>
      )}
    </Section>
  );
}

/** What a step does. This tab goes on with the new keys; named keys stay as they are. */
const stepOf = (step: Step, organisation: Held): KeyStepProps => {
  const org = (client: RegistryClient) => client.with({ orgKey: organisation.key }).org;
  switch (step) {
    case 'replace production':
      return {
        effect:
          'Whatever uses the former key is refused from now on. This tab goes on with the new one. Claim links that were asked for with it, and named keys, go on working.',
        action: 'Replace',
        isDangerous: true,
        change: async (client) => {
          const { api_key: key } = await org(client).rotateKey();
          sessionStore.signIn('organisation', { ...organisation, key });
          return key;
        },
      };
    case 'create sandbox':
      return {
        effect: 'It opens the sandbox and the agents there. There is one at a time: the former one must be revoked.',
        action: 'Create',
        change: async (client) => (await org(client).issueSandboxKey()).sandbox_api_key,
      };
    case 'replace sandbox':
      return {
        effect: 'The former key is revoked, then a new one is made. The sandbox and its agents stay.',
        action: 'Replace',
        isDangerous: true,
        change: async (client) => {
          await org(client).revokeSandboxKey().catch(unlessAbsent);
          const { sandbox_api_key: key } = await org(client).issueSandboxKey();
          const { sandbox } = sessionStore.get();
          if (isOwnSandbox(sandbox, organisation)) sessionStore.signIn('sandbox', { ...sandbox, key });
          return key;
        },
      };
    case 'revoke sandbox':
      return {
        effect: 'From now on it works nowhere. The sandbox and its agents stay, for the next key.',
        action: 'Revoke',
        isDangerous: true,
        change: async (client) => {
          await org(client).revokeSandboxKey();
          if (isOwnSandbox(sessionStore.get().sandbox, organisation)) sessionStore.signOut('sandbox');
          return null;
        },
      };
    default:
      return step satisfies never;
  }
};

/** A replacement that was broken off after the first half is repeated with none to revoke. */
const unlessAbsent = (error: unknown): void => {
  if (!(error instanceof RegistryError && error.code === 'sandbox_key_absent')) throw error;
};

/** Whether this tab holds the sandbox key itself of the same organisation. */
const isOwnSandbox = (sandbox: Held | null, { organisation }: Held): sandbox is Held =>
  sandbox !== null && sandbox.rights === null && sandbox.organisation === organisation;
