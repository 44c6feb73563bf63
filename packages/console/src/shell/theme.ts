/** `system`: as the reader's system. The choice is in memory alone, and gone with the tab. */
export type Theme = 'system' | 'light' | 'dark';

const listeners = new Set<() => void>();
let theme: Theme = 'system';

export function currentTheme(): Theme {
  return theme;
}

export function chooseTheme(chosen: Theme): void {
  theme = chosen;
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
  for (const listener of listeners) listener();
}

/** Calls `listener` when the colours change, by the reader or the system. Returns what ends that. */
export function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', listener);
  listeners.add(listener);
  return () => {
    system.removeEventListener('change', listener);
    listeners.delete(listener);
  };
}
