import { type Bound, boundName, boundValue, compiledOnce } from "./conditions.ts";
import { refused } from "./refusals.ts";
import type { Tokens } from "./tokens.ts";
import { copyOfValue, type Item, sumOf } from "./values.ts";

type Change = (item: Item, bound: Bound) => void;

export interface Update {
  readonly change: Change;
  readonly targets: readonly string[];
}

interface Step {
  readonly target: string;
  readonly change: Change;
}

const setting = (tokens: Tokens): Step => {
  const target = tokens.take();
  tokens.expect("=");
  const word = tokens.take();
  const change: Change = (item, bound) => {
    item[boundName(target, bound)] = copyOfValue(boundValue(word, bound));
  };
  return { target, change };
};

const removing = (tokens: Tokens): Step => {
  const target = tokens.take();
  const change: Change = (item, bound) => {
    delete item[boundName(target, bound)];
  };
  return { target, change };
};

const adding = (tokens: Tokens): Step => {
  const target = tokens.take();
  const word = tokens.take();
  const change: Change = (item, bound) => {
    const name = boundName(target, bound);
    item[name] = sumOf(item[name], boundValue(word, bound));
  };
  return { target, change };
};

const SECTIONS = { SET: setting, REMOVE: removing, ADD: adding } as const;

export const update = compiledOnce((tokens): Update => {
  const steps: Step[] = [];
  while (tokens.next !== "") {
    const section = Object.entries(SECTIONS).find(([name]) => tokens.took(name));
    if (section === undefined) throw refused(`${tokens.next} is no section of an update`);
    do steps.push(section[1](tokens));
    while (tokens.took(","));
  }
  const targets = steps.map(({ target }) => target);
  if (new Set(targets).size < targets.length) throw refused("an attribute is changed twice");
  const change: Change = (item, bound) => {
    for (const step of steps) step.change(item, bound);
  };
  return { change, targets };
});

export const projection = compiledOnce((tokens) => {
  const words: string[] = [];
  do words.push(tokens.take());
  while (tokens.took(","));
  return (item: Item, bound: Bound): Item =>
    Object.fromEntries(
      words.flatMap((word) => {
        const name = boundName(word, bound);
        const value = item[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
});
