/** A panel without its place: what it asks, and how it is read. */
export type Panel = {
  title: string;
  /** What is shown, what is usual, and what to make of it. */
  description: string;
  /** Of Grafana: `s`, `reqps`, `short` … */
  unit: string;
  queries: readonly Query[];
  kind?: 'timeseries' | 'stat';
  /** Values on top of each other, for parts of a whole. */
  stacked?: boolean;
  /** Upper end of the scale, such as 1 of a share. */
  max?: number;
  /** From this value on the panel is red. */
  redFrom?: number;
  /** Words instead of numbers. */
  words?: Readonly<Record<string, string>>;
};

/** An expression, and the name of each of its lines: text and `{{label}}`. */
export type Query = { expression: string; legend: string };
export type Row = { title: string; panels: readonly Panel[] };

/** The usual three quantiles as lines of one panel. */
export function quantiles(of: (at: number) => string, legend = ''): Query[] {
  return [0.5, 0.9, 0.99].map((at) => ({ expression: of(at), legend: `p${at * 100}${legend}` }));
}

const columns = 24;
const panelsPerLine = 3;
const size = { w: columns / panelsPerLine, h: 8 };
/** A query asks no finer than Prometheus scrapes. */
const scrapeInterval = '15s';

/** The rows as Grafana has them: one flat list, with a place and a number for each panel. */
export function layOut(rows: readonly Row[]): object[] {
  let [y, id] = [0, 0];
  return rows.flatMap(({ title, panels }) => {
    const heading = {
      id: (id += 1),
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: columns, h: 1 },
    };
    y += 1;
    const placed = panels.map((panel, index) => {
      const place = { x: (index % panelsPerLine) * size.w, y: y + Math.floor(index / panelsPerLine) * size.h, ...size };
      return render(panel, (id += 1), place);
    });
    y += Math.ceil(panels.length / panelsPerLine) * size.h;
    return [heading, ...placed];
  });
}

const datasource = { type: 'prometheus', uid: '${datasource}' };

const render = (panel: Panel, id: number, gridPos: object): object => ({
  id,
  type: panel.kind ?? 'timeseries',
  title: panel.title,
  description: panel.description,
  datasource,
  gridPos,
  interval: scrapeInterval,
  targets: panel.queries.map(({ expression, legend }, at) => ({
    refId: String.fromCodePoint('A'.codePointAt(0)! + at),
    datasource,
    expr: expression,
    legendFormat: legend,
    ...(panel.kind === 'stat' ? { instant: true, range: false } : { range: true }),
  })),
  fieldConfig: { defaults: fieldDefaults(panel), overrides: [] },
  options:
    panel.kind === 'stat'
      ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value', graphMode: 'none', textMode: 'auto' }
      : {
          legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] },
          tooltip: { mode: 'multi', sort: 'desc' },
        },
});

const fieldDefaults = ({ unit, kind, stacked = false, max, redFrom, words }: Panel): object => ({
  unit,
  min: 0,
  ...(max === undefined ? {} : { max }),
  thresholds: {
    mode: 'absolute',
    steps: [{ color: 'green', value: null }, ...(redFrom === undefined ? [] : [{ color: 'red', value: redFrom }])],
  },
  ...(words === undefined ? {} : { mappings: [{ type: 'value', options: optionsOf(words) }] }),
  ...(kind === 'stat'
    ? {}
    : {
        custom: {
          lineWidth: 1,
          fillOpacity: stacked ? 30 : 5,
          showPoints: 'never',
          stacking: { mode: stacked ? 'normal' : 'none' },
          thresholdsStyle: { mode: redFrom === undefined ? 'off' : 'line' },
        },
      }),
});

const optionsOf = (words: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(words).map(([value, text], index) => [value, { text, index }]));
