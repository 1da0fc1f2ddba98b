import * as z from "zod/mini";

type Labels = Readonly<Record<string, string>>;

/** An engine may answer null instead of no labels. */
export const labelsSchema = z.pipe(
  z.nullish(z.record(z.string(), z.string())),
  z.transform((found) => found ?? {}),
);

export const labelFilter = (wanted: Labels): string =>
  JSON.stringify({ label: Object.entries(wanted).map(([key, value]) => `${key}=${value}`) });

/** Podman's filter accepts an object that has only one of the labels. */
export const hasAll = (labels: Labels, wanted: Labels): boolean =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);
