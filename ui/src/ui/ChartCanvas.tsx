// The picture of a chart, drawn by uPlot in the colours of the theme.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { onThemeChange } from '../theme/theme';
import type { ChartProps } from './Chart';
import { plotOptions } from './chartOptions';

interface Props extends ChartProps {
  cursor: number | null;
  onCursor: (index: number | null) => void;
}

export function ChartCanvas(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const { at, series, height = 180, highest, mark, cursor } = props;
  const shape = JSON.stringify([
    series.map((one) => [one.name, one.color, one.dashed, one.filled]),
    height,
    highest,
  ]);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(plotOptions(element, latest), dataOf(latest.current), element);
    };
    draw();
    const resize = new ResizeObserver(() => {
      const width = element.clientWidth;
      if (width > 0) plot.current?.setSize({ width, height });
    });
    resize.observe(element);
    const stopListening = onThemeChange(draw);
    return () => {
      resize.disconnect();
      stopListening();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape, height]);
  useEffect(() => {
    plot.current?.setData(dataOf({ at, series }));
  }, [at, series]);
  const markAt = mark?.at;
  useEffect(() => {
    // Only the picture is drawn again: the mark may follow a hand.
    plot.current?.redraw(false);
  }, [markAt]);
  useEffect(() => {
    const chart = plot.current;
    if (!chart || cursor === null) return;
    const moment = at[cursor];
    if (moment !== undefined) chart.setCursor({ left: chart.valToPos(moment, 'x'), top: 0 }, false);
  }, [cursor, at]);
  return <div ref={host} style={{ height }} />;
}

function dataOf({ at, series }: Pick<ChartProps, 'at' | 'series'>): uPlot.AlignedData {
  return [[...at], ...series.map((one) => [...one.values])];
}
