import type { TrustPolicies, TrustPolicy } from '@agent-trust/client';
import { type FormEvent, type ReactElement, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { Section } from '../../ui/section.tsx';
import { type Draft, draftOf, fieldsOf, policyOf } from './policy-form.ts';

export type PolicyFormProps = {
  base: TrustPolicy;
  schema: TrustPolicies['schema'];
  onTry: (policy: TrustPolicy) => void;
};

/** A policy as a form that its schema makes. */
export function PolicyForm({ base, schema, onTry }: PolicyFormProps): ReactElement {
  const [draft, setDraft] = useState(() => draftOf(base));
  const send = (event: FormEvent): void => {
    event.preventDefault();
    onTry(policyOf(draft, base));
  };
  return (
    <Section title="A policy to try">
      <form onSubmit={send}>
        <div className="row">
          <Field
            label="Name"
            value={draft.name}
            onValue={(name) => setDraft({ ...draft, name })}
            required
            maxLength={64}
            hint="a name always means the same policy"
          />
          {fieldsOf(schema).map(({ name, min, max, isWhole, hint }) => (
            <Field
              key={name}
              label={name}
              type="number"
              min={min}
              max={max}
              step={isWhole ? 1 : 'any'}
              required
              value={draft.constants[name] ?? ''}
              onValue={(value) => setDraft({ ...draft, constants: { ...draft.constants, [name]: value } })}
              hint={hint}
            />
          ))}
          {draft.priors !== null && (
            <Priors priors={draft.priors} onPriors={(priors) => setDraft({ ...draft, priors })} />
          )}
        </div>
        <p>
          <button type="submit" className="primary">
            Take it to the lab
          </button>
        </p>
      </form>
    </Section>
  );
}

type PriorsProps = { priors: NonNullable<Draft['priors']>; onPriors: (priors: NonNullable<Draft['priors']>) => void };

/** What agents start from, of a policy that says so itself. */
function Priors({ priors, onPriors }: PriorsProps): ReactElement {
  return (
    <>
      {(['verified', 'unverified'] as const).map((kind) => (
        <Field
          key={kind}
          label={`prior, ${kind}`}
          type="number"
          min={0}
          max={100}
          step="any"
          required
          value={priors[kind]}
          onValue={(value) => onPriors({ ...priors, [kind]: value })}
        />
      ))}
    </>
  );
}
