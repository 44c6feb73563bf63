/** How many values the series of a histogram that have a label have taken, in Prometheus' text. @param label as `http_route="/verify"` */
export function countIn(text: string, metric: string, label: string): number {
  let count = 0;
  for (const line of text.split('\n'))
    if (line.startsWith(`${metric}_count{`) && line.includes(label))
      count += Number(line.slice(line.lastIndexOf('} ') + 2));
  return count;
}
