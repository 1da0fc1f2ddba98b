/** Small templates that many cases use. */
import type { ResourceSpec, Spec } from "../world/spec.ts";

type Refers = Readonly<Record<string, string>>;

/** A resource that is updated in place when its value changes. */
export const v = (value: string, refers: Refers = {}): ResourceSpec => ({
  properties: { v: value },
  refers,
});

/** A resource that is replaced when its value changes. */
export const replaced = (value: string, refers: Refers = {}): ResourceSpec => ({
  properties: { "v!": value },
  refers,
});

/** Its operations wait for a signal. */
export const waiting: Spec = { w: { type: "Sim::Waiting", properties: { v: "1" } } };
