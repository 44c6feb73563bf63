import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { LinkSignInNote } from './link-sign-in-note.tsx';
import { navigation } from './navigation.ts';
import { SessionButton } from './session-button.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import styles from './layout.module.css';

/** What every page has around it. */
export function Layout(): ReactElement {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const former = useRef(path);
  useEffect(() => {
    // A screen reader continues at the new page, not at the link that led to it.
    if (former.current !== undefined && former.current !== path) main.current?.focus();
    former.current = path;
  }, [path]);
  return (
    <>
      <a className={styles['skip']} href="#content" onClick={(event) => focusOn(event, main.current)}>
        Skip to the content
      </a>
      <header className={styles['header']}>
        <p className={styles['name']}>
          <Link to="/">Agent Trust Registry</Link>
        </p>
        <nav aria-label="Pages" className={styles['nav']}>
          {navigation.map(({ to, title }) => (
            <Link key={to} to={to} activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
              {title}
            </Link>
          ))}
        </nav>
        <div className={styles['tools']}>
          <ThemeSwitch />
          <SessionButton />
        </div>
      </header>
      <main id="content" ref={main} tabIndex={-1} className={styles['main']}>
        <LinkSignInNote />
        <Outlet />
      </main>
    </>
  );
}

/** The address stays that of the page: a fragment would be a place of its own in the history. */
const focusOn = (event: { preventDefault: () => void }, target: HTMLElement | null): void => {
  event.preventDefault();
  target?.focus();
};
