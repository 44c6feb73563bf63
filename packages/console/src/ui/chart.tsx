import { type ReactElement, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { onThemeChange } from '../shell/theme.ts';
import styles from './chart.module.css';
import { pointAt } from './point-at.ts';
import { Foreign } from './text.tsx';
import { dayAround, timeAxisValues, wholeIncrements } from './time-axis.ts';

/** A series of the chart. `steps`: a value holds until the next point. */
export type ChartSeries = {
  name: string;
  /** One for each time; null where there is none. */
  values: readonly (number | null)[];
  shape?: 'line' | 'steps';
};

export type ChartProps = {
  /** What the chart shows, in a sentence. */
  label: string;
  /** Milliseconds since 1970, ascending. */
  times: readonly number[];
  series: readonly ChartSeries[];
  /** Least and greatest value of the axis; by default those of the data. */
  range?: readonly [number, number];
  heightPx?: number;
  /** A click on the chart, on the step of this point. */
  onPick?: ((index: number) => void) | undefined;
  /** What the step of a point is, shown below the chart while the pointer is on it. */
  nameOf?: (index: number) => string | undefined;
  /** A line at this time. After the last point, steps go on until then. */
  markMs?: number | undefined;
  /** The same for readers who do not see the chart: a table, or a list. Always in the page, folded. */
  children: ReactNode;
};

const colours = ['--accent', '--fair', '--good', '--bad'] as const;
const colourNameOf = (at: number): string => colours[at % colours.length] ?? '--accent';

/** From a pointer to a point that it is taken to mean. */
const nearPx = 8;

/** A chart over time, drawn by uPlot, with its data as text below it. */
export function Chart(props: ChartProps): ReactElement {
  const { label, series, children, nameOf, heightPx = 220 } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const labelId = useId();
  const draw = useEffectEvent((target: HTMLDivElement) =>
    drawChart(target, props, heightPx, nameOf === undefined ? undefined : setPointed),
  );
  const drawn = JSON.stringify([props.times, props.series, props.range, props.markMs, heightPx]);
  useEffect(() => {
    const target = place.current;
    if (target === null) return;
    let chart = draw(target);
    const redraw = (): void => {
      chart.destroy();
      chart = draw(target);
    };
    const widths = new ResizeObserver(() => {
      const width = target.clientWidth;
      if (width > 0 && width !== chart.width) chart.setSize({ width, height: heightPx });
    });
    widths.observe(target);
    const leave = onThemeChange(redraw);
    return () => {
      widths.disconnect();
      leave();
      chart.destroy();
    };
  }, [drawn, heightPx]);
  return (
    <figure className={styles['chart']}>
      <figcaption id={labelId}>{label}</figcaption>
      <div ref={place} role="img" aria-labelledby={labelId} className={styles['place']} />
      {nameOf !== undefined && (
        // The table says the same to readers who do not point.
        <p className={styles['pointed']} aria-hidden="true">
          {pointed === null ? '' : nameOf(pointed)}
        </p>
      )}
      {series.length > 1 && (
        <ul className={styles['legend']} aria-label="Its lines">
          {series.map(({ name }, at) => (
            <li key={name}>
              <span
                className={styles['sample']}
                style={{ background: `var(${colourNameOf(at)})` }}
                aria-hidden="true"
              />{' '}
              <Foreign text={name} />
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>As a table</summary>
        {children}
      </details>
    </figure>
  );
}

const drawChart = (
  target: HTMLDivElement,
  props: ChartProps,
  height: number,
  onPoint: ((index: number | null) => void) | undefined,
): uPlot => {
  const { times, series, range, onPick, markMs } = props;
  const lastMs = times.at(-1);
  /** Where the steps end that go on behind the last point: no point of its own. */
  const endMs = markMs !== undefined && lastMs !== undefined && markMs > lastMs ? markMs : undefined;
  const seconds = [...times, ...(endMs === undefined ? [] : [endMs])].map((time) => time / 1_000);
  const onlyS = seconds.length === 1 ? seconds[0] : undefined;
  const points = times.map((_time, index) => index);
  const [ink, line] = [colourOf(target, '--muted'), colourOf(target, '--line')];
  const axis: uPlot.Axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const options: uPlot.Options = {
    width: Math.max(target.clientWidth, 200),
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    axes: [
      { ...axis, values: timeAxisValues },
      { ...axis, size: 52, incrs: wholeIncrements },
    ],
    scales: {
      ...(onlyS === undefined ? {} : { x: { range: dayAround(onlyS) } }),
      ...(range === undefined ? {} : { y: { range: [...range] as [number, number] } }),
    },
    series: [
      {},
      ...series.map(
        ({ name, shape }, at): uPlot.Series => ({
          label: name,
          stroke: colourOf(target, colourNameOf(at)),
          width: 2,
          points: { show: times.length <= 100, filter: (_chart, _series, isShown) => (isShown ? points : null) },
          ...(shape === 'steps' && stepped !== undefined ? { paths: stepped } : {}),
        }),
      ),
    ],
    hooks: {
      ...(markMs === undefined ? {} : { draw: [(chart) => drawMark(chart, markMs, colourOf(target, '--ink'))] }),
      ...(onPoint === undefined ? {} : { setCursor: [(chart) => onPoint(pointedAt(chart, times))] }),
    },
  };
  const values = series.map(({ values: own }) => [...own, ...(endMs === undefined ? [] : [own.at(-1) ?? null])]);
  const chart = new uPlot(options, [seconds, ...values], target);
  if (onPick !== undefined)
    chart.over.addEventListener('click', () => {
      const index = pointedAt(chart, times);
      if (index !== null) onPick(index);
    });
  return chart;
};

/** The point whose step the pointer is on; null if it is not on the chart. */
const pointedAt = (chart: uPlot, times: readonly number[]): number | null => {
  const { left = -1 } = chart.cursor;
  if (left < 0 || times.length === 0) return null;
  const at = chart.posToVal(left, 'x') * 1_000;
  return pointAt(times, at, chart.posToVal(left + nearPx, 'x') * 1_000 - at);
};

const drawMark = (chart: uPlot, markMs: number, colour: string): void => {
  const { ctx, bbox } = chart;
  const x = Math.round(chart.valToPos(markMs / 1_000, 'x', true));
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([4, 4]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
};

/** A canvas does not know custom properties: the colour that the element has by one. */
const colourOf = (target: HTMLElement, name: string): string => {
  const former = target.style.color;
  target.style.color = `var(${name})`;
  const { color } = getComputedStyle(target);
  target.style.color = former;
  return color;
};
