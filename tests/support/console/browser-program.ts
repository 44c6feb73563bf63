import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/** The browser of this machine, from the PATH; null if it has none. */
export function findBrowser(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable) ?? null;
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Never the reader's own profile, and nothing that the browser does by itself. */
export const browserArguments: readonly string[] = [
  // Chromium has no sandbox for root, as whom continuous integration runs. It opens only pages of the registry under test.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
];

/** How a developer gets a browser. */
export const howToGetOne =
  'The tests of the console need Chromium on the PATH: apt-get install chromium (Debian, Ubuntu), or brew install --cask chromium.';
