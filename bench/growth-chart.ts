/** Draws how times and sizes grow with the number of licenses: a panel for each, on logarithmic scales. */

export interface Line {
  readonly name: string;
  readonly isDashed?: boolean;
  /** [licenses, value] */
  readonly points: readonly (readonly [number, number])[];
}

export interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

const WIDTH = 320;
const HEIGHT = 210;
const COLUMNS = 3;
const LEFT = 52;
const RIGHT = 22;
const TOP = 48;
const BOTTOM = 28;
const COLORS = ["#2563eb", "#d97706", "#059669"];

const exponent = (value: number) => Math.log10(value);
const round = (value: number) => Number(value.toFixed(1));

function shorten(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  if (value >= 1e3) return `${value / 1e3}k`;
  return String(Number(value.toPrecision(3)));
}

/** Powers of ten around the values. */
function decades(values: readonly number[]): number[] {
  const first = Math.floor(exponent(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(exponent(Math.max(...values))));
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}

function drawPanel({ title, unit, lines }: Panel, index: number): string {
  const points = lines.flatMap((line) => line.points);
  const licenses = [...new Set(points.map(([x]) => x))].sort((a, b) => a - b);
  const ticks = decades(points.map(([, y]) => y));
  const scale = (value: number, from: number, to: number, start: number, end: number) =>
    round(start + ((exponent(value) - exponent(from)) / (exponent(to) - exponent(from) || 1)) * (end - start));
  const x = (value: number) => scale(value, licenses[0] ?? 1, licenses.at(-1) ?? 10, LEFT, WIDTH - RIGHT);
  const y = (value: number) => scale(value, ticks[0] ?? 1, ticks.at(-1) ?? 10, HEIGHT - BOTTOM, TOP);
  const grid = ticks.map(
    (tick) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick)}" y2="${y(tick)}"/>` +
      `<text x="${LEFT - 6}" y="${y(tick) + 3}" text-anchor="end">${shorten(tick)}</text>`,
  );
  const columns = licenses.map(
    (count) => `<text x="${x(count)}" y="${HEIGHT - 10}" text-anchor="middle">${shorten(count)}</text>`,
  );
  const drawn = lines.map((line, place) => {
    const color = COLORS[place % COLORS.length];
    const dash = line.isDashed ? ' stroke-dasharray="4 3"' : "";
    const path = line.points.map(([count, value]) => `${x(count)},${y(value)}`).join(" ");
    const dots = line.points.map(
      ([count, value]) =>
        `<circle cx="${x(count)}" cy="${y(value)}" r="2.5" fill="${color}"><title>${shorten(count)} licenses: ${shorten(value)} ${unit}</title></circle>`,
    );
    const legendX = LEFT + place * 94;
    return (
      `<polyline fill="none" stroke="${color}" stroke-width="1.5"${dash} points="${path}"/>${dots.join("")}` +
      `<line stroke="${color}" stroke-width="1.5"${dash} x1="${legendX}" x2="${legendX + 14}" y1="34" y2="34"/>` +
      `<text x="${legendX + 18}" y="37">${line.name}</text>`
    );
  });
  const at = `translate(${(index % COLUMNS) * WIDTH} ${Math.floor(index / COLUMNS) * HEIGHT})`;
  const heading = `<text class="title" x="${LEFT}" y="20">${title}, ${unit}</text>`;
  return `<g transform="${at}">${heading}${grid.join("")}${columns.join("")}${drawn.join("")}</g>`;
}

/** An SVG document that follows the reader's color scheme. */
export function drawGrowth(panels: readonly Panel[]): string {
  const [width, height] = [COLUMNS * WIDTH, Math.ceil(panels.length / COLUMNS) * HEIGHT];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Times and sizes by number of licenses">`,
    "<style>",
    "text { font: 10px system-ui, sans-serif; fill: #52525b } .title { font-size: 12px; font-weight: 600; fill: #18181b }",
    ".grid { stroke: #e4e4e7 } .paper { fill: #ffffff }",
    "@media (prefers-color-scheme: dark) { text { fill: #a1a1aa } .title { fill: #fafafa } .grid { stroke: #3f3f46 } .paper { fill: #18181b } }",
    "</style>",
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...panels.map(drawPanel),
    "</svg>",
    "",
  ].join("\n");
}
