/**
 * `npm run docs -- recording` plays `hearth demo` on a terminal of 80 columns and draws what it
 * showed, as a picture that moves. The pauses between its screens are those of the command, but
 * none is longer than two seconds. It needs `script` of util-linux.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import xterm from "@xterm/headless";
import { ROOT } from "./bundle.ts";

const COLUMNS = 80;
const ROWS = 24;
/** Output within this time is one screen. */
const SCREEN_MS = 80;
const PAUSE_MS_MAX = 2_000;
const LAST_SCREEN_MS = 6_000;
const CELL_PX = 8;
const LINE_PX = 17;
const MARGIN_PX = 12;
const INK = "#d6dae0";
/** By the number that the terminal has for the colour. */
const COLORS: Readonly<Record<number, string>> = { 1: "#ff7b72", 2: "#7ee787", 3: "#f2cc60" };
const DIM = "#8b949e";

interface Span {
  readonly at: number;
  readonly text: string;
  readonly color: string;
}
type Line = readonly Span[];
interface Screen {
  readonly lines: readonly Line[];
  readonly atMs: number;
}

const lineOf = (terminal: xterm.Terminal, y: number): Line => {
  const { active } = terminal.buffer;
  const line = active.getLine(active.viewportY + y);
  const spans: { at: number; text: string; color: string }[] = [];
  for (let at = 0; line !== undefined && at < COLUMNS; at += 1) {
    const cell = line.getCell(at);
    const text = cell?.getChars() || " ";
    const painted = cell?.isFgPalette() ? COLORS[cell.getFgColor()] : undefined;
    const color = painted ?? (cell?.isDim() ? DIM : INK);
    const last = spans.at(-1);
    if (last?.color === color) last.text += text;
    else spans.push({ at, text, color });
  }
  return spans.filter(({ text }) => text.trim() !== "");
};

const record = async (): Promise<readonly Screen[]> => {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const write = (text: string): Promise<void> =>
    new Promise((resolve) => terminal.write(text, resolve));
  await write("\u001b[2m$\u001b[22m hearth demo\r\n");
  const command = `stty cols ${COLUMNS} rows ${ROWS}; exec "${process.execPath}" apps/cli/hearth.ts demo`;
  const demo = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: ROOT,
    env: { ...process.env, TERM: "xterm-256color", FORCE_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const begunAt = Date.now();
  const screens: Screen[] = [];
  const take = (): void => {
    const lines = Array.from({ length: ROWS }, (_, y) => lineOf(terminal, y));
    const isNew = JSON.stringify(lines) !== JSON.stringify(screens.at(-1)?.lines);
    if (isNew) screens.push({ lines, atMs: Date.now() - begunAt });
  };
  take();
  for await (const text of demo.stdout.setEncoding("utf8")) {
    await write(String(text));
    await setTimeout(SCREEN_MS);
    take();
  }
  if (demo.exitCode !== null && demo.exitCode !== 0) throw new Error("the demo has failed");
  return screens;
};

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** An SVG joins spaces, so words with more than one between them have places of their own. */
const drawn = ({ lines }: Screen): string =>
  lines
    .flatMap((line, y) =>
      line.flatMap(({ at, text, color }) =>
        [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => {
          const place = `x="${MARGIN_PX + (at + index) * CELL_PX}" y="${MARGIN_PX + (y + 1) * LINE_PX}"`;
          const width = `textLength="${words.length * CELL_PX}"`;
          return `<text ${place} ${width} fill="${color}">${escaped(words)}</text>`;
        }),
      ),
    )
    .join("");

/** Each screen is visible from its own moment to that of the next one, again and again. */
const animated = (screens: readonly Screen[]): string => {
  const lengths = screens.map(({ atMs }, number) => {
    const next = screens[number + 1];
    return next === undefined ? LAST_SCREEN_MS : Math.min(next.atMs - atMs, PAUSE_MS_MAX);
  });
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const share = (ms: number): string => `${((100 * ms) / total).toFixed(2)}%`;
  let from = 0;
  const groups = screens.map((screen, number) => {
    const until = from + (lengths[number] ?? 0);
    const shows = [
      ...(from === 0 ? [] : ["0%{opacity:0}"]),
      `${share(from)}{opacity:1}`,
      ...(until >= total ? [] : [`${share(until)}{opacity:0}`]),
    ].join("");
    from = until;
    const style = `@keyframes s${number}{${shows}}.s${number}{opacity:0;animation:s${number} ${total}ms step-end infinite}`;
    return `<style>${style}</style><g class="s${number}">${drawn(screen)}</g>`;
  });
  const size = `viewBox="0 0 ${COLUMNS * CELL_PX + 2 * MARGIN_PX} ${ROWS * LINE_PX + 2 * MARGIN_PX}"`;
  const font = 'font-family="ui-monospace,Menlo,Consolas,monospace" font-size="13"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font}><title>hearth demo makes a stack, shows its output and deletes it</title><rect width="100%" height="100%" rx="8" fill="#0d1117"/>${groups.join("\n")}</svg>\n`;
};

const picture = animated(await record());
writeFileSync(join(ROOT, "docs/pictures/demo.svg"), picture);
console.log(`docs/pictures/demo.svg has ${picture.length} bytes`);
