import { type InputHTMLAttributes, type ReactElement, type ReactNode, useId } from 'react';
import styles from './field.module.css';

export type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'onChange' | 'value'> & {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** What is expected, or why the value is refused. */
  hint?: ReactNode;
  error?: string | undefined;
};

/** An input with its label. Nothing is filled in, corrected or remembered by the browser. */
export function Field({ label, value, onValue, hint, error, ...input }: FieldProps): ReactElement {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...input}
        id={id}
        value={value}
        onChange={({ target }) => onValue(target.value)}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
      />
      <span id={`${id}-hint`} className={error === undefined ? styles['hint'] : styles['error']}>
        {error ?? hint}
      </span>
    </div>
  );
}

export type LinesProps = Pick<FieldProps, 'label' | 'value' | 'onValue' | 'hint'>;

/** A few lines of text with their label. */
export function Lines({ label, value, onValue, hint }: LinesProps): ReactElement {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <textarea
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        rows={2}
        id={id}
        value={value}
        onChange={({ target }) => onValue(target.value)}
        aria-describedby={`${id}-hint`}
      />
      <span id={`${id}-hint`} className={styles['hint']}>
        {hint}
      </span>
    </div>
  );
}

export type ChoiceProps = {
  label: string;
  value: string;
  options: readonly { value: string; text: string }[];
  onValue: (value: string) => void;
  hint?: ReactNode;
};

/** One of a few values, as the browser's own select. */
export function Choice({ label, value, options, onValue, hint }: ChoiceProps): ReactElement {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onValue(target.value)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </span>
      )}
    </div>
  );
}
