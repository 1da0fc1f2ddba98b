import type { ResourceSpec, Spec } from "../world/spec.ts";

type Refers = Readonly<Record<string, string>>;

/** Its update changes the value in place. */
export const v = (value: string, refers: Refers = {}): ResourceSpec => ({
  properties: { v: value },
  refers,
});

export const replaced = (value: string, refers: Refers = {}): ResourceSpec => ({
  properties: { "v!": value },
  refers,
});

export const waiting: Spec = { w: { type: "Sim::Waiting", properties: { v: "1" } } };
