import type { Drawn } from "./graph-model.ts";
import { NEW_SIGN, OLD_SIGN } from "./graph-tree.ts";
import { signOfTone, type Tone } from "./status.ts";

export interface Entry {
  readonly tone: Tone | "mark";
  readonly sign: string;
  readonly text: string;
}

const entry = (tone: Tone, text: string): Entry => ({ tone, sign: signOfTone(tone), text });

export const STATUS_LEGEND: readonly Entry[] = [
  entry("good", "complete"),
  entry("busy", "in progress"),
  entry("bad", "failed"),
  entry("warn", "rolled back or suspended"),
  entry("quiet", "not begun"),
  { tone: "mark", sign: OLD_SIGN, text: "old version" },
  { tone: "mark", sign: NEW_SIGN, text: "replacement" },
];

const countsOf = (graph: Drawn): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const count = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { look } of graph.values()) {
    count(look.tone);
    for (const { sign } of look.marks) count(sign);
  }
  return counts;
};

export const Legend = ({ graph, entries }: { graph: Drawn; entries: readonly Entry[] }) => {
  const counts = countsOf(graph);
  return (
    <ul class="legend" aria-label="Legend">
      {entries.flatMap(({ tone, sign, text }) => {
        const key = tone === "mark" ? sign : tone;
        const count = counts.get(key);
        return count === undefined
          ? []
          : [
              <li key={key} class={tone}>
                <span class="swatch" aria-hidden="true">
                  {sign}
                </span>{" "}
                {count.toLocaleString()} {text}
              </li>,
            ];
      })}
    </ul>
  );
};
