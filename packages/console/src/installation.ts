import { type PageSettings, pageSettingsName } from './page-settings.ts';

const element = document.querySelector<HTMLMetaElement>(`meta[name="${pageSettingsName}"]`);

/** The settings of this installation, from the page that the gateway made. */
export const installation: PageSettings =
  element === null ? { traceUrl: null, chainExplorers: {} } : (JSON.parse(element.content) as PageSettings);
