// What uPlot is told about a chart.
import type { RefObject } from 'react';
import type uPlot from 'uplot';
import { tokenColor } from '../theme/color';
import type { ChartProps } from './Chart';

type Live = RefObject<ChartProps & { onCursor: (index: number | null) => void }>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Moments that people call round, in milliseconds. */
const ROUND = [
  ...[1, 2, 5, 10, 15, 20, 30].map((value) => value * SECOND),
  ...[1, 2, 3, 4, 5, 10, 15, 20, 30].map((value) => value * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map((value) => value * HOUR),
  ...[1, 2, 7, 14, 28].map((value) => value * DAY),
];

const FONT = '11px system-ui, sans-serif';

export function plotOptions(host: HTMLElement, live: Live): uPlot.Options {
  const { series, height = 180, highest, steps } = live.current;
  const color = (token: string) => tokenColor(host, token);
  const axis = {
    stroke: color('--muted'),
    font: FONT,
    ticks: { show: false },
    grid: { stroke: color('--border'), width: 1 },
  };
  return {
    width: Math.max(host.clientWidth, 80),
    height,
    legend: { show: false },
    padding: [8, 26, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: false },
      y: { range: (_, __, top) => [0, highest ?? Math.max(top * 1.08, 1e-9)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        // A label and some air; in narrow charts as much as lets two of them stand.
        space: (_, __, ___, ____, width) => (width < 260 ? 58 : 80),
        size: 30,
        // Clear of the zero beside it.
        gap: 9,
        incrs: ROUND,
        values: (_, ticks) => withoutIdleSeconds(ticks.map(live.current.formatAt)),
      },
      {
        ...axis,
        size: 62,
        space: height < 150 ? 20 : 34,
        ...(steps ? { incrs: [...steps] } : {}),
        values: (_, ticks) => ticks.map(live.current.formatValue),
      },
    ],
    series: [
      {},
      ...series.map((one) => ({
        label: one.name,
        stroke: color(one.color),
        width: 1.75,
        ...(one.dashed ? { dash: [5, 4] } : {}),
        ...(one.filled ? { fill: color(one.color).replace(/^rgb\((.*)\)$/, 'rgba($1, 0.12)') } : {}),
        points: { show: false },
        spanGaps: false,
      })),
    ],
    hooks: {
      setCursor: [(chart) => live.current.onCursor(chart.cursor.idx ?? null)],
      draw: [(chart) => drawMark(chart, live, color)],
    },
  };
}

/** `00:03:00`, `00:06:00` read better as `00:03`, `00:06`. */
export function withoutIdleSeconds(labels: readonly string[]): string[] {
  const idle = labels.every((label) => /\d\d:\d\d:00$/.test(label));
  return labels.map((label) => (idle ? label.slice(0, -3) : label));
}

function drawMark(chart: uPlot, live: Live, color: (token: string) => string): void {
  const mark = live.current.mark;
  if (!mark) return;
  const x = Math.round(chart.valToPos(mark.at, 'x', true));
  const { ctx, bbox } = chart;
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.strokeStyle = color('--accent');
  ctx.setLineDash([3, 3]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.fillStyle = color('--text-2');
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  const nearEnd = x > bbox.left + bbox.width * 0.7;
  ctx.textAlign = nearEnd ? 'right' : 'left';
  const [left, top] = [x + (nearEnd ? -6 : 6), bbox.top + 12 * devicePixelRatio];
  // A rim of the ground keeps the word apart from the lines behind it.
  ctx.strokeStyle = color('--surface');
  ctx.lineWidth = 4 * devicePixelRatio;
  ctx.lineJoin = 'round';
  ctx.strokeText(mark.label, left, top);
  ctx.fillText(mark.label, left, top);
  ctx.restore();
}
