import type { TrustPolicies, TrustPolicy } from '@agent-trust/client';
import { type FormEvent, type ReactElement, useState } from 'react';
import { Choice, Field, Lines } from '../../ui/field.tsx';
import { Section } from '../../ui/section.tsx';
import { type ConstantField, type Draft, draftOf, fieldsOf, policyOf } from './policy-form.ts';

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
          {fieldsOf(schema).map((field) => (
            <Constant
              key={field.name}
              field={field}
              value={draft.constants[field.name] ?? ''}
              onValue={(value) => setDraft({ ...draft, constants: { ...draft.constants, [field.name]: value } })}
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

type ConstantProps = { field: ConstantField; value: string; onValue: (value: string) => void };

function Constant({ field, value, onValue }: ConstantProps): ReactElement {
  const { name, hint } = field;
  switch (field.kind) {
    case 'number': {
      const { min, max, isWhole } = field;
      const range = { type: 'number', min, max, step: isWhole ? 1 : 'any', required: true } as const;
      return <Field label={name} {...range} value={value} onValue={onValue} hint={hint} />;
    }
    case 'choice': {
      const options = field.words.map((word) => ({ value: word, text: word }));
      return <Choice label={name} value={value} options={options} onValue={onValue} hint={hint} />;
    }
    case 'names':
      return <Lines label={name} value={value} onValue={onValue} hint={`${hint} One a line.`} />;
    default:
      return field satisfies never;
  }
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
