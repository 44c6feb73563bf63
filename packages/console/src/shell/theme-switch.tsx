import { type ReactElement, useSyncExternalStore } from 'react';
import { chooseTheme, currentTheme, onThemeChange, type Theme } from './theme.ts';

/** Light, dark, or as the system. */
export function ThemeSwitch(): ReactElement {
  const theme = useSyncExternalStore(onThemeChange, currentTheme);
  return (
    <select aria-label="Colours" value={theme} onChange={({ target }) => chooseTheme(target.value as Theme)}>
      <option value="system">System colours</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}
