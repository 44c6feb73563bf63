import { Content, List, Root, Trigger } from '@radix-ui/react-tabs';
import type { ReactElement, ReactNode } from 'react';
import styles from './tabs.module.css';

export type Tab = { id: string; title: string; content: ReactNode };

export type TabsProps = {
  /** What the tabs are of, for screen readers. */
  label: string;
  tabs: readonly Tab[];
  /** Which one is open; pages keep it in the address. */
  open: string;
  onOpen: (id: string) => void;
};

/** Tabs: arrow keys move between them, and only the open one is drawn. */
export function Tabs({ label, tabs, open, onOpen }: TabsProps): ReactElement {
  return (
    <Root value={open} onValueChange={onOpen}>
      <List className={styles['list']} aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Trigger key={id} value={id} className={styles['tab']}>
            {title}
          </Trigger>
        ))}
      </List>
      {tabs.map(({ id, content }) => (
        <Content key={id} value={id} className={styles['content']}>
          {content}
        </Content>
      ))}
    </Root>
  );
}
