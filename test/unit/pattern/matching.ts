import { spanOf } from "#lib/pattern/instructions.ts";
import { Machine, StepBudget } from "#lib/pattern/machine.ts";
import { Characters, Pattern, Search, type Span } from "#lib/pattern/pattern.ts";

/** The first and last place of the match and of its groups; -1 for a group that took no part. */
type Spans = readonly (readonly number[])[];

const ABSENT = [-1, -1];

/** Python's match(), on RE2 if possible. */
export const matchOf = (source: string, text: string): number | null => {
  const end = new Search(new Pattern(source), text, new StepBudget()).matchAtStart();
  return end === null ? null : new Characters(text).countBefore(end);
};

export const allMatchesOf = (source: string, text: string): readonly Spans[] => {
  const search = new Search(new Pattern(source), text, new StepBudget());
  const characters = new Characters(text);
  const place = (span: Span): readonly number[] =>
    span === null ? ABSENT : span.map((unit) => characters.countBefore(unit));
  const all: Spans[] = [];
  let [from, isEmpty] = [0, false];
  for (;;) {
    const found = search.find(from, isEmpty);
    if (found === null) return all;
    all.push([place([found.start, found.end]), ...found.groups.map(place)]);
    [from, isEmpty] = [found.end, found.start === found.end];
  }
};

const spansOf = (machine: Machine, start: number, groupCount: number): Spans => [
  [start, machine.at],
  ...Array.from({ length: groupCount }, (_, index) => spanOf(machine, index + 1) ?? ABSENT),
];

const machineFor = ({ program }: Pattern, text: string): Machine =>
  new Machine(program, new Characters(text).codes, new StepBudget());

/** Python's match(), without RE2. */
export const stepwiseMatchOf = (source: string, text: string): Spans | null => {
  const pattern = new Pattern(source);
  const machine = machineFor(pattern, text);
  return machine.match() ? spansOf(machine, 0, pattern.parsed.groupCount) : null;
};

export const allStepwiseMatchesOf = (source: string, text: string): readonly Spans[] => {
  const pattern = new Pattern(source);
  const machine = machineFor(pattern, text);
  const all: Spans[] = [];
  let [from, isEmpty] = [0, false];
  for (;;) {
    const start = machine.search(from, isEmpty);
    if (start < 0) return all;
    all.push(spansOf(machine, start, pattern.parsed.groupCount));
    [from, isEmpty] = [machine.at, start === machine.at];
  }
};
